-- The fifty exchanges that took longest.
SELECT
    session,
    seq,
    sender,
    method,
    name AS tool,
    status,
    round(duration_ms, 3) AS duration_ms,
    started_at
FROM exchanges
WHERE duration_ms IS NOT NULL
ORDER BY exchanges.duration_ms DESC, session, seq
LIMIT 50;
