from __future__ import annotations

import json
from typing import Any

import pytest

from mcptest import catalogue
from mcptest.analyzers.prose import MOST_TEXT, Prose, look_for, shown, sign
from mcptest.rules import Inconclusive, Remark


def entry(**raw: Any) -> catalogue.Tool:
    return catalogue.read(json.dumps([{"name": "t", **raw}]), "x").tools[0]


def said(tool: catalogue.Tool, *signs: Any) -> list[str]:
    return [remark.within for remark in look_for(tool, signs) if isinstance(remark, Remark)]


def test_every_text_is_there_with_its_place() -> None:
    texts = Prose({"name": "t", "inputSchema": {"properties": {"a b": {"enum": ["x", 5, {"y": "z"}]}, "c": {}}}}).texts
    assert [(text.within, text.text) for text in texts] == [
        ("/name", "t"),
        ("/inputSchema/properties/a b", "a b"),
        ("/inputSchema/properties/a b/enum/0", "x"),
        ("/inputSchema/properties/a b/enum/2/y", "z"),
    ]


def test_icons_are_not_prose() -> None:
    assert [text.text for text in Prose({"icons": [{"src": "data:"}], "title": "T"}).texts] == ["T"]


EVIL = sign("is evil", "evil", r"\bdo\s+evil\b", unless="never")


def test_a_sign_is_told_once_for_each_text() -> None:
    assert said(entry(description="do evil, do  evil", title="DO\nEVIL"), EVIL) == ["/description", "/title"]


def test_what_forgives_a_sign_stands_in_the_same_sentence() -> None:
    assert said(entry(description="Never do evil."), EVIL) == []
    assert said(entry(description="Never mind. Do evil."), EVIL) == ["/description"]


def test_a_pattern_does_not_reach_from_one_text_into_the_next() -> None:
    assert said(entry(description="do", title="evil"), EVIL) == []


def test_disguised_letters_are_seen_through() -> None:
    assert said(entry(description="d\u200bo \uff45\uff56\uff49\uff4c"), EVIL) == ["/description"]


def test_only_so_much_is_searched_and_the_rest_is_inconclusive() -> None:
    with pytest.raises(Inconclusive, match="characters of text"):
        said(entry(description="x" * (MOST_TEXT + 1), title="do evil"), EVIL)


def test_shown_text_is_short_and_visible() -> None:
    assert shown("a\n b\u202e\x1b" + "c" * 100, 10) == "'a b\\u202e\\x1bcccc…'"
