"""The tables of a capture and the views over them that users see.

The tables, in the schema `data`, are ours and may change with FORMAT; the views are the interface, documented column
by column in docs/capture.md. Text is stored once: a frame that is exactly one message has its row in `messages` only,
and definitions that a server lists again and again are kept under the digest of their text.

The views are written over a schema's name, because they exist twice: in the file, over `data`, for whoever opens it
with another tool; and in memory when mcptest reads, over a schema that adds what could not be folded yet.
"""

from __future__ import annotations

from mcptest.wire.frame import CHANNELS, PARTIAL, REDACTED, STDERR

APPLICATION = "mcptest capture"
FORMAT = 1

_ZSTD = "VARCHAR USING COMPRESSION zstd"

# Each table's columns in order, with their types. But for meta, journals, sessions and definitions they are the rows
# of mcptest.wire.rows with the session before them, and with `lag` for `mono`: what the monotonic clock is behind the
# wall clock hardly changes within a session, and takes no space.
TABLES: dict[str, dict[str, str]] = {
    "meta": {"application": "VARCHAR", "format": "INTEGER", "mcptest": "VARCHAR"},
    "journals": {
        "journal": "VARCHAR",
        "session": "VARCHAR",
        "seed": "BIGINT",
        "offset": "BIGINT",
        "derivation": _ZSTD,
    },
    "sessions": {
        "session": "VARCHAR",
        "journal": "VARCHAR",
        "state": "VARCHAR",
        "torn_offset": "BIGINT",
        "torn_length": "BIGINT",
        "name": "VARCHAR",
        "transport": "VARCHAR",
        "target": "VARCHAR",
        "started_at": "BIGINT",
        "last_at": "BIGINT",
        "client_name": "VARCHAR",
        "client_version": "VARCHAR",
        "server_name": "VARCHAR",
        "server_version": "VARCHAR",
        "revision": "VARCHAR",
        "exit_code": "INTEGER",
        "signal": "INTEGER",
        "frames": "BIGINT",
        "messages": "BIGINT",
        "requests": "BIGINT",
        "responses": "BIGINT",
        "notifications": "BIGINT",
        "malformed": "BIGINT",
        "errors": "BIGINT",
        "tool_calls": "BIGINT",
        "size": "BIGINT",
        "lost": "BIGINT",
        "damage": "BIGINT",
    },
    "frames": {
        "session": "VARCHAR",
        "seq": "BIGINT",
        "at": "BIGINT",
        "lag": "BIGINT",
        "conn": "BIGINT",
        "channel": "UTINYINT",
        "flags": "UTINYINT",
        "text": _ZSTD,
        "data": "BLOB",
        "meta": "VARCHAR",
    },
    "messages": {
        "session": "VARCHAR",
        "seq": "BIGINT",
        "batch": "INTEGER",
        "at": "BIGINT",
        "lag": "BIGINT",
        "conn": "BIGINT",
        "channel": "UTINYINT",
        "flags": "UTINYINT",
        "kind": "VARCHAR",
        "id_type": "VARCHAR",
        "id": "VARCHAR",
        "method": "VARCHAR",
        "answers": "VARCHAR",
        "size": "BIGINT",
        "error": "VARCHAR",
        "raw": _ZSTD,
        "whole": "BOOLEAN",
        "meta": "VARCHAR",
    },
    "exchanges": {
        "session": "VARCHAR",
        "seq": "BIGINT",
        "batch": "INTEGER",
        "conn": "BIGINT",
        "sender": "VARCHAR",
        "method": "VARCHAR",
        "id_type": "VARCHAR",
        "id": "VARCHAR",
        "at": "BIGINT",
        "lag": "BIGINT",
        "name": "VARCHAR",
        "cursor": "VARCHAR",
        "token": "VARCHAR",
        "revision": "VARCHAR",
        "answer": "BIGINT",
        "answer_batch": "INTEGER",
        "duration": "BIGINT",
        "failed": "BOOLEAN",
        "error_code": "BIGINT",
        "error_message": "VARCHAR",
        "is_error": "BOOLEAN",
        "result_type": "VARCHAR",
        "cancelled": "BIGINT",
        "progress": "BIGINT",
    },
    "errors": {
        "session": "VARCHAR",
        "seq": "BIGINT",
        "batch": "INTEGER",
        "at": "BIGINT",
        "sender": "VARCHAR",
        "kind": "VARCHAR",
        "code": "BIGINT",
        "message": "VARCHAR",
    },
    "gaps": {
        "session": "VARCHAR",
        "seq": "BIGINT",
        "at": "BIGINT",
        "channel": "VARCHAR",
        "frames": "BIGINT",
        "bytes": "BIGINT",
        "reason": "VARCHAR",
    },
    "damage": {
        "session": "VARCHAR",
        "kind": "VARCHAR",
        "offset": "BIGINT",
        "length": "BIGINT",
        "first_seq": "BIGINT",
        "last_seq": "BIGINT",
    },
    "items": {
        "session": "VARCHAR",
        "kind": "VARCHAR",
        "catalogue": "INTEGER",
        "position": "INTEGER",
        "seq": "BIGINT",
        "batch": "INTEGER",
        "name": "VARCHAR",
        "digest": "VARCHAR",
    },
    "http": {
        "session": "VARCHAR",
        "x": "BIGINT",
        "seq": "BIGINT",
        "at": "BIGINT",
        "conn": "BIGINT",
        "method": "VARCHAR",
        "target": "VARCHAR",
        "host": "VARCHAR",
        "session_id": "VARCHAR",
        "revision": "VARCHAR",
        "mcp_method": "VARCHAR",
        "mcp_name": "VARCHAR",
        "mcp_params": "VARCHAR",
        "last_event_id": "VARCHAR",
        "request_type": "VARCHAR",
        "request_size": "BIGINT",
        "body": "BIGINT",
        "status": "INTEGER",
        "response": "BIGINT",
        "response_type": "VARCHAR",
        "encoding": "VARCHAR",
        "response_size": "BIGINT",
        "challenge": "VARCHAR",
        "wait": "BIGINT",
        "duration": "BIGINT",
        "events": "BIGINT",
        "outcome": "VARCHAR",
        "ended_by": "VARCHAR",
        "reason": "VARCHAR",
    },
    "definitions": {"digest": "VARCHAR", "definition": _ZSTD},
}
# Tables of which every row belongs to a session.
OF_SESSIONS = tuple(name for name, columns in TABLES.items() if "session" in columns)


