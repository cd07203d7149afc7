"""The lint rules against their fixtures, and the pages made of both."""

from __future__ import annotations

import pytest

from mcptest import rulepages
from mcptest.analyzers import load_rules
from mcptest.cli import rulepages as runner
from mcptest.errors import UsageError
from mcptest.rules import Rule

RULES = load_rules()


def fixture(rule: Rule) -> list[rulepages.Case]:
    path = runner.FIXTURES / f"{rule.id}.md"
    return rulepages.cases(path.read_text(encoding="utf-8"), path.name)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_its_fixture_expects(rule: Rule) -> None:
    for case in fixture(rule):
        assert rulepages.said(rule, case) == case.expected, case.title
        assert case.fires == bool(case.expected), case.title


def test_no_fixture_is_without_its_rule() -> None:
    assert {path.stem for path in runner.FIXTURES.glob("*.md")} == {rule.id for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_can_be_read(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert rule.help
    assert rule.family in runner.FAMILIES


def test_the_pages_are_fresh() -> None:
    """If this fails: python -m mcptest.cli.rulepages, then look at the difference."""
    pages = runner.fresh_pages()
    stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    assert stale == []
    assert set(runner.PAGES.glob("*.md")) == set(pages)


def test_the_pages_of_the_compliance_rules_are_fresh() -> None:
    """If this fails: python -m mcptest.cli.rulepages, then look at the difference."""
    pages = runner.fresh_compliance_pages()
    stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    assert stale == []
    assert {*runner.COMPLIANCE.glob("*.md"), runner.COVERAGE} == set(pages)


def test_a_fixture_is_refreshed_with_what_the_rule_says() -> None:
    rule = next(rule for rule in RULES if rule.id == "DESC-002")
    fires = '## Fires: x\n\n```json\n{"name": "a", "inputSchema": {}}\n```\n\n```findings\nold\n```\n\n'
    text = fires + "## Silent: y\n\n```json\n[]\n```\n"
    assert "```findings\nwarning tool a: the tool has no description\n```" in rulepages.refresh(text, rule, "x.md")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("## Fires: x\n\nnothing\n", "the case 'x' has no catalogue"),
        ("## Silent: x\n\n```json\n[]\n```\n", "needs a case in which the rule fires"),
    ],
)
def test_a_fixture_with_half_a_story_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        rulepages.cases(text, "x.md")
