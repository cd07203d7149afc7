from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.wire import Id, parse
from mcptest.wire.message import MALFORMED, NOTIFICATION, REQUEST, RESPONSE


def one(data: bytes):
    (message,) = parse(data)
    return message


@pytest.mark.parametrize(
    ("data", "kind", "identity", "method"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', REQUEST, Id("number", "1"), "ping"),
        (b'{"jsonrpc":"2.0","method":"notifications/x"}', NOTIFICATION, None, "notifications/x"),
        (b'{"jsonrpc":"2.0","id":"a","result":{}}', RESPONSE, Id("string", "a"), None),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}', RESPONSE, Id("null", "null"), None),
        (b'{"error":{}}', RESPONSE, None, None),
        (b' {"id":1,"method":"ping"}\r', REQUEST, Id("number", "1"), "ping"),
        (b'{"id":1,"id":2,"method":"ping"}', REQUEST, Id("number", "2"), "ping"),
    ],
)
def test_a_message_is_what_its_members_say(data, kind, identity, method):
    message = one(data)
    assert (message.kind, message.id, message.method, message.reason) == (kind, identity, method, None)
    assert message.body == json.loads(data)


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("1", Id("number", "1")),
        ('"1"', Id("string", "1")),
        ("1.0", Id("number", "1.0")),
        ("1E2", Id("number", "1E2")),
        ("-0", Id("number", "0")),
        ("9007199254740993", Id("number", "9007199254740993")),
        ("18446744073709551616", Id("number", "18446744073709551616")),
        ("1" * 5000, Id("number", "1" * 5000)),
        ("null", Id("null", "null")),
        ("true", Id("boolean", "true")),
        ("false", Id("boolean", "false")),
        ('{"b":1,"a":[]}', Id("object", '{"a": [], "b": 1}')),
        ("[1]", Id("array", "[1]")),
        ('"\\ud800"', Id("string", "\ud800")),
    ],
)
@pytest.mark.parametrize("wrap", ["%s", "[%s]"])
def test_an_id_is_its_json_type_and_its_own_digits(text, identity, wrap):
    assert one((wrap % f'{{"id":{text},"method":"m"}}').encode()).id == identity


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty line"),
        (b" \t\r", "empty line"),
        (b"hello", "not JSON: Expecting value (column 1)"),
        (b'{"id":1', "not JSON: "),
        (b'{"id":1}{"id":2}', "not JSON: Extra data (column 9)"),
        (b'{"id":NaN,"method":"m"}', "not JSON: NaN is not JSON"),
        (b'{"id":-Infinity,"method":"m"}', "not JSON: -Infinity is not JSON"),
        (b'{"method":"\xff"}', "not UTF-8 (byte 11)"),
        (b'\xef\xbb\xbf{"id":1,"method":"m"}', "starts with a byte order mark"),
        (b'{"id":1,"method":"m"}\x00', "not JSON: Extra data"),
        (b'{"a":"\n"}', "not JSON: Invalid control character"),
        (b"1", "a JSON number is no JSON-RPC message"),
        (b"null", "a JSON null is no JSON-RPC message"),
        (b'"text"', "a JSON string is no JSON-RPC message"),
        (b"[]", "empty batch"),
        (b"{}", "neither method, result nor error"),
        (b'{"id":1}', "neither method, result nor error"),
        (b'{"id":1,"method":2}', "method is number, not string"),
        (b'{"id":1,"method":null,"result":{}}', "method is null, not string"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        (b'[{"method":"m","params":' + b"[" * 1100 + b"]" * 1100 + b"}]", "nested too deeply"),
        (b'{"method":"m","params":' + b"[" * 1100 + b"]" * 1100 + b"}", "nested too deeply"),
    ],
)
def test_what_is_no_message_is_malformed_and_says_why(data, reason):
    message = one(data)
    assert message.kind == MALFORMED
    assert message.reason.startswith(reason)


def test_half_a_surrogate_pair_is_legal_json():
    message = one(b'{"method":"m","params":{"a":"\\ud800","b":"\\ud83d\\ude00"}}')
    assert (message.kind, message.body["params"]) == (NOTIFICATION, {"a": "\ud800", "b": "😀"})


def test_a_number_of_a_million_digits_is_read():
    message = one(b'{"id":1,"result":{"n":' + b"7" * 1_000_000 + b"}}")
    assert (message.kind, message.id) == (RESPONSE, Id("number", "1"))


def test_deep_ids_do_not_crash():
    for depth in range(900, 1030, 10):
        message = one(b'{"method":"m","id":' + b"[" * depth + b"]" * depth + b"}")
        assert message.kind in (REQUEST, MALFORMED)


def test_each_member_of_a_batch_keeps_its_own_text():
    members = [b'{"id": 1,  "method":"a"}', b'{"method":"b"}', b"7", b'{"id":"\\u00e9","result":{}}', b"[1]"]
    data = b" [ " + b" ,\t".join(members) + b" ]"
    messages = parse(data)
    assert [message.raw for message in messages] == members
    assert [message.batch for message in messages] == [0, 1, 2, 3, 4]
    assert [message.kind for message in messages] == [REQUEST, NOTIFICATION, MALFORMED, RESPONSE, MALFORMED]


def test_members_of_a_batch_may_be_as_deep_as_any_message():
    deep = b'{"method":"m","params":{"]\\"[":' + b'["}",' * 1000 + b"1" + b"]" * 1000 + b"}}"
    for members in ([deep], [deep, b'{"method":"n"}', deep]):
        messages = parse(b"[" + b" , ".join(members) + b"]")
        assert [message.raw for message in messages] == members
        assert {message.kind for message in messages} == {NOTIFICATION}


def test_a_batch_of_a_hundred_thousand_is_taken_apart():
    messages = parse(b"[" + b",".join(b'{"id":%d,"method":"m"}' % n for n in range(100_000)) + b"]")
    assert len(messages) == 100_000
    assert messages[99_999].id == Id("number", "99999")


def test_an_endless_batch_is_not_taken_apart_to_the_end(monkeypatch):
    monkeypatch.setattr("mcptest.wire.message.LARGEST_BATCH", 50)
    messages = parse(b"[" + b"1," * 55 + b"1]")
    assert len(messages) == 51
    assert messages[-1].raw == b"1," * 5 + b"1]"
    assert "the rest is not taken apart" in messages[-1].reason


@given(st.binary(max_size=80))
def test_no_bytes_at_all_raise(data):
    for message in parse(data):
        assert message.kind in (REQUEST, NOTIFICATION, RESPONSE, MALFORMED)
        assert (message.reason is None) == (message.kind != MALFORMED)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), json_values))
def test_any_object_is_of_one_kind(body):
    message = one(json.dumps(body).encode())
    assert message.kind in (REQUEST, NOTIFICATION, RESPONSE, MALFORMED)
    assert (message.id is not None) == (message.kind in (REQUEST, RESPONSE) and "id" in body)
