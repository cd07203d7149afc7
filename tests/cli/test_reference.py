from __future__ import annotations

import re
from pathlib import Path

from mcptest.capture import queries
from mcptest.capture.formats import jsonl
from mcptest.cli import reference
from mcptest.cli.application import command_names
from mcptest.wire.frame import CHANNELS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_pages_of_the_commands_are_fresh() -> None:
    stale = [path.name for path, text in reference.fresh_pages().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "refresh them with: python -m mcptest.cli.reference"


def test_every_command_has_a_page_and_every_page_a_command() -> None:
    assert sorted(path.stem for path in (DOCS / "commands").glob("*.md")) == command_names()


def test_a_page_says_more_than_its_options() -> None:
    for name in command_names():
        text = (DOCS / "commands" / f"{name}.md").read_text(encoding="utf-8")
        assert len(text.partition(reference.BEGIN)[0].split()) > 8


def test_every_question_is_on_its_page() -> None:
    page = (DOCS / "commands" / "query.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) == queries_in_order(page)
    assert set(queries.names()) == set(queries_in_order(page))


def queries_in_order(page: str) -> list[str]:
    return [name for name in re.findall(r"`([\w-]+)`", page) if name in queries.names()]


def test_every_key_channel_and_flag_of_the_export_is_documented() -> None:
    page = (DOCS / "export-format.md").read_text(encoding="utf-8")
    keys = ["seq", "at", "mono", "conn", "sender", "channel", "flags", "text", "base64", "meta", "meta-base64"]
    for word in [*keys, *CHANNELS.values(), *jsonl._FLAGS, *jsonl._FACTS, "mcptest-export", "frames"]:
        assert f"`{word}`" in page, word


def test_checking_changes_nothing_and_tells_what_is_stale(tmp_path: Path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(reference, "PAGES", tmp_path)
    assert reference.main(["--check"]) == 1
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out.count("stale: ") == len(command_names())
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
