-- How much passes, for each method and direction: messages, bytes, and the largest message. Answers count for their method.
SELECT
    coalesce(method, answers) AS method,
    kind,
    sender,
    count(*) AS messages,
    sum(size) AS bytes,
    max(size) AS largest
FROM messages
GROUP BY ALL
ORDER BY bytes DESC, method, kind;
