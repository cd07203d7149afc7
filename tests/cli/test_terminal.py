from __future__ import annotations

import io
import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.cli import terminal

HOSTILE = "\x1b]52;c;ZXZpbA==\x07 \x9b31m \r overwrite \u202egnp.exe \u200b \ud800 \x7f \u2028 \U000e0041"


def test_nothing_that_a_terminal_obeys_or_hides_is_left() -> None:
    escaped = terminal.escape(HOSTILE)
    assert escaped.isascii()
    assert escaped.isprintable()
    assert "\\x1b]52;c;ZXZpbA==\\x07" in escaped
    assert "\\x9b31m" in escaped
    assert "\\r overwrite \\u202egnp.exe \\u200b \\ud800 \\x7f \\u2028 \\U000e0041" in escaped


def test_every_control_format_and_separator_character_of_unicode_is_escaped() -> None:
    dangerous = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    missed = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in dangerous and terminal.escape(chr(code)) == chr(code)
    ]
    assert missed == []


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    text = "Grüße, 世界, привет, مرحبا, 🎉 — “quoted” \\ / <b>"
    assert terminal.escape(text) == text


@given(st.text(alphabet=st.characters()))
def test_escaped_text_is_one_line_and_escaping_again_changes_nothing(text: str) -> None:
    escaped = terminal.escape(text)
    assert len(escaped.splitlines()) <= 1
    assert terminal.escape(escaped) == escaped


@given(st.text(alphabet=st.characters()), st.integers(1, 40))
def test_fitted_text_is_never_wider_than_asked(text: str, columns: int) -> None:
    fitted = terminal.fit(terminal.escape(text), columns)
    assert terminal.width(fitted) <= columns


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("世界", 4), ("e\u0301", 1), ("", 0), ("한국어", 6), ("abc\u0308", 3)]
)
def test_width_counts_columns_not_characters(text: str, columns: int) -> None:
    assert terminal.width(text) == columns


def test_text_that_is_too_wide_ends_with_an_ellipsis() -> None:
    assert terminal.fit("abcdef", 4) == "abc…"
    assert terminal.fit("世界世界", 5) == "世界…"
    assert terminal.fit("世界世界", 4) == "世…"
    assert terminal.fit("abcd", 4) == "abcd"


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_json_in_ascii_is_the_same_json(value: object) -> None:
    document = json.dumps(value, ensure_ascii=False)
    escaped = terminal.escape_json(document)
    assert escaped.isascii()
    assert json.loads(escaped) == value


def test_json_for_a_terminal_has_no_raw_control_characters() -> None:
    assert terminal.escape_json('{"a":"\x7f\x9b\u202e🎉"}') == '{"a":"\\u007f\\u009b\\u202e\\ud83c\\udf89"}'


def test_bytes_that_are_no_utf8_are_shown_by_their_value() -> None:
    assert terminal.decode(b"ok \xff\xfe") == "ok \\xff\\xfe"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal.wants_colour(_Terminal())
    assert not terminal.wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.wants_colour(_Terminal())
