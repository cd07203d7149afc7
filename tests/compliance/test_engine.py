"""How rules are run, whatever they say."""

from __future__ import annotations

import gc
from types import ModuleType

import pytest

from mcptest.compliance import Book, comply, report
from mcptest.compliance.kit import Inconclusive, exchanges, info, messages, requests, sessions, tools, warning
from mcptest.compliance.rule import from_module
from mcptest.errors import UsageError
from mcptest.findings import Severity, Status
from tests.compliance.transcripts import Talk

BOOK = Book.load()


def talk(revision, *lines, **settings):
    made = Talk(revision, settings)
    for line in lines:
        made.add(line, "test")
    made.finish()
    return made.frames


def module(**names):
    made = ModuleType("a_rule")
    made.__doc__ = "A rule.\n\nAnd what it is about."
    for name, value in names.items():
        setattr(made, name, value)
    return made


def judged(frames, spec=None, identity="JSONRPC-001", **names):
    """The verdict of a rule of our own, which stands in the place of a real one."""
    rule = from_module(module(ID=identity, **names))
    book = BOOK._replace(rules={**BOOK.rules, identity: rule})
    (verdict,) = comply(frames, book, spec=spec, select=[identity]).verdicts
    return verdict


PLAIN = talk("2025-11-25", "> ping", "< result")


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
def test_a_plain_session_breaks_no_rule(revision):
    outcome = comply(talk(revision, "> tools/list", '< result {"tools": []}'), BOOK)
    assert [verdict for verdict in outcome.verdicts if verdict.status in (Status.FAILED, Status.CRASHED)] == []
    assert set(outcome.revisions) == {revision}


def test_remarks_are_as_grave_as_the_revision_says_and_never_graver():
    def check(message):
        yield "as the corpus says"
        yield warning("less")
        yield info("a note")

    verdict = judged(PLAIN, ON=requests("ping"), check=check)
    assert [finding.severity for finding in verdict.findings] == [Severity.ERROR, Severity.WARNING, Severity.INFO]
    verdict = judged(talk("2024-11-05", "> ping"), identity="JSONRPC-018", ON=requests("ping"), check=check)
    assert {finding.severity for finding in verdict.findings} == {Severity.INFO}
    assert verdict.status is Status.PASSED


def test_a_rule_that_raises_has_crashed_and_the_others_go_on():
    def check(message):
        raise ZeroDivisionError("oh")

    rule = from_module(module(ID="JSONRPC-001", ON=messages, check=check))
    outcome = comply(PLAIN, BOOK._replace(rules={**BOOK.rules, "JSONRPC-001": rule}), select=["JSONRPC"])
    verdicts = {verdict.rule: verdict for verdict in outcome.verdicts}
    assert verdicts["JSONRPC-001"].status is Status.CRASHED
    assert "ZeroDivisionError: oh" in verdicts["JSONRPC-001"].reason
    assert "JSONRPC-001" in verdicts["JSONRPC-001"].reason
    assert verdicts["JSONRPC-002"].status is Status.PASSED
    assert report([outcome]).exit_code == 4


def test_a_rule_that_cannot_tell_is_inconclusive_unless_something_failed():
    def check(message):
        if message.kind == "request":
            raise Inconclusive("who knows")
        yield from ()

    verdict = judged(PLAIN, ON=messages, check=check)
    assert verdict.status is Status.INCONCLUSIVE
    assert "who knows" in verdict.reason


def test_what_a_rule_does_not_apply_to_is_not_counted():
    verdict = judged(PLAIN, ON=requests(), applies=lambda message: message.method == "ping", check=lambda message: ())
    assert (verdict.status, verdict.checked) == (Status.PASSED, 1)
    verdict = judged(PLAIN, ON=requests(), applies=lambda message: False, check=lambda message: ["no"])
    assert verdict.status is Status.UNTESTED
    assert "no requests to judge" in verdict.reason


def test_a_rule_remembers_within_one_session_only():
    def check(message, context):
        context.memory.append(message.seq)
        yield f"{len(context.memory)}"

    for _ in range(2):
        verdict = judged(PLAIN, ON=requests(), MEMORY=list, check=check)
        assert [finding.message for finding in verdict.findings] == ["1", "2"]


def test_a_rule_watches_what_it_does_not_judge():
    def watch(message, context):
        context.memory.append(message.method)

    def check(history, context):
        yield " ".join(context.memory)

    verdict = judged(PLAIN, ON=sessions, WATCH=requests(), MEMORY=list, watch=watch, check=check)
    assert [finding.message for finding in verdict.findings] == ["initialize ping"]


def sharing(watch, *checks):
    """Two rules that have their memory and their watching in common, judged over one session."""
    rules = {
        identity: from_module(
            module(ID=identity, ON=requests("ping"), WATCH=requests(), MEMORY=list, watch=watch, check=check)
        )
        for identity, check in zip(("JSONRPC-001", "JSONRPC-002"), checks, strict=True)
    }
    frames = talk("2025-11-25", "> ping", "< result", "> ping", "< result")
    return comply(frames, BOOK._replace(rules={**BOOK.rules, **rules}), select=list(rules)).verdicts


def remember(message, context):
    context.memory.append(message)


def count(message, context):
    yield f"{len(context.memory)} were seen"


