"""What moving to another revision takes, from recorded sessions."""

from __future__ import annotations

import pytest

from mcptest.compliance import Book, check_resource_error_code, diagnose
from mcptest.compliance.moves import Effect, advice, moves
from mcptest.errors import UsageError
from mcptest.findings import Severity
from mcptest.protocol import REVISIONS, methods_of
from tests.compliance.transcripts import Talk

MISSING = '> resources/read {"uri": "note://gone"}'
NEWEST = "v2026-07-28"


@pytest.fixture(scope="module")
def book():
    return Book.load()


def diagnosis(book, *lines, revision="2025-11-25", to=NEWEST, from_=None, **settings):
    talk = Talk(revision, {"server": '{"tools": {}, "resources": {}}', "client": "{}", **settings})
    for line in lines:
        talk.add(line, "test")
    talk.finish()
    return diagnose(lambda: iter(talk.frames), book, to, from_=from_, source="s")


def names(found, effect):
    return [one.name for one in found.with_effect(effect)]


# ---- the code for a missing resource


@pytest.mark.parametrize("name", [NEWEST, "draft"])
def test_the_retired_code_fails_and_the_new_one_is_named(book, name):
    check = check_resource_error_code(-32002, book.corpora.named(name))
    assert (check.status, check.severity) == ("failed", Severity.ERROR)
    assert "-32602" in check.text
    assert check_resource_error_code(-32602, book.corpora.named(name)).status == "passed"


@pytest.mark.parametrize("name", ["v2024-11-05", "v2025-03-26", "v2025-06-18", "v2025-11-25"])
def test_before_that_it_is_the_other_way_round_as_a_should(book, name):
    check = check_resource_error_code(-32602, book.corpora.named(name))
    assert (check.status, check.severity) == ("failed", Severity.WARNING)
    assert "-32002" in check.text
    assert check_resource_error_code(-32002, book.corpora.named(name)).status == "passed"


@pytest.mark.parametrize("code", [-32603, -32601, 0, 404])
@pytest.mark.parametrize("name", ["v2024-11-05", NEWEST])
def test_other_codes_are_skipped(book, code, name):
    assert check_resource_error_code(code, book.corpora.named(name)).status == "skipped"


def test_a_recorded_refusal_is_checked(book):
    found = diagnosis(book, MISSING, "< error -32002 Resource not found")
    assert found.resource.status == "failed"
    (ailment,) = [one for one in found.ailments if one.name == "RES-007"]
    assert (ailment.effect, ailment.frames) == (Effect.BREAKS, (6,))
    assert ailment.todo == {"server": "Answer a read of a resource that does not exist with -32602."}


def test_a_refusal_with_the_new_code_passes(book):
    found = diagnosis(book, MISSING, "< error -32602 Resource not found")
    assert found.resource.status == "passed"
    assert "RES-007" not in [one.name for one in found.ailments]


def test_without_a_missing_resource_nothing_is_claimed(book):
    assert diagnosis(book).resource.status == "skipped"


# ---- what breaks, and what is deprecated


def test_the_handshake_breaks_on_the_way_into_the_stateless_era_only(book):
    assert "handshake" in names(diagnosis(book), Effect.BREAKS)
    assert names(diagnosis(book, revision="2025-03-26", to="v2025-11-25"), Effect.BREAKS) == []


def test_results_need_their_type(book):
    found = diagnosis(book, "> tools/list", '< result {"tools": []}')
    assert {"result-type", "caching"} <= set(names(found, Effect.BREAKS))


def test_batches_break_on_the_way_past_2025_03_26(book):
    found = diagnosis(
        book, '> [{"jsonrpc": "2.0", "id": 5, "method": "ping"}]', revision="2025-03-26", to="v2025-06-18"
    )
    assert names(found, Effect.BREAKS) == ["batches"]