def create_tables(schema: str, *, compressed: bool = True) -> list[str]:
    """Statements that create the schema and its tables."""
    statements = [f"CREATE SCHEMA {schema}"]
    for name, columns in TABLES.items():
        body = ", ".join(f'"{column}" {kind if compressed else bare(kind)}' for column, kind in columns.items())
        statements.append(f"CREATE TABLE {schema}.{name} ({body})")
    return statements


def bare(kind: str) -> str:
    """A column's type without its compression."""
    return kind.partition(" ")[0]


def create_views(into: str, over: str) -> list[str]:
    return [f"CREATE VIEW {into}.{name} AS {text.replace('@', over + '.')}" for name, text in VIEWS.items()]


def _time(column: str) -> str:
    return f"make_timestamptz({column} // 1000)"


def _json(document: str, path: str, function: str = "json_extract") -> str:
    """A value out of a JSON text. DuckDB refuses half surrogate pairs, which JSON allows: they are replaced."""
    patched = rf"regexp_replace({document}, '\\u[dD][89a-fA-F][0-9a-fA-F]{{2}}', '�', 'g')"
    return f"coalesce(try({function}({document}, '{path}')), try({function}({patched}, '{path}')))"


def _string(document: str, path: str) -> str:
    return _json(document, path, "json_extract_string")


def _sender(channel: str) -> str:
    return (
        f"CASE WHEN {channel} IN (1, 6, 7) THEN 'client' WHEN {channel} IN (0, 4, 5) THEN 'mcptest' ELSE 'server' END"
    )


_CHANNEL = "CASE channel " + " ".join(f"WHEN {code} THEN '{name}'" for code, name in CHANNELS.items()) + " END"
_X = "try(json_extract(meta, '$.x')::BIGINT)"
_FLAGS = f"flags & {REDACTED} <> 0 AS redacted, flags & {PARTIAL} <> 0 AS partial"
_STATUS = """CASE WHEN answer IS NULL THEN CASE WHEN cancelled IS NULL THEN 'unanswered' ELSE 'cancelled' END
      WHEN failed THEN 'error' ELSE 'answered' END"""
_LISTED = "FROM @items i JOIN @definitions d USING (digest)"

