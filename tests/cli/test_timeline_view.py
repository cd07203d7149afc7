from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.cli.terminal import width
from mcptest.cli.timeline import entries
from mcptest.cli.timeline_view import as_object, full_text, lay_out, say_duration, text_line
from mcptest.wire.frame import PARTIAL
from tests.helpers.journals import Talk, sample

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x9b31m\r\u202e\u200b"


def lines(talk: Talk, columns: int = 100, *, colour: bool = False) -> list[str]:
    return [text_line(entry, talk.frames[0].mono, columns, colour=colour) for entry in entries(talk.frames)]


def test_a_timeline_reads_like_this() -> None:
    assert lines(sample(), 80) == [
        "    0.001 · spawn  pid 42",
        '    0.002 → initialize #0  {"protocolVersion": "2025-11-25", "capabilities": {}…',
        '    0.003 ← initialize #0 1.0 ms  {"protocolVersion": "2025-11-25", "capabiliti…',
        "    0.004 → notifications/initialized",
        "    0.005 → tools/list #1  {}",
        '    0.006 ← tools/list #1 1.0 ms  {"tools": [{"name": "add", "inputSchema": {"t…',
        '    0.007 → tools/call add #2  {"name": "add", "arguments": {"a": 1, "b": 2}}',
        '    0.027 ← tools/call add #2 20 ms  {"content": [{"type": "text", "text": "add…',
        '    0.028 → tools/call add #"2"  {"name": "add", "arguments": {"a": 3, "b": 4}}',
        '    0.068 ← tools/call add #"2" 40 ms  {"content": [{"type": "text", "text": "a…',
        '    0.069 → tools/call fail #3  {"name": "fail", "arguments": {}}',
        "    0.070 ← tools/call fail #3 1.0 ms  error -32602: Unknown tool: fail",
        "    0.071 ← malformed: not JSON: Expecting value (column 1)  this is no JSON",
        "    0.072 ! stderr  a warning",
        "    0.073 ✗ gap: 12 frames of stdout not recorded  the journal made no progress",
        "    0.074 → ping #4  {}",
        "    0.075 · exit  code 0",
        "    0.076 · end",
    ]


def test_nothing_captured_reaches_the_terminal_raw() -> None:
    talk = Talk(name=HOSTILE)
    talk.request(HOSTILE, HOSTILE, text=HOSTILE).error(HOSTILE, 1, HOSTILE).server(HOSTILE).stderr(HOSTILE)
    talk.request(1, "tools/call", name=HOSTILE).event(HOSTILE, **{HOSTILE: HOSTILE}).gap(1, HOSTILE, HOSTILE)
    talk.server(b"\xff" + HOSTILE.encode()).result(HOSTILE)
    shown = "".join(lines(talk)) + "".join(full_text(entry) for entry in entries(talk.frames)).replace("\n", "")
    assert shown.isprintable()


def test_a_line_is_never_wider_than_the_terminal() -> None:
    talk = Talk().request("i" * 500, "m" * 500, x="世" * 500).stderr("e" * 500).result("r" * 500)
    talk.request(1, "tools/call", name="t" * 500).server("n" * 500)
    for columns in (20, 60, 100, 300):
        assert max(width(line) for line in lines(talk, columns)) <= columns


def test_colours_are_only_there_when_asked_for() -> None:
    assert "\x1b[31m" in "".join(lines(sample(), colour=True))
    assert "\x1b" not in "".join(lines(sample()))


def test_a_line_without_a_newline_is_marked() -> None:
    assert "(no newline)" in lines(Talk().client('{"method":"a"}', flags=PARTIAL))[0]


def test_an_answer_to_nothing_says_so() -> None:
    assert lines(Talk().result(9))[0].startswith("    0.001 ← response #9 (answers nothing)")


def test_a_large_message_is_shown_by_its_beginning() -> None:
    [line] = lines(Talk().request(1, "big", text="x" * 1_000_000))
    assert line.startswith('    0.001 → big #1  "params": {"text": "xxx')
    assert len(line) == 100


@pytest.mark.parametrize("line", ["[" * 100_000, '{"id":1,"method":"a","params":' + "[" * 900 + "]" * 900 + "}"])
def test_hostile_nesting_is_shown(line: str) -> None:
    talk = Talk().server(line)
    assert len(lines(talk)) == 1
    assert all(len(part) < 200_000 for part in full_text(next(entries(talk.frames))).split("\n"))


def test_laid_out_json_keeps_numbers_and_doubled_keys_as_they_were_sent() -> None:
    assert lay_out('{"a":1.0,"a":18446744073709551616,"b":[],"c":{},"d":[1,{"e":"x,y: {"}]}') == (
        '{\n  "a": 1.0,\n  "a": 18446744073709551616,\n  "b": [],\n  "c": {},\n'
        '  "d": [\n    1,\n    {\n      "e": "x,y: {"\n    }\n  ]\n}'
    )


@given(
    st.recursive(
        st.text() | st.integers() | st.none() | st.booleans(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_laid_out_json_is_the_same_value(value: object) -> None:
    assert json.loads(lay_out(json.dumps(value))) == value
    assert json.loads(lay_out(json.dumps(value, indent=7))) == value


@given(st.text(alphabet='{}[],:"\\ \n1a'))
def test_laying_out_any_text_loses_nothing_but_blanks(text: str) -> None:
    def solid(text: str) -> str:
        return "".join(text.split())

    assert solid(lay_out(text)) == solid(text)


def test_objects_hold_what_is_known() -> None:
    talk = Talk().call("x", "add", after_ms=5)
    [_, answer] = [as_object(entry, talk.frames[0].mono) for entry in entries(talk.frames)]
    assert answer == {
        "seq": 2,
        "at": "2025-10-09T08:53:20.006000000Z",
        "offset_ms": 6.0,
        "conn": 0,
        "sender": "server",
        "kind": "response",
        "method": "tools/call",
        "tool": "add",
        "id": "x",
        "id_type": "string",
        "duration_ms": 5.0,
        "error": None,
        "redacted": False,
        "partial": False,
        "text": talk.frames[2].data.decode(),
    }


def test_objects_hold_bytes_that_are_no_text() -> None:
    talk = Talk().server(b"\xff")
    [found] = [as_object(entry, 0) for entry in entries(talk.frames)]
    assert found["base64"] == "/w=="
    assert "text" not in found


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0.0 ms"),
        (1_234_000, "1.2 ms"),
        (12_345_678, "12 ms"),
        (9_999_000_000, "9999 ms"),
        (61_000_000_000, "61.0 s"),
    ],
)
def test_durations_are_short(nanoseconds: int, text: str) -> None:
    assert say_duration(nanoseconds) == text
