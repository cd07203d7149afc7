from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcptest import catalogue
from mcptest.catalogue import Catalogue
from mcptest.findings import Severity, Status
from mcptest.rules import (
    MOST_COUNTED,
    MOST_REMARKS,
    Inconclusive,
    Remark,
    Rule,
    Selector,
    entries,
    judge,
    relisted,
    resources,
    tools,
    tools_in_context,
)


def listing(*names: str, earlier: Catalogue | None = None, **more: Any) -> Catalogue:
    document = {"tools": [{"name": name, "inputSchema": {"type": "object"}, **more} for name in names]}
    read = catalogue.read(json.dumps(document, indent=1), "tools.json")
    return catalogue.merge([read], read.source, earlier)


def rule(check: Any, on: Selector = tools, name: str = "X-001") -> Rule:
    return Rule(name, Severity.WARNING, on, check, "summary", "help", {}, "here")


def test_a_rule_that_yields_text_fails_with_evidence() -> None:
    def check(tool: Any) -> Iterator[str]:
        if tool.name == "b":
            yield "is odd"

    (verdict,) = judge([rule(check)], listing("a", "b", "c"))
    assert (verdict.status, verdict.counts) == (Status.FAILED, "1 of 3 tools")
    (finding,) = verdict.findings
    assert (finding.rule, finding.kind, finding.subject, finding.message) == ("X-001", "tool", "b", "is odd")
    assert (finding.evidence.source, finding.evidence.pointer) == ("tools.json", "/tools/1")
    assert finding.evidence.line == 9


def test_a_remark_points_inside_and_may_weigh_more() -> None:
    remark = Remark("odd type", "/inputSchema/type", {"k": 1}, Severity.CRITICAL)
    (verdict,) = judge([rule(lambda tool: [remark])], listing("a"))
    (finding,) = verdict.findings
    assert (finding.within, finding.evidence.pointer) == ("/inputSchema/type", "/tools/0/inputSchema/type")
    assert (finding.severity, finding.data) == (Severity.CRITICAL, {"k": 1})


def test_silence_is_passed_and_nothing_to_judge_is_untested() -> None:
    silent, idle = judge([rule(lambda tool: None), rule(lambda entry: None, resources, "X-002")], listing("a"))
    assert (silent.status, silent.counts) == (Status.PASSED, "0 of 1 tools")
    assert (idle.status, idle.reason) == (Status.UNTESTED, "no resources to judge")


def test_a_rule_that_raises_is_a_verdict_and_the_others_still_run() -> None:
    def crash(tool: Any) -> Iterator[str]:
        yield "before"
        raise KeyError("lost")

    crashed, fine = judge([rule(crash), rule(lambda tool: ["odd"], name="X-002")], listing("a", "b"))
    assert crashed.status is Status.CRASHED
    assert crashed.reason is not None
    assert crashed.reason.startswith("KeyError: 'lost' (")
    assert "test_rules.py:" in crashed.reason
    assert crashed.reason.endswith("on tool 'a'")
    assert [finding.message for finding in crashed.findings] == ["before"]
    assert fine.counts == "2 of 2 tools"


def test_a_rule_that_cannot_tell_is_inconclusive_but_what_it_found_counts() -> None:
    def unsure(tool: Any) -> Iterator[str]:
        if tool.name == "b":
            yield "odd"
        raise Inconclusive("too large")

    assert judge([rule(unsure)], listing("a"))[0].status is Status.INCONCLUSIVE
    both = judge([rule(unsure)], listing("a", "b"))[0]
    assert (both.status, both.reason) == (Status.FAILED, "tool 'a': too large")


def test_a_flood_of_remarks_is_cut_and_counted() -> None:
    def last(count: int) -> str:
        (verdict,) = judge([rule(lambda tool: (f"n{number}" for number in range(count)))], listing("a"))
        assert len(verdict.findings) <= MOST_REMARKS + 1
        return verdict.findings[-1].message

    assert last(MOST_REMARKS) == f"n{MOST_REMARKS - 1}"
    assert last(MOST_REMARKS + 7) == "7 further remarks of this rule"
    assert last(10 * MOST_COUNTED) == f"{MOST_COUNTED - MOST_REMARKS} or more further remarks of this rule"


def test_each_selector_is_walked_once_for_all_its_rules() -> None:
    walks: list[str] = []

    def select(found: Catalogue) -> Iterator[Any]:
        walks.append("walk")
        yield from found.tools

    on = Selector("tools", select)
    judge([rule(lambda tool: None, on, f"X-{number}") for number in range(5)], listing("a"))
    assert walks == ["walk"]


def test_of_several_listings_every_distinct_definition_is_judged_once() -> None:
    first = listing("a", "b", description="old")
    second = listing("a", earlier=first, description="new")
    third = listing("a", "b", earlier=second, description="old")
    seen: list[tuple[str, str | None]] = []
    judge([rule(lambda tool: seen.append((tool.name, tool.description)))], third)
    assert seen == [("a", "old"), ("b", "old"), ("a", "new")]


def test_relisted_tools_come_with_their_history() -> None:
    chain = listing("a", earlier=listing("a", "b", earlier=listing("b", description="x")), description="new")
    found = {subject.name: [tool.description for tool in subject.definitions] for subject in relisted.select(chain)}
    assert found == {"b": ["x", None], "a": [None, "new"]}
    assert list(relisted.select(listing("a"))) == []


def test_neighbours_can_be_seen() -> None:
    (subject,) = tools_in_context.select(listing("a"))
    assert (subject.name, subject.kind, subject.pointer) == ("a", "tool", "/tools/0")
    assert subject.catalogue.tools[0] is subject.entry


def test_entries_are_everything_on_offer() -> None:
    document = {"tools": [{"name": "t"}], "prompts": [{"name": "p"}], "resources": [{"uri": "u:x", "name": "r"}]}
    found = catalogue.read(json.dumps(document), "x")
    assert [entry.kind for entry in entries.select(found)] == ["tool", "resource", "prompt"]
