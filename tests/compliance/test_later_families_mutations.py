"""Break one rule at a time of MRTR, SUB, CACHE, TASKS and DEPR: that rule fails, and no MUST that has nothing to do with it.

Requests for input, subscriptions and caching are broken in a session that the SDK's client and server had in the stateless
era. The SDK has no tasks, so these are broken in conversations written down here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from mcptest.compliance import Book, comply
from mcptest.findings import Severity, Status, Verdict
from mcptest.protocol import CLIENT_CAPABILITIES, SUBSCRIPTION_ID
from mcptest.wire import Frame
from mcptest.wire.frame import CLIENT, SERVER
from tests.compliance.talks import ARCHIVE, own_server, record
from tests.compliance.tape import Entry, Tape
from tests.compliance.transcripts import Talk

BOOK = Book.load()
SDK, OLD_TASKS, NEW_TASKS = "sdk", "tasks of 2025-11-25", "tasks of 2026-07-28"
SECOND = 1_000_000_000
CAPABILITIES = f"/params/_meta/{CLIENT_CAPABILITIES.replace('/', '~1')}"
TAG = f"/params/_meta/{SUBSCRIPTION_ID.replace('/', '~1')}"
EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
TIMES = '"createdAt": "2026-01-01T10:00:00Z", "lastUpdatedAt": "2026-01-01T10:00:00Z"'
A, B = "786512e2-9e0d-44bd-8f29-789f320fe840", "c3c4a5b2-0f5e-4a8e-9b1e-6d1f0a2b3c4d"

OLD = f"""
> tools/list
< result {{"tools": [{{"name": "t", "inputSchema": {{"type": "object"}}, "execution": {{"taskSupport": "optional"}}}}]}}
> tools/call {{"name": "t", "arguments": {{}}, "task": {{"ttl": 60000}}}}
< result {{"task": {{"taskId": "{A}", "status": "working", {TIMES}, "ttl": 60000, "pollInterval": 1000}}}}
> tasks/get {{"taskId": "{A}"}}
< result {{"taskId": "{A}", "status": "working", {TIMES}, "ttl": 60000, "pollInterval": 1000}}
> tasks/list
< result {{"tasks": [{{"taskId": "{A}", "status": "working", {TIMES}, "ttl": 60000}}]}}
* wait 2s
> tasks/get {{"taskId": "{A}"}}
< result {{"taskId": "{A}", "status": "input_required", {TIMES}, "ttl": 60000}}
> tasks/result {{"taskId": "{A}"}}
< elicitation/create {{"message": "m", "requestedSchema": {{"type": "object", "properties": {{}}}}, "_meta": {{"{RELATED}": {{"taskId": "{A}"}}}}}}
> result {{"action": "accept", "content": {{}}, "_meta": {{"{RELATED}": {{"taskId": "{A}"}}}}}}
< result {{"content": [], "_meta": {{"{RELATED}": {{"taskId": "{A}"}}}}}}
> tasks/get {{"taskId": "{A}"}}
< result {{"taskId": "{A}", "status": "completed", {TIMES}, "ttl": 60000}}
> tasks/cancel {{"taskId": "{A}"}}
< error -32602 The task is over
> tasks/get {{"taskId": "nobody"}}
< error -32602 Task not found
~> tasks/list {{"cursor": "made up"}}
< error -32602 Invalid cursor
"""
NEW = f"""
> tools/call {{"name": "t", "arguments": {{}}}}
< result {{"resultType": "task", "taskId": "{A}", "status": "working", {TIMES}, "ttlMs": 60000, "pollIntervalMs": 1000}}
> 90 subscriptions/listen {{"notifications": {{"taskIds": ["{A}"]}}}}
< notifications/subscriptions/acknowledged {{"notifications": {{"taskIds": ["{A}"]}}, "_meta": {{"{SUBSCRIPTION_ID}": 90}}}}
> tasks/get {{"taskId": "{A}"}}
< 2 result {{"taskId": "{A}", "status": "input_required", {TIMES}, "ttlMs": 60000, "inputRequests": {{"r": {{"method": "roots/list"}}}}}}
> tasks/update {{"taskId": "{A}", "inputResponses": {{"r": {{"roots": []}}}}}}
< 3 result {{}}
> tasks/get {{"taskId": "{A}"}}
< 4 result {{"taskId": "{A}", "status": "working", {TIMES}, "ttlMs": 60000, "pollIntervalMs": 1000}}
* wait 2s
> tasks/get {{"taskId": "{A}"}}
< 5 result {{"taskId": "{A}", "status": "completed", {TIMES}, "ttlMs": 60000, "result": {{"content": [], "isError": true}}}}
< notifications/tasks {{"taskId": "{A}", "status": "completed", {TIMES}, "ttlMs": 60000, "result": {{"content": []}}, "_meta": {{"{SUBSCRIPTION_ID}": 90}}}}
> tasks/cancel {{"taskId": "{A}"}}
< 6 result {{}}
> tasks/get {{"taskId": "nobody"}}
< 7 error -32602 Task not found
< 90 result {{"_meta": {{"{SUBSCRIPTION_ID}": 90}}}}
"""
_OLD_SERVER = '{"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}}'
_NEW_SERVER = f'{{"tools": {{"listChanged": true}}, "extensions": {{"{EXTENSION}": {{}}}}}}'
_NEW_CLIENT = f'{{"roots": {{}}, "extensions": {{"{EXTENSION}": {{}}}}}}'


@cache
def session(name: str) -> tuple[Frame, ...]:
    if name == SDK:
        with TemporaryDirectory() as folder:
            return tuple(record(Path(folder), own_server("archive"), ARCHIVE, "auto"))
    text, revision, settings = {
        OLD_TASKS: (OLD, "2025-11-25", {"server": _OLD_SERVER}),
        NEW_TASKS: (NEW, "2026-07-28", {"server": _NEW_SERVER, "client": _NEW_CLIENT}),
    }[name]
    talk = Talk(revision, settings)
    for line in text.strip().splitlines():
        talk.add(line, name)
    talk.finish()
    return tuple(talk.frames)


class Break(NamedTuple):
    name: str
    rule: str
    session: str
    also: frozenset[str]
    how: Callable[[Tape], object]

    def __str__(self) -> str:
        return f"{self.rule} {self.name}"


BREAKS: list[Break] = []


def breaks(rule: str, session: str = SDK, also: str = "") -> Callable[[Callable[[Tape], Any]], Callable[[Tape], Any]]:
    def note(how: Callable[[Tape], Any]) -> Callable[[Tape], Any]:
        BREAKS.append(Break(how.__name__.replace("_", " "), rule, session, frozenset(also.split()), how))
        return how

    return note


# ---- requests for input


def asking(tape: Tape, name: str = "where") -> Entry:
    return tape.answer("tools/call", name=name)


def retry(tape: Tape, name: str = "where") -> Entry:
    return tape.request("tools/call", 1, name=name)


@breaks("MRTR-001", also="PROTO-014 SCHEMA-002")
def a_list_asks_for_input(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result", {"resultType": "input_required", "requestState": "s"})


@breaks("MRTR-002", also="MRTR-008 MRTR-006")
def nothing_is_asked(tape: Tape) -> None:
    asking(tape).drop("/result/inputRequests").drop("/result/requestState")


@breaks("MRTR-003", also="SCHEMA-002")
def another_method_is_asked(tape: Tape) -> object:
    return asking(tape, "folders").set("/result/inputRequests/roots/method", "tools/list")


@breaks("MRTR-003", also="SCHEMA-002 ELICIT-002 ELICIT-003 ELICIT-007")
def a_form_without_a_message(tape: Tape) -> object:
    return asking(tape).drop("/result/inputRequests/shelf/params/message")


@breaks("MRTR-004", also="ROOTS-001 ROOTS-007")
def roots_that_were_not_declared(tape: Tape) -> object:
    return tape.call("folders").drop(f"{CAPABILITIES}/roots")


@breaks("MRTR-005")
def the_same_id_again(tape: Tape) -> None:
    identity = tape.call("where").get("/id")
    answer = tape.answer("tools/call", 1, name="where")
    retry(tape).set("/id", identity)
    answer.set("/id", identity)


@breaks("MRTR-006")
def a_changed_state(tape: Tape) -> object:
    return retry(tape).set("/params/requestState", "State of the archive")


@breaks("MRTR-006")
def a_state_that_is_left_out(tape: Tape) -> object:
    return retry(tape).drop("/params/requestState")


@breaks("MRTR-007", also="SCHEMA-001 ELICIT-006")
def an_answer_that_is_none(tape: Tape) -> object:
    return retry(tape).set("/params/inputResponses/shelf", {"action": "perhaps"})


@breaks("MRTR-012", also="MRTR-007 SCHEMA-001 ELICIT-006")
def a_malformed_answer_is_taken(tape: Tape) -> object:
    return retry(tape).set("/params/inputResponses/shelf", {"action": 7})


@breaks("MRTR-007")
def other_arguments(tape: Tape) -> object:
    return retry(tape).set("/params/arguments", {"other": 1})


@breaks("MRTR-008", also="MRTR-013")
def a_list_brings_a_state(tape: Tape) -> object:
    return tape.request("prompts/list").set("/params/requestState", "state of the archive")


@breaks("MRTR-008")
def another_tool_gets_the_state(tape: Tape) -> object:
    return tape.call("count").set("/params/requestState", "state of the archive") and tape.move(
        tape.call("count"), before=tape.request("resources/list")
    )


@breaks("MRTR-009")
def a_missing_answer_fails(tape: Tape) -> None:
    tape.answer("tools/call", 1, name="where").body.pop("result")
    tape.find(SERVER, id=retry(tape).get("/id")).set("/error", {"code": -32602, "message": "shelf?"})
    retry(tape).set("/params/inputResponses", {})


@breaks("MRTR-010")
def an_answer_too_many_fails(tape: Tape) -> None:
    tape.answer("tools/call", 1, name="where").body.pop("result")
    tape.find(SERVER, id=retry(tape).get("/id")).set("/error", {"code": -32602, "message": "more?"})
    retry(tape).set("/params/inputResponses/more", {"action": "cancel"})


@breaks("MRTR-013", also="SCHEMA-002 MRTR-006")
def a_state_that_is_an_object(tape: Tape) -> object:
    return asking(tape).set("/result/requestState", {"a": 1})


# ---- subscriptions


def listening(tape: Tape) -> Entry:
    return tape.request("subscriptions/listen")


def subscription(tape: Tape) -> Any:
    return listening(tape).get("/id")


def acknowledged(tape: Tape) -> Entry:
    return tape.request("notifications/subscriptions/acknowledged")


def told(tape: Tape) -> Entry:
    return tape.request("notifications/tools/list_changed")


@breaks("SUB-001", also="SCHEMA-001 SUB-003 SUB-005")
def a_flag_that_is_text(tape: Tape) -> object:
    return listening(tape).set("/params/notifications/toolsListChanged", "yes")


@breaks("SUB-002")
def a_change_before_the_acknowledgement(tape: Tape) -> None:
    tape.move(told(tape), before=acknowledged(tape))


@breaks("SUB-003")
def more_is_acknowledged(tape: Tape) -> object:
    return acknowledged(tape).set("/params/notifications/promptsListChanged", True)


@breaks("SUB-003")
def another_resource_is_acknowledged(tape: Tape) -> object:
    return acknowledged(tape).set("/params/notifications/resourceSubscriptions", ["archive://documents/2"])


@breaks("SUB-004")
def no_subscription_is_named(tape: Tape) -> object:
    return told(tape).drop("/params/_meta")


@breaks("SUB-004")
def another_subscription_is_named(tape: Tape) -> object:
    return told(tape).set(TAG, "nobody")


@breaks("SUB-005")
def what_was_not_asked_for(tape: Tape) -> object:
    return told(tape).set("/method", "notifications/prompts/list_changed")


@breaks("SUB-006", also="PROGRESS-005")
def progress_for_a_listener(tape: Tape) -> object:
    return tape.request("notifications/progress").set(TAG, subscription(tape))


@breaks("SUB-007")
def a_change_that_nobody_listens_for(tape: Tape) -> None:
    tape.move(told(tape), before=tape.call("count"))
    listening(tape).pause = 5 * SECOND


@breaks("SUB-008", also="JSONRPC-017")
def an_error_at_the_end(tape: Tape) -> None:
    body = {"jsonrpc": "2.0", "id": subscription(tape), "error": {"code": -32000, "message": "gone"}}
    tape.add(SERVER, body, after=told(tape))
    tape.remove(tape.request("notifications/cancelled", requestId=subscription(tape)))


@breaks("SUB-009", also="SCHEMA-002")
def an_end_without_a_name(tape: Tape) -> None:
    body = {"jsonrpc": "2.0", "id": subscription(tape), "result": {"resultType": "complete"}}
    tape.add(SERVER, body, after=told(tape))
    tape.remove(tape.request("notifications/cancelled", requestId=subscription(tape)))


@breaks("SUB-010", also="SUB-007")
def a_change_after_the_end(tape: Tape) -> None:
    result = {"resultType": "complete", "_meta": {SUBSCRIPTION_ID: subscription(tape)}}
    tape.add(SERVER, {"jsonrpc": "2.0", "id": subscription(tape), "result": result}, after=acknowledged(tape))
    tape.remove(tape.request("notifications/cancelled", requestId=subscription(tape)))


# ---- caching and what is deprecated


@breaks("CACHE-001", also="SCHEMA-002")
def no_time_to_live(tape: Tape) -> object:
    return tape.answer("prompts/list").drop("/result/ttlMs")


@breaks("CACHE-002", also="SCHEMA-002")
def a_negative_time_to_live(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/ttlMs", -5)


@breaks("CACHE-003", also="SCHEMA-002")
def another_scope(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/cacheScope", "shared")


@breaks("CACHE-004")
def pages_of_two_scopes(tape: Tape) -> object:
    return tape.answer("tools/list", 1).set("/result/cacheScope", "public")


@breaks("CACHE-005")
def a_question_that_may_be_kept(tape: Tape) -> object:
    return asking(tape).set("/result/ttlMs", 5)


@breaks("DEPR-005")
def the_context_of_all_servers(tape: Tape) -> object:
    return asking(tape, "sum_up").set("/result/inputRequests/sum/params/includeContext", "allServers")


@breaks("DEPR-007")
def names_of_choices(tape: Tape) -> object:
    field = {"type": "string", "enum": ["a"], "enumNames": ["A"]}
    return asking(tape).set("/result/inputRequests/shelf/params/requestedSchema/properties/colour", field)


# ---- tasks


def task_of(tape: Tape) -> Entry:
    return tape.result("t")


def state(tape: Tape, nth: int = 0) -> Entry:
    return tape.answer("tasks/get", nth, taskId=A)


@breaks("TASKS-001", OLD_TASKS, also="TASKS-017 PROTO-013")
def a_task_that_was_not_offered(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/tasks/requests")


@breaks("TASKS-002", OLD_TASKS)
def a_task_of_a_tool_that_has_none(tape: Tape) -> object:
    return tape.answer("tools/list").drop("/result/tools/0/execution")


@breaks("TASKS-003", OLD_TASKS, also="TASKS-002")
def a_call_that_should_have_been_a_task(tape: Tape) -> None:
    tape.answer("tools/list").set("/result/tools/0/execution/taskSupport", "required")
    tape.ask(CLIENT, "tools/call", {"name": "t"}, after=tape.event("eof"), answer={"result": {"content": []}})
    tape.move(tape.event("eof"), before=tape.event("exit"))


@breaks("TASKS-004", OLD_TASKS, also="SCHEMA-002 TOOLS-009")
def content_in_place_of_a_task(tape: Tape) -> object:
    return task_of(tape).set("/result", {"content": []})


@breaks("TASKS-005", NEW_TASKS, also="TASKS-113")
def an_id_that_is_a_number(tape: Tape) -> object:
    return task_of(tape).set("/result/taskId", 7)


@breaks("TASKS-006", OLD_TASKS, also="TASKS-007")
def a_task_that_begins_completed(tape: Tape) -> object:
    return task_of(tape).set("/result/task/status", "input_required")


@breaks("TASKS-007", OLD_TASKS)
def a_task_that_comes_back(tape: Tape) -> object:
    return state(tape).set("/result/status", "failed")


@breaks("TASKS-007", NEW_TASKS)
def an_unknown_status(tape: Tape) -> object:
    return state(tape, 1).set("/result/status", "running")


@breaks("TASKS-008", OLD_TASKS)
def a_task_without_a_time(tape: Tape) -> object:
    return state(tape).drop("/result/createdAt")


@breaks("TASKS-008", NEW_TASKS)
def an_old_time_to_live(tape: Tape) -> None:
    state(tape, 1).drop("/result/ttlMs").set("/result/ttl", 60000)


@breaks("TASKS-009", OLD_TASKS)
def a_result_of_no_task(tape: Tape) -> object:
    return tape.answer("tasks/result").drop("/result/_meta")


@breaks("TASKS-010", OLD_TASKS, also="TASKS-022")
def a_question_of_another_task(tape: Tape) -> object:
    return tape.request("elicitation/create").set(f"/params/_meta/{RELATED.replace('/', '~1')}/taskId", B)


@breaks("TASKS-011", OLD_TASKS)
def a_result_of_another_kind(tape: Tape) -> object:
    return tape.answer("tasks/result").drop("/result/content")


@breaks("TASKS-012", OLD_TASKS)
def a_result_before_the_end(tape: Tape) -> object:
    return state(tape, 2).set("/result/status", "working")


@breaks("TASKS-013", OLD_TASKS, also="TASKS-007")
def a_task_cancelled_after_its_end(tape: Tape) -> None:
    answer = tape.answer("tasks/cancel")
    answer.drop("/error")
    answer.set("/result", {**state(tape, 2).get("/result"), "status": "cancelled"})


@breaks("TASKS-014", OLD_TASKS)
def an_unknown_task_with_another_code(tape: Tape) -> object:
    return tape.answer("tasks/get", taskId="nobody").set("/error/code", -32603)


@breaks("TASKS-014", NEW_TASKS)
def an_unknown_task_with_a_code_of_old(tape: Tape) -> object:
    return tape.answer("tasks/get", taskId="nobody").set("/error/code", -32603)


@breaks("TASKS-015", OLD_TASKS, also="PROTO-013")
def a_list_that_was_not_offered(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/tasks/list")


@breaks("TASKS-016", NEW_TASKS)
def polling_too_fast(tape: Tape) -> object:
    return state(tape, 1).set("/result/pollIntervalMs", 60000)


@breaks("TASKS-018", OLD_TASKS)
def an_error_that_completes(tape: Tape) -> object:
    return tape.answer("tasks/result").set("/result/isError", True)


@breaks("TASKS-018", NEW_TASKS, also="TASKS-104")
def an_error_that_fails(tape: Tape) -> None:
    state(tape, 2).set("/result/status", "failed")
    tape.request("notifications/tasks").set("/params/status", "failed")


@breaks("TASKS-019", OLD_TASKS)
def a_task_that_is_not_listed(tape: Tape) -> object:
    return tape.answer("tasks/list").set("/result/tasks", [])


@breaks("TASKS-020", OLD_TASKS, also="SCHEMA-002 TOOLS-009")
def a_task_that_nobody_asked_for(tape: Tape) -> object:
    return tape.call("t").drop("/params/task")


@breaks("TASKS-021", OLD_TASKS)
def a_page_for_an_invalid_cursor(tape: Tape) -> None:
    tape.answer("tasks/list", 1).drop("/error").set("/result", {"tasks": []})


@breaks("TASKS-022", OLD_TASKS)
def an_answer_of_another_task(tape: Tape) -> object:
    answer = tape.answer("elicitation/create")
    return answer.set(f"/result/_meta/{RELATED.replace('/', '~1')}/taskId", B)


@breaks("TASKS-101", NEW_TASKS, also="PROTO-039 PROTO-049")
def a_task_for_who_did_not_declare_them(tape: Tape) -> object:
    return tape.call("t").drop(f"{CAPABILITIES}/extensions")


@breaks("TASKS-102", NEW_TASKS)
def a_state_that_is_a_task(tape: Tape) -> object:
    return state(tape).set("/result/resultType", "task")


@breaks("TASKS-103", NEW_TASKS)
def a_task_that_is_not_there_yet(tape: Tape) -> None:
    body = {"jsonrpc": "2.0", "id": "early", "error": {"code": -32602, "message": "Task not found"}}
    asked = tape.again(tape.request("tasks/get", taskId=A), after=task_of(tape)).set("/id", "early")
    tape.add(SERVER, body, after=asked)


@breaks("TASKS-104", NEW_TASKS)
def an_end_without_a_result(tape: Tape) -> object:
    return state(tape, 2).drop("/result/result")


@breaks("TASKS-105", NEW_TASKS)
def a_key_used_again(tape: Tape) -> None:
    later = state(tape, 1).set("/result/status", "input_required")
    later.set("/result/inputRequests", {"r": {"method": "roots/list", "params": {"more": 1}}})


@breaks("TASKS-106", NEW_TASKS)
def a_cancellation_that_tells_more(tape: Tape) -> object:
    return tape.answer("tasks/cancel").set("/result/status", "cancelled")


@breaks("TASKS-107", NEW_TASKS)
def a_state_for_who_did_not_declare_tasks(tape: Tape) -> object:
    return tape.request("tasks/get", 1, taskId=A).drop(f"{CAPABILITIES}/extensions")


@breaks("TASKS-108", NEW_TASKS, also="SUB-006 LOG-001 LOG-006")
def a_log_message_for_a_listener(tape: Tape) -> None:
    params = {"level": "info", "data": "d", "_meta": {SUBSCRIPTION_ID: 90}}
    tape.add(SERVER, {"jsonrpc": "2.0", "method": "notifications/message", "params": params}, after=state(tape, 1))


@breaks("TASKS-110", NEW_TASKS, also="JSONRPC-021")
def a_list_of_tasks(tape: Tape) -> None:
    asked = tape.again(tape.request("tasks/get", taskId=A), after=state(tape, 1))
    asked.set("/method", "tasks/list").set("/id", "list")
    body = {"jsonrpc": "2.0", "id": "list", "error": {"code": -32601, "message": "no"}}
    tape.add(SERVER, body, after=asked)


@breaks("TASKS-111", NEW_TASKS)
def a_listener_who_did_not_declare_tasks(tape: Tape) -> object:
    return listening(tape).drop(f"{CAPABILITIES}/extensions")


@breaks("TASKS-112", NEW_TASKS)
def a_task_that_nobody_listens_for(tape: Tape) -> object:
    return tape.request("notifications/tasks").set("/params/taskId", B)


@breaks("TASKS-113", NEW_TASKS, also="SCHEMA-002 TOOLS-009")
def a_task_that_does_not_say_so(tape: Tape) -> object:
    return task_of(tape).set("/result/resultType", "complete")


@breaks("TASKS-114", NEW_TASKS)
def an_answer_to_nothing(tape: Tape) -> None:
    request = tape.request("tasks/update")
    request.set("/params/inputResponses", {"other": {"roots": []}})


# ---- the tests


def judge(frames: list[Frame]) -> dict[str, Verdict]:
    verdicts = {verdict.rule: verdict for verdict in comply(frames, BOOK).verdicts}
    assert not [verdict.reason for verdict in verdicts.values() if verdict.status is Status.CRASHED]
    return verdicts


def broken(verdicts: dict[str, Verdict]) -> set[str]:
    """The MUST rules that fail."""
    return {
        rule
        for rule, verdict in verdicts.items()
        if verdict.status is Status.FAILED and any(one.severity is Severity.ERROR for one in verdict.findings)
    }


@cache
def sound(name: str) -> dict[str, Verdict]:
    return judge(Tape(session(name)).frames())


@pytest.mark.parametrize("name", [SDK, OLD_TASKS, NEW_TASKS])
def test_a_session_that_nobody_broke_fails_no_must(name):
    verdicts = sound(name)
    assert not {rule: verdicts[rule].findings for rule in broken(verdicts)}


@pytest.mark.parametrize("one", BREAKS, ids=str)
def test_what_is_broken_fails_and_nothing_else(one: Break):
    assert sound(one.session)[one.rule].status is not Status.FAILED
    tape = Tape(session(one.session))
    one.how(tape)
    verdicts = judge(tape.frames())
    assert verdicts[one.rule].status is Status.FAILED, verdicts[one.rule].reason
    unrelated = {rule: verdicts[rule].findings for rule in broken(verdicts) - {one.rule, *one.also}}
    assert not unrelated


def test_there_are_enough_kinds_of_break():
    assert len({one.rule for one in BREAKS}) >= 60