# `@` stands for the schema that the view reads from.
VIEWS: dict[str, str] = {
    "sessions": f"""
SELECT session AS id, name, state, {_time("started_at")} AS started_at,
    CASE WHEN state <> 'live' THEN {_time("last_at")} END AS ended_at,
    transport, target, client_name, client_version, server_name, server_version, revision, exit_code, signal,
    messages, requests, responses, notifications, malformed, errors, tool_calls, size AS bytes,
    lost AS gaps, damage + CASE WHEN torn_length > 0 THEN 1 ELSE 0 END AS damage
FROM @sessions""",
    "frames": f"""
SELECT session, seq, {_time('"at"')} AS "at", "at" - lag AS mono, conn, {_sender("channel")} AS sender,
    {_CHANNEL} AS channel, {_FLAGS}, coalesce(octet_length(data), strlen(text)) AS size, text,
    coalesce(data, encode(text)) AS data, meta
FROM (SELECT * FROM @frames UNION ALL BY NAME
    SELECT session, seq, "at", lag, conn, channel, flags, raw AS text, meta FROM @messages WHERE whole)""",
    "messages": f"""
SELECT session, seq, {_time('"at"')} AS "at", {_sender("channel")} AS sender, kind, id, id_type, method, answers, raw,
    size, error, batch, conn, {_X} AS x, {_FLAGS}
FROM @messages""",
    "exchanges": f"""
SELECT e.session, e.seq, e.answer, e.sender, e.method, e.name, e.id, e.id_type, {_time('e."at"')} AS started_at,
    e.duration / 1e6 AS duration_ms, {_STATUS} AS status, e.error_code, e.error_message, e.is_error, e.result_type,
    e.cancelled IS NOT NULL AS cancelled, e.progress, e.revision, e.batch, e.answer_batch, e.conn, h.x
FROM @exchanges e LEFT JOIN @http h ON h.session = e.session AND h.body = e.seq""",
    "tool_calls": f"""
SELECT e.session, e.seq, e.answer, {_time('e."at"')} AS "at", e.name AS tool,
    {_json("q.raw", "$.params.arguments")} AS arguments, {_json("a.raw", "$.result")} AS result,
    CASE WHEN e.answer IS NOT NULL THEN e.failed OR coalesce(e.is_error, false) END AS is_error,
    e.error_code, e.error_message, {_STATUS} AS status, e.duration / 1e6 AS duration_ms,
    e.cancelled IS NOT NULL AS cancelled, e.progress, e.result_type, e.id, e.id_type
FROM @exchanges e
LEFT JOIN @messages q ON q.session = e.session AND q.seq = e.seq AND q.batch IS NOT DISTINCT FROM e.batch
LEFT JOIN @messages a ON a.session = e.session AND a.seq = e.answer AND a.batch IS NOT DISTINCT FROM e.answer_batch
WHERE e.method = 'tools/call'""",
    "tools": f"""
SELECT i.session, i.catalogue, i.position, i.name, {_string("d.definition", "$.title")} AS title,
    {_string("d.definition", "$.description")} AS description,
    {_json("d.definition", "$.inputSchema")} AS input_schema,
    {_json("d.definition", "$.outputSchema")} AS output_schema,
    {_json("d.definition", "$.annotations")} AS annotations, i.seq, i.batch, d.definition
{_LISTED} WHERE i.kind = 'tool'""",
    "resources": f"""
SELECT i.session, i.catalogue, i.position, i.kind = 'template' AS is_template,
    {_string("d.definition", "$.uri")} AS uri, {_string("d.definition", "$.uriTemplate")} AS uri_template, i.name,
    {_string("d.definition", "$.title")} AS title, {_string("d.definition", "$.description")} AS description,
    {_string("d.definition", "$.mimeType")} AS mime_type, {_json("d.definition", "$.annotations")} AS annotations,
    i.seq, i.batch, d.definition
{_LISTED} WHERE i.kind IN ('resource', 'template')""",
    "prompts": f"""
SELECT i.session, i.catalogue, i.position, i.name, {_string("d.definition", "$.title")} AS title,
    {_string("d.definition", "$.description")} AS description, {_json("d.definition", "$.arguments")} AS arguments,
    i.seq, i.batch, d.definition
{_LISTED} WHERE i.kind = 'prompt'""",
    "notifications": f"""
SELECT session, seq, {_time('"at"')} AS "at", {_sender("channel")} AS sender, method,
    {_json("raw", "$.params")} AS params, batch, conn
FROM @messages WHERE kind = 'notification'""",
    "errors": f"""
SELECT r.session, r.seq, {_time('r."at"')} AS "at", r.sender, r.kind, r.code, r.message, e.method, e.name,
    e.seq AS request, r.batch
FROM @errors r LEFT JOIN @exchanges e
    ON e.session = r.session AND e.answer = r.seq AND e.answer_batch IS NOT DISTINCT FROM r.batch""",
    "http": f"""
SELECT session, x, seq, body, response, {_time('"at"')} AS "at", conn, method, target, host, status, outcome, ended_by,
    reason, wait / 1e6 AS wait_ms, duration / 1e6 AS duration_ms, request_type, request_size AS request_bytes,
    response_type, encoding, response_size AS response_bytes, events, session_id, revision, mcp_method, mcp_name,
    try(mcp_params::JSON) AS mcp_params, last_event_id, challenge
FROM @http""",
    "stderr": f"""
SELECT session, seq, {_time('"at"')} AS "at", coalesce(text, data::VARCHAR) AS line
FROM @frames WHERE channel = {STDERR}""",
    "gaps": f"""
SELECT session, seq, {_time('"at"')} AS "at", channel, frames, bytes, reason
FROM @gaps""",
    "damage": """
SELECT session, kind, "offset", length, first_seq, last_seq FROM @damage
UNION ALL
SELECT session, 'torn', torn_offset, torn_length, NULL, NULL FROM @sessions WHERE torn_length > 0""",
}
