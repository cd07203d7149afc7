-- How long answers take, for each method and tool: calls, median, 95th percentile and the longest, in milliseconds.
SELECT
    method,
    name AS tool,
    count(*) AS calls,
    round(quantile_cont(duration_ms, 0.5), 3) AS p50_ms,
    round(quantile_cont(duration_ms, 0.95), 3) AS p95_ms,
    round(max(duration_ms), 3) AS max_ms
FROM exchanges
WHERE duration_ms IS NOT NULL
GROUP BY ALL
ORDER BY p95_ms DESC, method, tool;
