from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.capture.formats import jsonl
from mcptest.errors import CaptureError
from mcptest.wire import Frame
from mcptest.wire.frame import CHANNELS, HEADER, STDIN
from tests.helpers.journals import Talk, sample


def export(frames: list[Frame]) -> bytes:
    file = io.BytesIO()
    assert jsonl.write(iter(frames), file) == len(frames)
    return file.getvalue()


def read(data: bytes) -> list[Frame]:
    return list(jsonl.read(io.BytesIO(data), "file"))


def lines_of(frames: list[Frame]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(frames).splitlines()]


def joined(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_the_first_line_holds_the_version_and_the_session() -> None:
    first, *_, last = lines_of(sample(name="weather").frames)
    assert first["mcptest-export"] == 1
    assert next(iter(first)) == "mcptest-export"
    assert (first["session"], first["name"], first["transport"]) == ("0123456789ab", "weather", "stdio")
    assert last == {"end": True, "frames": len(sample().frames)}


def test_the_first_line_holds_no_fact_that_was_not_chosen_for_it() -> None:
    header = sample().frames[0]
    body = {**json.loads(header.data), "salt": "c2VjcmV0"}
    first = lines_of([header._replace(data=json.dumps(body).encode())])[0]
    assert "salt" not in first


def test_a_frame_says_who_where_and_what() -> None:
    line = lines_of(Talk().client('{"ä":1}', flags=1 | 2).frames)[2]
    assert line == {
        "seq": 1,
        "at": 1_760_000_000_001_000_000,
        "mono": 5_001_000_000,
        "conn": 0,
        "sender": "client",
        "channel": "stdin",
        "flags": ["redacted", "partial"],
        "text": '{"ä":1}',
    }


def test_bytes_that_are_no_utf8_are_base64() -> None:
    line = lines_of(Talk().server(b"\xff\x00").frames)[2]
    assert "text" not in line
    assert line["base64"] == "/wA="


def test_what_was_exported_comes_back_the_same() -> None:
    frames = sample().frames
    assert read(export(frames)) == frames
    assert export(read(export(frames))) == export(frames)


_FRAMES = st.lists(
    st.builds(
        Frame,
        seq=st.just(0),
        at=st.integers(0, 2**64 - 1),
        mono=st.integers(0, 2**64 - 1),
        conn=st.integers(0, 2**32 - 1),
        channel=st.integers(1, 255),
        flags=st.integers(0, 255),
        data=st.binary() | st.text().map(str.encode),
        meta=st.binary(max_size=20) | st.just(b'{"a": 1}'),
    ),
    max_size=20,
)


@given(_FRAMES, st.lists(st.integers(1, 2**40), min_size=20, max_size=20))
def test_any_frames_come_back_the_same(frames: list[Frame], steps: list[int]) -> None:
    seq = 0
    numbered = [sample().frames[0]]
    for frame, step in zip(frames, steps, strict=False):
        seq += step
        numbered.append(frame._replace(seq=seq))
    written = export(numbered)
    assert read(written) == numbered
    assert export(read(written)) == written


def test_a_line_of_64_mebibytes_comes_back_the_same() -> None:
    frames = Talk().client(b"x" * (64 << 20)).frames
    assert read(export(frames)) == frames


def test_a_session_without_the_headers_own_frame_can_be_written_by_hand() -> None:
    first, _, *rest = lines_of(sample().frames)
    rest[-1]["frames"] -= 1
    header, *frames = read(joined([first, *rest]))
    assert header.channel == HEADER
    assert json.loads(header.data)["session"] == "0123456789ab"
    assert frames == sample().frames[1:]


def test_keys_of_a_later_version_are_passed_over() -> None:
    lines = lines_of(sample().frames)
    for line in lines:
        line["colour"] = "blue"
    assert read(joined(lines)) == sample().frames


def test_empty_lines_and_windows_line_ends_do_no_harm() -> None:
    data = export(sample().frames).replace(b"\n", b"\r\n\r\n")
    assert read(data) == sample().frames


# ---- what is refused, and how it is said


def refusal(data: bytes) -> str:
    with pytest.raises(CaptureError) as caught:
        read(data)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isascii()
    assert len(message) < 300
    return message


def test_a_newer_version_asks_for_an_upgrade() -> None:
    first, *rest = lines_of(sample().frames)
    message = refusal(joined([{**first, "mcptest-export": 2}, *rest]))
    assert message == "file:1: export format 2, this mcptest reads up to 1: upgrade mcptest"


@pytest.mark.parametrize("version", [None, "1", 1.0, True, 0, -1, [1]])
def test_a_version_that_is_no_number_is_refused(version: object) -> None:
    first, *rest = lines_of(sample().frames)
    assert "version number" in refusal(joined([{**first, "mcptest-export": version}, *rest]))


def test_a_file_cut_anywhere_is_noticed() -> None:
    data = export(sample().frames)
    for length in range(1, len(data) - 1):
        last_line = data.count(b"\n", 0, length) + 1
        message = refusal(data[:length])
        assert "cut short" in message or message.startswith(f"file:{last_line}: ")


def test_a_damaged_line_is_named_by_its_number() -> None:
    lines = export(sample().frames).split(b"\n")
    lines[4] = lines[4].replace(b'"seq"', b'"seq')
    assert refusal(b"\n".join(lines)).startswith("file:5: not JSON")


def test_a_missing_line_is_noticed() -> None:
    lines = export(sample().frames).splitlines(keepends=True)
    del lines[5]
    assert "frames were read, but the file says" in refusal(b"".join(lines))


def test_lines_behind_the_end_are_refused() -> None:
    data = export(sample().frames)
    assert "goes on behind its end" in refusal(data + b'{"seq":1}\n')


def test_two_files_in_one_are_refused() -> None:
    data = export(sample().frames)
    assert "goes on behind its end" in refusal(data + data)


_LINE = {"seq": 1, "at": 1, "mono": 1, "conn": 0, "channel": "stdin", "flags": [], "text": "x"}


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"seq": "1"}, "seq must be a whole number"),
        ({"seq": 1.5}, "seq must be a whole number"),
        ({"seq": True}, "seq must be a whole number"),
        ({"seq": -1}, "seq must be a whole number"),
        ({"seq": 2**64}, "seq must be a whole number"),
        ({"seq": None}, "seq must be a whole number"),
        ({"seq": 0}, "does not follow"),
        ({"at": {}}, "at must be a whole number"),
        ({"mono": []}, "mono must be a whole number"),
        ({"conn": 2**32}, "conn must be a whole number"),
        ({"channel": "\x1b[2Jstdin"}, "channel '\\x1b[2Jstdin' is unknown"),
        ({"channel": None}, "channel None is unknown"),
        ({"channel": True}, "channel True is unknown"),
        ({"channel": 256}, "channel 256 is unknown"),
        ({"channel": ["stdin"]}, "channel an array is unknown"),
        ({"channel": "header"}, "second header"),
        ({"sender": "server"}, "sender 'server' cannot be on channel 'stdin'"),
        ({"flags": ["shiny"]}, "flag 'shiny' is unknown"),
        ({"flags": "partial,redacted"}, "is unknown"),
        ({"flags": [["redacted"]]}, "flag an array is unknown"),
        ({"flags": ["0x100"]}, "is unknown"),
        ({"text": 1}, "text must be a string"),
        ({"text": None}, "text must be a string"),
        ({"base64": "eA=="}, "both text and base64"),
        ({"meta": "x" * 65536}, "meta holds 65536 bytes"),
        ({"meta": "x", "meta-base64": "eA=="}, "both meta and meta-base64"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(change: dict[str, Any], hint: str) -> None:
    first, header, *_ = lines_of(sample().frames)
    message = refusal(joined([first, header, {**_LINE, **change}, {"end": True, "frames": 2}]))
    assert message.startswith("file:3: ")
    assert hint in message


@pytest.mark.parametrize("value", ["x", "eA", "eA==\n", "\u00e9", "e A = ="])
def test_broken_base64_is_refused(value: str) -> None:
    first, header, *_ = lines_of(sample().frames)
    line = {key: val for key, val in _LINE.items() if key != "text"}
    message = refusal(joined([first, header, {**line, "base64": value}]))
    assert "base64" in message


def test_a_frame_without_content_is_refused() -> None:
    first, header, *_ = lines_of(sample().frames)
    line = {key: val for key, val in _LINE.items() if key != "text"}
    assert "neither text nor base64" in refusal(joined([first, header, line]))


@pytest.mark.parametrize("line", [b"[]", b"1", b'"x"', b"null", b"[" * 100_000, b"{" * 100_000, b"\xff\xfe", b"NaN"])
def test_a_line_that_is_no_object_is_refused(line: bytes) -> None:
    first, header, *_ = export(sample().frames).splitlines(keepends=True)
    assert refusal(first + header + line + b"\n").startswith("file:3: not ")


@pytest.mark.parametrize(
    "session", ["../../etc/passwd", "a/b", "", ".hidden", "x" * 65, "a\n", "a b", "\x00", 7, None, ["a"]]
)
def test_a_session_id_that_could_be_a_path_is_refused(session: object) -> None:
    first, header, *rest = lines_of(sample().frames)
    body = {**json.loads(header["text"]), "session": session}
    assert "session must be" in refusal(
        joined([{**first, "session": session}, {**header, "text": json.dumps(body)}, *rest])
    )


@pytest.mark.parametrize(
    "change",
    [{"name": 7}, {"transport": None}, {"target": "ls"}, {"started_at": "now"}, {"started_at": -1}, {"target": []}],
)
def test_a_wrong_fact_about_the_session_is_refused(change: dict[str, Any]) -> None:
    first, header, *rest = lines_of(sample().frames)
    body = {**json.loads(header["text"]), **change}
    message = refusal(joined([{**first, **change}, {**header, "text": json.dumps(body)}, *rest]))
    assert f"{next(iter(change))} must be" in message


def test_a_first_line_that_tells_of_another_session_than_the_frames_is_refused() -> None:
    first, *rest = lines_of(sample().frames)
    assert "differ in name" in refusal(joined([{**first, "name": "harmless"}, *rest]))


@pytest.mark.parametrize("text", ["[]", "{", "[" * 100_000, '{"a":' * 500 + "1" + "}" * 500, "1" * 10_000])
def test_a_header_that_is_no_sound_json_is_refused(text: str) -> None:
    first, header, *rest = lines_of(sample().frames)
    assert "header" in refusal(joined([first, {**header, "text": text}, *rest])) or "session" in refusal(
        joined([first, {**header, "text": text}, *rest])
    )


def test_a_target_that_could_not_be_exported_again_is_refused() -> None:
    first, header, *rest = export(sample().frames).splitlines(keepends=True)
    deep = b'{"a":' * 400 + b"1" + b"}" * 400
    facts = json.loads(first)
    body = json.loads(json.loads(header)["text"])
    text = json.dumps({**body, "target": "@"}).replace('"@"', deep.decode())
    first = json.dumps({**facts, "target": "@"}).encode().replace(b'"@"', deep) + b"\n"
    header = json.dumps({**json.loads(header), "text": text}).encode() + b"\n"
    assert "cannot be kept" in refusal(first + header + b"".join(rest))


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_byte_changed_anywhere_never_crashes_the_reader(position: int, value: int) -> None:
    data = bytearray(export(sample().frames))
    data[position % len(data)] = value
    try:
        frames = read(bytes(data))
    except CaptureError as error:
        assert "\n" not in str(error)
    else:
        assert len(frames) == len(sample().frames)


def test_every_channel_is_exported_by_its_name() -> None:
    talk = Talk()
    for channel in CHANNELS:
        if channel != HEADER:
            talk.add(channel, "x")
    assert {line["channel"] for line in lines_of(talk.frames)[1:-1]} == set(CHANNELS.values())
    assert read(export(talk.frames)) == talk.frames


def test_a_frame_of_one_message_costs_little_more_than_its_text() -> None:
    frames = Talk().add(STDIN, "x" * 1000).frames
    assert len(export(frames).splitlines()[2]) < 1000 + 200