def crash(message, context):
    raise ZeroDivisionError("oh")


def test_rules_that_watch_alike_share_what_they_remember():
    for verdict in sharing(remember, count, count):
        assert [finding.message for finding in verdict.findings] == ["2 were seen", "3 were seen"]


def test_a_watching_that_raises_is_the_crash_of_all_who_rely_on_it():
    assert [verdict.status for verdict in sharing(crash, count, count)] == [Status.CRASHED] * 2


def test_a_rule_that_crashed_still_watches_for_the_others():
    first, second = sharing(remember, crash, count)
    assert first.status is Status.CRASHED
    assert [finding.message for finding in second.findings] == ["2 were seen", "3 were seen"]


def test_judging_leaves_the_collector_as_it_was():
    before = gc.get_threshold()
    comply(PLAIN, BOOK)
    assert gc.get_threshold() == before


def test_findings_say_where_to_look():
    def check(part):
        yield warning("look here", "/name")

    page = '< result {"tools": [{"name": "a"}, {"name": "b"}]}'
    verdict = judged(talk("2025-11-25", "> tools/list", page), ON=tools, check=check)
    finding = verdict.findings[1]
    assert (finding.kind, finding.subject, finding.within) == ("tool", "b", "/name")
    assert finding.evidence.pointer == "/result/tools/1/name"
    assert finding.evidence.frames == (6,)
    assert finding.evidence.session == "0123456789ab"
    assert '"tools": [{"name": "a"}' in finding.evidence.excerpt
    assert finding.data == {"revision": "2025-11-25", "by": "server"}


def test_of_many_findings_some_are_shown_and_all_are_counted():
    verdict = judged(
        talk("2025-11-25", *["> ping", "< result"] * 150), ON=requests("ping"), check=lambda message: ["no"]
    )
    assert (verdict.failed, verdict.checked, len(verdict.findings)) == (150, 150, 100)
    assert "50 more" in verdict.reason


def test_a_rule_that_binds_one_side_leaves_the_other_alone():
    verdict = judged(
        talk("2026-07-28", "> tools/list", '< {"jsonrpc": "2.0", "id": 1, "method": "ping"}'),
        identity="JSONRPC-002",
        ON=requests(),
        check=lambda message: [message.sender],
    )
    assert {finding.message for finding in verdict.findings} == {"client"}


def test_what_our_own_probes_send_is_not_judged_but_the_answer_is():
    frames = talk("2025-11-25", "~> ping", "< result")
    asked = judged(frames, ON=requests("ping"), check=lambda message: ["no"])
    answered = judged(frames, ON=exchanges("ping"), check=lambda exchange: ["no"])
    assert asked.status is Status.UNTESTED
    assert answered.failed == 1


def test_what_is_provided_is_known_in_the_end():
    verdict = judged(PLAIN, ON=requests(), PROVIDED=lambda history: "not here", check=lambda message: ["no"])
    assert (verdict.status, verdict.reason) == (Status.UNTESTED, "not here")


def test_a_pin_is_what_all_is_judged_by_and_the_difference_is_told():
    outcome = comply(PLAIN, BOOK, spec="v2024-11-05")
    assert outcome.pin == "v2024-11-05"
    assert outcome.negotiated == "2025-11-25"
    assert outcome.observed == ("2025-11-25",)
    assert outcome.differs
    assert not comply(PLAIN, BOOK, spec="v2025-11-25").differs
    assert report([outcome]).title == "compliance with v2024-11-05 (the session speaks v2025-11-25)"


def test_both_eras_are_judged_each_by_its_own_rules():
    modern = '{"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}'
    outcome = comply(talk("2025-03-26", f"> tools/list {modern}", "> [{}]"), BOOK)
    rules = {verdict.rule for verdict in outcome.verdicts}
    assert {"JSONRPC-010", "JSONRPC-016", "JSONRPC-025"} <= rules


def test_rules_that_no_capture_can_decide_say_so():
    outcome = comply(talk("2026-07-28"), BOOK, select=["PROTO-042"])
    (verdict,) = outcome.verdicts
    assert verdict.status is Status.UNTESTED
    assert verdict.reason.startswith("needs a probe")


def test_a_session_of_unknown_revision_is_judged_by_none():
    outcome = comply(talk("2025-11-25", "> tools/list", start="middle"), BOOK)
    assert outcome.verdicts == ()


@pytest.mark.parametrize(
    "names",
    [
        {"ON": messages, "check": lambda message: ()},
        {"ID": "X-001", "check": lambda message: ()},
        {"ID": "X-001", "ON": messages},
        {"ID": "X-001", "ON": messages, "check": lambda: ()},
        {"ID": "X-001", "ON": messages, "check": lambda message: (), "WATCH": messages},
        {"ID": "X-001", "ON": messages, "check": lambda message: (), "watch": lambda message: None},
        {"ID": "X-001", "ON": "messages", "check": lambda message: ()},
        {"ID": "X-001", "ON": messages, "check": lambda message: (), "__doc__": ""},
    ],
)
def test_a_module_that_is_no_rule_is_refused(names):
    with pytest.raises(UsageError, match="is no compliance rule"):
        from_module(module(**names))


def test_an_unknown_selection_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean JSONRPC"):
        BOOK.choose(["JSONRCP"])