@pytest.mark.parametrize(
    ("lines", "settings", "name", "severity"),
    [
        ([], {"client": '{"roots": {}}'}, "roots", Severity.INFO),
        (["< roots/list"], {"client": '{"roots": {}}'}, "roots", Severity.WARNING),
        ([], {"client": '{"sampling": {}}'}, "sampling", Severity.INFO),
        ([], {"server": '{"logging": {}}'}, "logging", Severity.INFO),
        (['< notifications/message {"level": "info", "data": 1}'], {}, "logging", Severity.WARNING),
        (['< sampling/createMessage {"includeContext": "allServers"}'], {}, "include-context", Severity.WARNING),
        (
            ['< elicitation/create {"requestedSchema": {"properties": {"a": {"enumNames": ["x"]}}}}'],
            {},
            "enum-names",
            Severity.WARNING,
        ),
        ([], {"transport": "sse"}, "http-sse", Severity.WARNING),
    ],
)
def test_deprecated_features_are_told_used_or_only_declared(book, lines, settings, name, severity):
    found = {one.name: one for one in diagnosis(book, *lines, **settings).with_effect(Effect.DEPRECATED)}
    assert found[name].severity is severity


def test_no_context_asked_for_is_not_deprecated(book):
    found = diagnosis(book, '< sampling/createMessage {"includeContext": "none"}')
    assert "include-context" not in names(found, Effect.DEPRECATED)


def test_a_client_of_the_stateless_era_declares_with_each_request(book):
    found = diagnosis(book, revision="2026-07-28", client='{"roots": {}}')
    assert names(found, Effect.DEPRECATED) == ["roots"]


def test_who_is_there_already_has_nothing_to_do(book):
    found = diagnosis(book, "> tools/list", '< result {"tools": []}', revision="2026-07-28")
    assert (found.from_, found.ailments) == (NEWEST, ())
    assert found.report().exit_code == 0


def test_a_rule_that_a_move_tells_already_is_not_told_twice(book):
    found = diagnosis(book, "> ping", "< result")
    assert not {"PROTO-030", "JSONRPC-021", "PING-004"} & {one.name for one in found.ailments}


def test_a_rule_that_is_new_in_the_target_is_run(book):
    schema = '{"type": "object", "properties": {"x": {"type": "object", "x-mcp-header": "X"}}}'
    tool = f'{{"name": "a", "description": "Does it.", "inputSchema": {schema}}}'
    found = diagnosis(book, "> tools/list", f'< result {{"tools": [{tool}]}}')
    (ailment,) = [one for one in found.ailments if one.name == "TOOLS-021"]
    assert (ailment.effect, ailment.already, list(ailment.todo)) == (Effect.BREAKS, False, ["server"])


def test_what_is_broken_today_already_is_marked(book):
    """Whom the rule binds has changed, and a server breaks it before and after."""
    found = diagnosis(book, "> tools/list", '< {"jsonrpc": "2.0", "id": 1, "result": []}')
    (ailment,) = [one for one in found.ailments if one.name == "JSONRPC-012"]
    assert ailment.already


# ---- revisions


def test_the_revision_is_the_one_that_was_agreed_on(book):
    assert diagnosis(book, revision="2025-06-18").from_ == "v2025-06-18"


def test_a_session_that_does_not_tell_needs_to_be_told(book):
    with pytest.raises(UsageError, match="name it with --from"):
        diagnosis(book, "> ping", "< result", revision="none", start="middle")
    found = diagnosis(book, "> ping", "< result", revision="none", start="middle", from_="v2025-11-25")
    assert "ping" in names(found, Effect.BREAKS)


def test_an_older_target_is_refused(book):
    with pytest.raises(UsageError, match="only a move to a newer revision"):
        diagnosis(book, to="v2024-11-05")


# ---- the data


def test_each_method_that_a_revision_removed_has_a_move():
    told = {
        (move.since, side, method)
        for move in moves()
        if move.effect is Effect.BREAKS
        for side, methods in move.seen.get("sends", {}).items()
        for method in methods
    }
    for old, new in zip(REVISIONS, REVISIONS[1:], strict=False):
        for side in ("client", "server"):
            for kind in ("request", "notification"):
                for method in methods_of(old, kind, side) - methods_of(new, kind, side):
                    assert (f"v{new}", side, method) in told


def test_moves_name_revisions_and_rules_that_exist(book):
    known = {rule for corpus in book.corpora for rule in corpus.demands}
    for move in moves():
        assert move.since in book.corpora.names
        assert move.covers <= known
        assert move.todo
    assert advice("RES-007") is not None
    assert advice("NONE-001") is None
