"""What a hostile server, client or journal puts into a capture: no crash, no hang, the right rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptest.capture import VIEWS, Capture, Place, journals, verify
from mcptest.wire import Frame, journal
from mcptest.wire.frame import STDOUT
from tests.helpers.journals import Talk

COUNT = 8_000
HALF = "\\ud800"  # half a surrogate pair, as JSON writes it


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "capture.duckdb")


def look(place: Place, *queries: str) -> list[list[tuple]]:
    """The answers to some queries, after every column of every view was read, and the whole was verified."""
    with Capture.open(place) as capture:
        for view in VIEWS:
            capture.connection.execute(f"CREATE OR REPLACE TEMP TABLE seen AS FROM {view}")
        answers = [capture.connection.execute(query).fetchall() for query in queries]
    assert [checked.differences for checked in verify(place).sessions] == [()]
    return answers


def test_lines_that_are_no_messages_are_malformed_rows(place):
    lines = [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"",
        b"\x00",
        b"\xff\xfe",
        b'{"method":"\xc3"}',
        b"\xef\xbb\xbf{}",
        b"NaN",
        b'{"method":"x",}',
        "\u2028".encode(),
    ]
    talk = Talk()
    for line in lines:
        talk.server(line)
    talk.write(place)
    kinds, frames, errors = look(
        place,
        "SELECT kind, count(*), count(error) FROM messages GROUP BY ALL",
        "SELECT data FROM frames WHERE channel = 'stdout' ORDER BY seq",
        "SELECT count(*) FROM errors WHERE kind = 'malformed'",
    )
    assert kinds == [("malformed", len(lines), len(lines))]
    assert [data for (data,) in frames] == lines
    assert errors == [(len(lines),)]


def test_numbers_of_a_million_digits_pass(place):
    digits = b"7" * 1_000_000
    talk = Talk().client(
        b'{"id":' + digits + b',"method":"tools/call","params":{"name":"t","arguments":{"n":' + digits + b"}}}"
    )
    talk.server(b'{"id":' + digits + b',"result":{"n":' + digits + b"}}")
    talk.server(b'{"id":1,"error":{"code":' + digits + b',"message":' + digits + b"}}")
    talk.write(place)
    calls, errors = look(
        place, "SELECT tool, length(id), status FROM tool_calls", "SELECT code, length(message) > 0 FROM errors"
    )
    assert calls == [("t", 1_000_000, "answered")]
    assert errors == [(None, True)]


def test_nul_and_half_surrogates_pass_everywhere(place):
    odd = f'"a\\u0000b{HALF}"'
    talk = Talk().client(f'{{"id":{odd},"method":{odd},"params":{{"_meta":{{"progressToken":{odd}}}}}}}')
    talk.server(f'{{"id":{odd},"error":{{"code":1,"message":{odd}}}}}')
    talk.client(
        f'{{"id":1,"method":"tools/call","params":{{"name":{odd},"arguments":{{"x":{odd},"y":"\\ud83d\\ude00"}}}}}}'
    )
    talk.server(f'{{"id":1,"result":{{"content":[{{"type":"text","text":{odd}}}],"isError":true}}}}')
    talk.client('{"id":2,"method":"tools/list"}')
    talk.server(
        f'{{"id":2,"result":{{"tools":[{{"name":{odd},"description":{odd},"inputSchema":{{"a":1}}}}],"nextCursor":{odd}}}}}'
    )
    talk.client(f'{{"id":3,"method":"initialize","params":{{"clientInfo":{{"name":{odd}}},"protocolVersion":{odd}}}}}')
    talk.client(f'{{"method":"n","params":{{"a":{odd}}}}}').stderr(b"a\x00\xff")
    talk.write(place)
    messages, calls, tools, notes, sessions, stderr = look(
        place,
        "SELECT method FROM messages WHERE seq = 1",
        "SELECT tool, arguments->>'y', is_error FROM tool_calls",
        "SELECT name, description, input_schema->>'a' FROM tools",
        "SELECT params IS NOT NULL FROM notifications",
        "SELECT client_name, revision FROM sessions",
        "SELECT line FROM stderr",
    )
    assert messages == [("a\x00b\\ud800",)]
    assert calls == [("a\x00b\\ud800", "��", True)], "DuckDB reads no half pairs, so this document's are replaced"
    assert tools == [("a\x00b\\ud800", "a\x00b?", "1")]
    assert notes == [(True,)]
    assert sessions == [("a\x00b\\ud800", "a\x00b\\ud800")]
    assert stderr == [("a\\x00\\xFF",)]


@pytest.mark.parametrize("count", [20_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_a_batch_of_very_many_messages_pairs(place, count):
    talk = Talk().client(b"[" + b",".join(b'{"id":%d,"method":"m"}' % n for n in range(count)) + b"]")
    talk.server(b"[" + b",".join(b'{"id":%d,"result":{}}' % n for n in reversed(range(count))) + b"]")
    talk.write(place)
    (exchanges,) = look(
        place,
        f"SELECT count(*), count(DISTINCT answer_batch), bool_and(batch + answer_batch = {count - 1}) FROM exchanges",
    )
    assert exchanges == [(count, count, True)]


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_a_catalogue_of_very_many_tools_is_listed(place, count):
    tools = b",".join(b'{"name":"tool%d","inputSchema":{"type":"object"}}' % n for n in range(count))
    talk = Talk().request(1, "tools/list").server(b'{"id":1,"result":{"tools":[' + tools + b"]}}")
    talk.write(place)
    (listed,) = look(
        place, "SELECT count(*), count(DISTINCT name), max(position), max(input_schema->>'type') FROM tools"
    )
    assert listed == [(count, count, count - 1, "object")]


def test_a_line_of_64_mebibytes_is_folded(place):
    text = json.dumps({"id": 1, "result": {"data": "x" * (64 << 20)}}).encode()
    Talk().request(1, "a").server(text).end().write(place)
    sizes, frames = look(
        place, "SELECT size, length(raw) FROM messages ORDER BY seq DESC LIMIT 1", "SELECT count(*) FROM frames"
    )
    assert sizes == [(len(text), len(text))]
    assert frames == [(5,)]


def test_strange_names_and_types_are_kept_as_they_are(place):
    names = ["../../../etc/passwd", "'; DROP TABLE messages; --", "n" * 4096, "🦀\u202e", "", "\x1b]52;c;x\x07"]
    talk = Talk(name=names[1], argv=tuple(names))
    for number, name in enumerate(names):
        talk.request(number, "tools/call", name=name, arguments=[])
    for number, name in enumerate([None, 5, {}, []]):
        talk.request(100 + number, "tools/call", name=name)
    talk.request(200, "resources/list").result(200, resources=[{"uri": 5, "name": {"a": 1}}, "x", None])
    talk.write(place)
    tools, resources, sessions = look(
        place,
        "SELECT tool FROM tool_calls ORDER BY seq",
        "SELECT uri, name, definition FROM resources ORDER BY position",
        "SELECT name FROM sessions",
    )
    assert [tool for (tool,) in tools] == [*names, None, "5", "{}", "[]"]
    assert resources == [("5", '{"a": 1}', '{"uri":5,"name":{"a":1}}'), (None, None, '"x"'), (None, None, "null")]
    assert sessions == [(names[1],)]


def test_a_forged_journal_with_impossible_numbers_is_folded(place):
    largest = 2**64 - 1
    frames = [
        Talk()
        .frames[0]
        ._replace(at=largest, mono=largest, data=b'{"session":"s","started_at":-5,"name":[],"target":{"argv":[{}]}}'),
        Frame(1, largest, largest, 2**32 - 1, STDOUT, 0xF0, b'{"id":1,"method":"m"}'),
        Frame(2, 0, 0, 2**32 - 1, 1, 0, b'{"id":1,"result":{}}'),
        Frame(3, 5, 5, 0, 200, 255 & ~8, b"a channel from the future", b"\xff\x00not json"),
        Frame(4, 5, 5, 0, 4, 0, b'{"event":"exit","code":99999999999999999999,"signal":"x"}'),
        Frame(largest, 5, 5, 0, STDOUT, 0, b'{"method":"m"}'),
    ]
    place.journals.mkdir()
    path = place.journals / "forged-s.mcpj"
    path.write_bytes(journal.preamble(1) + b"".join(b"".join(journal.encode(frame, 1)) for frame in frames))
    exchanges, rows, sessions, damage = look(
        place,
        "SELECT duration_ms, status FROM exchanges",
        "SELECT seq, channel FROM frames ORDER BY seq",
        "SELECT id, name, target, exit_code FROM sessions",
        "SELECT kind, first_seq FROM damage",
    )
    assert exchanges == [(0.0, "answered")]
    assert rows == [(0, "header"), (1, "stdout"), (2, "stdin"), (3, None), (4, "event")]
    assert sessions == [("s", None, "'{}'", None)]
    assert [kind for kind, _ in damage] == ["repeated"]


def test_a_session_of_unanswered_requests_is_folded_and_folded_on(place):
    talk = Talk()
    for number in range(COUNT):
        talk.request(number, "m", _meta={"progressToken": number})
    frames = talk.frames
    place.journals.mkdir()
    path = journals.path_for(place.journals, talk.session, frames[0].at)
    record = [b"".join(journal.encode(frame, 1)) for frame in frames]
    path.write_bytes(journal.preamble(1) + b"".join(record))
    assert look(place, "SELECT count(*) FROM exchanges WHERE status = 'unanswered'") == [[(COUNT,)]]
    talk.frames[1:] = talk.frames[-1:]
    for number in reversed(range(COUNT)):
        talk.result(number)
    with path.open("ab") as file:
        file.writelines(b"".join(journal.encode(frame, 1)) for frame in talk.frames[2:])
    (answered,) = look(
        place, f"SELECT count(*), bool_and(seq + answer = {2 * COUNT + 1}) FROM exchanges WHERE status = 'answered'"
    )
    assert answered == [(COUNT, True)]
