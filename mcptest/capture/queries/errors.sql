-- What went wrong, for each kind of error: how often, when last, and in how many sessions.
SELECT
    kind,
    code,
    method,
    name AS tool,
    message,
    count(*) AS times,
    count(DISTINCT session) AS sessions,
    max("at") AS last_at
FROM errors
GROUP BY kind, code, method, tool, message
ORDER BY times DESC, last_at DESC;
