-- Requests that nobody answered, the newest first, with what became of them.
SELECT
    session,
    seq,
    sender,
    method,
    name AS tool,
    id,
    status,
    started_at
FROM exchanges
WHERE answer IS NULL
ORDER BY started_at DESC, seq DESC;
