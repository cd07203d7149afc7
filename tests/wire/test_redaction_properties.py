"""What holds for every input: valid JSON stays valid, only secrets change, twice is the same as once."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcptest.wire.redaction import Redactor
from mcptest.wire.redaction.literals import NAMES, VALUES

SALT = b"a salt of thirty-two bytes here."
PLACEHOLDER = re.compile(rb"redacted-[0-9a-f]{12}|4040404[0-9]{8}")

TRICKY = st.sampled_from(
    [
        *(
            "password",
            "token",
            "tokens",
            "progressToken",
            "API_KEY",
            "secrets",
            "Authorization",
            "Cookie",
            "code",
            "id",
        ),
        *("grant_type", "cursor", "requestState", "inputSchema", "properties", "name", "value", "--token", "bearer"),
        *(
            "hunter2",
            "hunter-Zwei9",
            "correct horse battery",
            "ghp_" + "a1B2" * 9,
            "eyJhbGciOi.eyJzdWIiOi.c2ln",
            "12345678",
        ),
        *(
            "password=x1y2z3",
            "API_KEY='a b'",
            'token="a\\"b"',
            "--token abc123",
            "Bearer abcdef123456",
            "Basic YTpiY2Q=",
        ),
        *(
            "https://u:p@h/?access_token=a&key=abcdefgh1",
            "-----BEGIN PRIVATE KEY-----",
            "\nMIIabc\n",
            "'password': 'x'",
        ),
        *(
            '{"password":"a"}',
            '\\"token\\":\\"b\\"',
            "\\",
            '"',
            "\\\\",
            "'",
            ":",
            ",",
            "=",
            "&",
            "redacted-0123456789ab",
        ),
        *(
            "xoxb-1234567890-abc",
            "a=b; c=d",
            "password: hunter2\n",
            "true",
            "null",
            "",
            "\u00e9",
            "\ud83d\ude00",
            "\x1b[0m",
        ),
    ]
)
TEXTS = st.lists(TRICKY | st.text(max_size=8), max_size=5).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(TRICKY | st.text(max_size=4), children, max_size=4)
    ),
    max_leaves=12,
)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """JSON as different writers write it, documents within documents."""
    value: Any = draw(JSON)
    for _ in range(draw(st.integers(0, 3))):
        value = {"text": json.dumps(value, ensure_ascii=draw(st.booleans())), "password": draw(TEXTS)}
    text = json.dumps(
        value,
        ensure_ascii=draw(st.booleans()),
        indent=draw(st.sampled_from([None, 2])),
        separators=draw(st.sampled_from([None, (",", ":")])),
    )
    if draw(st.booleans()):
        text = text.replace("/", "\\/")
    if draw(st.booleans()):
        letter = draw(st.sampled_from("passwordtk"))
        text = text.replace(letter, f"\\u{ord(letter):04x}") if _only_in_strings(text, letter) else text
    return text.encode("utf-8", "surrogatepass")


def _only_in_strings(text: str, letter: str) -> bool:
    """Would escaping this letter everywhere still be JSON?"""
    try:
        json.loads(text.replace(letter, f"\\u{ord(letter):04x}"))
    except ValueError:
        return False
    return True


BYTES = st.lists(
    st.binary(max_size=12)
    | TRICKY.map(lambda text: text.encode("utf-8", "replace"))
    | st.sampled_from([*NAMES, *VALUES]),
    max_size=12,
).map(b"".join)


def untouched_pieces_are_in_order(before: bytes, after: bytes) -> bool:
    """Everything between the placeholders of the output stands in the input, in the same order."""
    position = 0
    for piece in PLACEHOLDER.split(after):
        found = before.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    return True


@settings(max_examples=300, deadline=None)
@given(documents())
@example(b'{"mykey":true,"password":null,"secret":[true,1,"a"]}')
@example(b'{"password":"\\\\"}')
def test_valid_json_stays_valid_json(data: bytes) -> None:
    before = json.loads(data)
    shown = Redactor(SALT, keys=["mykey"], secrets=["12345678", "true", 'a":"b']).frame(data)
    after = json.loads(shown)
    assert type(before) is type(after)
    if isinstance(before, dict):
        assert len(before) >= len(after)


@settings(max_examples=200, deadline=None)
@given(documents() | BYTES)
def test_bytes_outside_of_secrets_do_not_change(data: bytes) -> None:
    assert untouched_pieces_are_in_order(data, Redactor(SALT).frame(data))


@settings(max_examples=300, deadline=None)
@given(documents() | BYTES)
def test_redacting_twice_changes_nothing(data: bytes) -> None:
    redactor = Redactor(SALT)
    once = redactor.frame(data)
    assert redactor.frame(once) == once
    assert Redactor(SALT).frame(once) == once


@settings(max_examples=300, deadline=None)
@given(st.lists(documents() | BYTES, max_size=5))
def test_what_is_not_suspected_is_not_changed(frames: list[bytes]) -> None:
    lines = [line for frame in frames for line in frame.split(b"\n")]
    chunk = b"\n".join(lines)
    redactor = Redactor(SALT, keys=["my_key"], secrets=["s3cret-from-environment"])
    if not redactor.suspects(chunk):
        assert redactor.frame(chunk) is chunk
        for line in lines:
            assert not redactor.suspects(line)
            assert redactor.frame(line) is line


@settings(max_examples=60, deadline=None)
@given(documents(), st.integers(0, 3))
def test_a_cut_document_shows_no_more_than_the_whole(document: bytes, depth: int) -> None:
    secret = 'Zw3i-canary-\u00e9\\"/'
    value: Any = {"a": 1, "password": secret, "b": json.loads(document)}
    for _ in range(depth):
        value = {"text": json.dumps(value)}
    data = json.dumps(value).encode()
    for cut in range(data.find(b"canary") - 8, data.find(b"canary") + 20):
        assert b"canary" not in Redactor(SALT).frame(data[:cut])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(BYTES, BYTES), max_size=4), BYTES, st.lists(TEXTS, max_size=4))
def test_no_input_makes_the_redactor_fail(pairs: list[tuple[bytes, bytes]], body: bytes, words: list[str]) -> None:
    redactor = Redactor(SALT)
    assert [name for name, _ in redactor.headers(pairs)] == [name for name, _ in pairs]
    redactor.form(body)
    text = body.decode("utf-8", "surrogateescape")
    assert redactor.url(redactor.url(text)) == redactor.url(text)
    assert len(redactor.argv([*words, text])) == len(words) + 1
