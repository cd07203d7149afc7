"""Placeholders of secrets in a recording."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcptest.replay.redacted import fill_in, is_placeholder, may_equal, placeholders
from mcptest.wire.redaction import Redactor


def test_what_the_redaction_writes_is_known_as_a_placeholder():
    clean = Redactor(b"s" * 32).frame(b'{"password": "correct horse", "pin_code": 1, "api_key": 12345678901}')
    import json

    values = json.loads(clean)
    assert is_placeholder(values["password"])
    assert not is_placeholder(values["pin_code"])
    assert is_placeholder(values["api_key"])
    assert placeholders(values) == {values["password"], str(values["api_key"])}


@given(st.text(max_size=10), st.text(max_size=10), st.text(max_size=10))
def test_a_text_with_a_placeholder_may_be_any_text_with_something_in_its_place(before, secret, after):
    recorded = f"{before}redacted-0123456789ab{after}"
    assert may_equal(recorded, before + secret + after)
    assert may_equal(before + secret + after, recorded)


def test_secrets_are_filled_in_wherever_their_placeholder_stands():
    secrets = {"redacted-0123456789ab": "s3cret", "404040412345678": "17"}
    value = {"a": ["Bearer redacted-0123456789ab", 404040412345678], "b": "redacted-ffffffffffff"}
    assert fill_in(value, secrets) == {"a": ["Bearer s3cret", 17], "b": "redacted-ffffffffffff"}
