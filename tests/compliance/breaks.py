"""Ways to break a sound session, each with the rule that it breaks. `also` are MUST rules that say the same of the same
bytes: a result that lacks a member fails the rule about it, and the shape of the whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from mcptest.protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SERVER_INFO
from mcptest.wire.frame import CLIENT, SERVER
from tests.compliance.tape import Entry, Tape

HANDSHAKE, STATELESS = "2025-11-25", "auto"
OLDER, OLDEST = "2025-06-18", "2024-11-05"
BOTH = (HANDSHAKE, STATELESS)
SECOND = 1_000_000_000
META = "/params/_meta/"


class Break(NamedTuple):
    name: str
    rule: str
    revision: str
    also: frozenset[str]
    how: Callable[[Tape], object]

    def __str__(self) -> str:
        return f"{self.rule} {self.name} [{self.revision}]"


BREAKS: list[Break] = []


def breaks(
    rule: str, *revisions: str, also: str = ""
) -> Callable[[Callable[[Tape], object]], Callable[[Tape], object]]:
    """The function breaks this rule in sessions of these revisions."""

    def note(how: Callable[[Tape], object]) -> Callable[[Tape], object]:
        name = how.__name__.replace("_", " ")
        BREAKS.extend(
            Break(name, rule, revision, frozenset(also.split()), how) for revision in revisions or (HANDSHAKE,)
        )
        return how

    return note


def escaped(key: str) -> str:
    return key.replace("/", "~1")


def notify(method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def error(code: int, message: str = "no") -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def opening(tape: Tape) -> Entry:
    return tape.request("initialize")


# ---- JSON-RPC


@breaks("JSONRPC-001", *BOTH)
def another_version(tape: Tape) -> object:
    return tape.result("count").set("/jsonrpc", "1.0")


@breaks("JSONRPC-001", *BOTH)
def no_version(tape: Tape) -> object:
    return tape.call("count").drop("/jsonrpc")


@breaks("JSONRPC-002", *BOTH)
def null_as_an_id(tape: Tape) -> None:
    tape.result("count").set("/id", None)
    tape.call("count").set("/id", None)


@breaks("JSONRPC-003", HANDSHAKE)
def an_id_twice(tape: Tape) -> None:
    earlier = tape.call("count").get("/id")
    tape.result("show").set("/id", earlier)
    tape.call("show").set("/id", earlier)


@breaks("JSONRPC-003", STATELESS)
def an_id_in_use(tape: Tape) -> None:
    count, show = tape.call("count"), tape.call("show")
    tape.result("show").set("/id", count.get("/id"))
    show.set("/id", count.get("/id"))
    tape.move(show, before=tape.result("count"))


@breaks("JSONRPC-004", *BOTH, also="PROTO-030 PROTO-032")
def positional_params(tape: Tape) -> object:
    return tape.request("prompts/list").set("/params", [])


@breaks("JSONRPC-005", *BOTH, also="JSONRPC-019")
def another_id(tape: Tape) -> object:
    return tape.result("count").set("/id", 4711)


@breaks("JSONRPC-005", *BOTH, also="JSONRPC-019")
def an_id_of_another_type(tape: Tape) -> object:
    answer = tape.result("count")
    return answer.set("/id", str(answer.get("/id")))


@breaks("JSONRPC-006", *BOTH)
def two_answers(tape: Tape) -> object:
    return tape.again(tape.result("count"))


@breaks("JSONRPC-007", *BOTH, also="JSONRPC-024")
def result_and_error(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/error", {"code": -32603, "message": "no"})


@breaks("JSONRPC-008", *BOTH)
def a_code_that_is_text(tape: Tape) -> object:
    return tape.answer("prompts/get", name="nonsense").set("/error/code", "-32602")


@breaks("JSONRPC-008", *BOTH)
def an_error_without_a_message(tape: Tape) -> object:
    return tape.answer("prompts/get", name="nonsense").drop("/error/message")


@breaks("JSONRPC-009", *BOTH, also="JSONRPC-019 JSONRPC-020")
def a_notification_with_an_id(tape: Tape) -> object:
    return tape.request("notifications/message").set("/id", 4711)


@breaks("JSONRPC-011", OLDER)
def a_batch(tape: Tape) -> None:
    ping = tape.request("ping")
    ping.body = [ping.body]


@breaks("JSONRPC-012", *BOTH, also="PROTO-038")
def a_result_that_is_an_array(tape: Tape) -> object:
    return tape.answer("completion/complete").set("/result", [])


@breaks("JSONRPC-014", *BOTH)
def an_unknown_method_is_answered(tape: Tape) -> object:
    params = {"_meta": tape.call("count").get("/params/_meta")}
    return tape.ask(CLIENT, "nonsense/now", params, after=tape.result("count"), answer=error(-32603))


@breaks("JSONRPC-019", *BOTH, also="PROTO-014")
def no_answer(tape: Tape) -> None:
    tape.remove(tape.answer("prompts/list"))
    tape.event("eof").pause = 700 * SECOND


@breaks("JSONRPC-024", *BOTH, also="JSONRPC-007")
def neither_result_nor_error(tape: Tape) -> object:
    return tape.answer("prompts/list").drop("/result")


# ---- opening


@breaks("PROTO-001", HANDSHAKE, also="PROTO-005")
def a_request_before_the_handshake(tape: Tape) -> object:
    tape.move(tape.request("prompts/list"), before=opening(tape))
    return tape.move(tape.answer("prompts/list"), before=opening(tape))


@breaks("PROTO-002", HANDSHAKE, OLDEST, also="SCHEMA-002")
def a_server_without_a_name(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/serverInfo/name")


@breaks("PROTO-002", HANDSHAKE, also="SCHEMA-002")
def no_server_info(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/serverInfo")


@breaks("PROTO-003", HANDSHAKE, OLDEST, also="SCHEMA-001")
def no_client_info(tape: Tape) -> object:
    return opening(tape).drop("/params/clientInfo")


@breaks("PROTO-004", HANDSHAKE)
def never_initialized(tape: Tape) -> None:
    tape.remove(tape.request("notifications/initialized"))
    tape.call("count").pause = 5 * SECOND


@breaks("PROTO-008", *BOTH, also="TRANSPORT-STDIO-002")
def a_line_that_is_no_message(tape: Tape) -> object:
    return tape.add(SERVER, b"Listening on stdio", after=tape.result("count"))


@breaks("PROTO-011", HANDSHAKE)
def a_second_handshake(tape: Tape) -> None:
    first, answer = opening(tape), tape.answer("initialize")
    again = tape.again(first, after=tape.result("count")).set("/id", "again")
    tape.again(answer, after=again).set("/id", "again")


@breaks("PROTO-015", HANDSHAKE, also="SCHEMA-002")
def a_capability_that_is_true(tape: Tape) -> object:
    return tape.answer("initialize").set("/result/capabilities/prompts", True)


@breaks("PROTO-015", STATELESS, also="SCHEMA-002")
def a_discovered_capability_that_is_text(tape: Tape) -> object:
    return tape.answer("server/discover").set("/result/capabilities/tools", {"listChanged": "yes"})


@breaks("PROTO-030", STATELESS, also="SCHEMA-001 PROTO-032")
def no_client_capabilities(tape: Tape) -> object:
    return tape.call("count").drop(META + escaped(CLIENT_CAPABILITIES))


@breaks("PROTO-030", STATELESS, also="SCHEMA-001 PROTO-032")
def no_version_in_a_request(tape: Tape) -> object:
    return tape.call("count").drop(META + escaped(PROTOCOL_VERSION))


@breaks("META-008", STATELESS, also="SCHEMA-001")
def a_client_without_a_version(tape: Tape) -> object:
    return tape.call("count").drop(META + escaped(CLIENT_INFO) + "/version")


@breaks("PROTO-035", STATELESS, also="SCHEMA-002")
def no_supported_versions(tape: Tape) -> object:
    return tape.answer("server/discover").drop("/result/supportedVersions")


@breaks("PROTO-038", STATELESS, also="SCHEMA-002")
def no_result_type(tape: Tape) -> object:
    return tape.result("count").drop("/result/resultType")


@breaks("META-008", STATELESS, also="SCHEMA-002")
def a_server_info_that_is_text(tape: Tape) -> object:
    return tape.result("count").set("/result/_meta/" + escaped(SERVER_INFO), "archive 1.0")


# ---- shapes and metadata


@breaks("SCHEMA-001", *BOTH, also="RES-018")
def a_uri_that_is_a_number(tape: Tape) -> object:
    return tape.request("resources/read").set("/params/uri", 5)


@breaks("SCHEMA-002", *BOTH, also="COMPLETE-003")
def values_that_are_numbers(tape: Tape) -> object:
    return tape.answer("completion/complete").set("/result/completion/values", [1, 2, 3])


@breaks("SCHEMA-003", *BOTH, also="PROGRESS-003")
def progress_that_is_text(tape: Tape) -> object:
    return tape.request("notifications/progress").set("/params/progress", "much")


@breaks("SCHEMA-004", HANDSHAKE, STATELESS)
def a_schema_that_is_none(tape: Tape) -> object:
    schema = {"type": "object", "properties": {"a": {"type": "nonsense"}}}
    return tape.answer("tools/list").set("/result/tools/0/inputSchema", schema)


@breaks("META-001", HANDSHAKE, STATELESS)
def a_key_that_starts_with_a_dash(tape: Tape) -> object:
    return tape.result("count").set("/result/_meta/-key", 1)


@breaks("META-005", *BOTH, also="SCHEMA-002")
def meta_that_is_a_list(tape: Tape) -> object:
    return tape.answer("resources/list").set("/result/resources/0/_meta", [])


@breaks("META-006", *BOTH, also="SCHEMA-002")
def an_icon_without_a_source(tape: Tape) -> object:
    return tape.answer("tools/list").set("/result/tools/0/icons", [{"mimeType": "image/png"}])


@breaks("META-006", *BOTH)
def an_icon_that_is_a_script(tape: Tape) -> object:
    return tape.answer("tools/list").set("/result/tools/0/icons", [{"src": "javascript:alert(1)"}])


@breaks("META-007", *BOTH, also="SCHEMA-002")
def a_priority_of_two(tape: Tape) -> object:
    return tape.result("show").set("/result/content/0/annotations", {"priority": 2})


@breaks("META-004", STATELESS)
def a_trace_that_is_none(tape: Tape) -> object:
    return tape.call("count").set(META + "traceparent", "here")


# ---- content


@breaks("CONTENT-001", *BOTH, also="SCHEMA-002")
def a_block_of_an_unknown_type(tape: Tape) -> object:
    return tape.result("show").set("/result/content/0/type", "video")


@breaks("CONTENT-001", OLDEST)
def audio_before_its_time(tape: Tape) -> object:
    return tape.result("show").set("/result/content/1", {"type": "audio", "data": "aGFsbG8=", "mimeType": "audio/wav"})


@breaks("CONTENT-002", *BOTH, OLDEST)
def data_that_is_no_base64(tape: Tape) -> object:
    return tape.result("show").set("/result/content/1/data", "not base64!")


@breaks("CONTENT-002", *BOTH)
def a_blob_that_is_no_base64(tape: Tape) -> object:
    return tape.answer("resources/read", uri="archive://pictures/1").set("/result/contents/0/blob", "?")


@breaks("CONTENT-003", *BOTH)
def an_image_of_text(tape: Tape) -> object:
    return tape.result("show").set("/result/content/1/mimeType", "image")


@breaks("CONTENT-004", *BOTH, also="SCHEMA-002")
def an_embedded_resource_without_a_uri(tape: Tape) -> object:
    return tape.result("show").drop("/result/content/2/resource/uri")


@breaks("CONTENT-005", *BOTH, also="SCHEMA-002")
def a_link_without_a_name(tape: Tape) -> object:
    return tape.result("show").drop("/result/content/4/name")


@breaks("CONTENT-007", *BOTH, also="SCHEMA-002")
def a_text_block_without_text(tape: Tape) -> object:
    return tape.result("show").drop("/result/content/0/text")


# ---- tools


@breaks("TOOLS-001", HANDSHAKE, also="PROTO-013 TOOLS-006")
def tools_that_were_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/tools")


@breaks("TOOLS-002", *BOTH, also="SCHEMA-002 TOOLS-003")
def a_tool_without_a_name(tape: Tape) -> object:
    return tape.answer("tools/list").drop("/result/tools/1/name")


@breaks("TOOLS-002", *BOTH, also="SCHEMA-002")
def tools_that_are_an_object(tape: Tape) -> object:
    return tape.answer("tools/list", cursor="8").set("/result/tools", {})


@breaks("TOOLS-003", *BOTH, also="SCHEMA-002")
def a_schema_of_an_array(tape: Tape) -> object:
    return tape.answer("tools/list").set("/result/tools/1/inputSchema", {"type": "array"})


@breaks("TOOLS-004", *BOTH)
def two_tools_of_a_name(tape: Tape) -> object:
    return tape.answer("tools/list").set("/result/tools/1/name", "count")


@breaks("TOOLS-006", HANDSHAKE)
def changes_that_were_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").set("/result/capabilities/tools", {})


@breaks("TOOLS-008", *BOTH, also="SCHEMA-001")
def a_call_without_a_name(tape: Tape) -> object:
    return tape.call("burn").drop("/params/name")


@breaks("TOOLS-008", *BOTH, also="SCHEMA-001")
def arguments_that_are_a_list(tape: Tape) -> object:
    return tape.call("burn").set("/params/arguments", [])


@breaks("TOOLS-009", *BOTH, OLDEST, also="SCHEMA-002")
def a_result_without_content(tape: Tape) -> object:
    return tape.result("scan").drop("/result/content")


@breaks("TOOLS-009", *BOTH, also="SCHEMA-002")
def a_flag_that_is_text(tape: Tape) -> object:
    return tape.result("scan").set("/result/isError", "false")


@breaks("TOOLS-010", *BOTH)
def output_that_does_not_fit(tape: Tape) -> object:
    return tape.result("count").set("/result/structuredContent", {"count": "two"})


@breaks("TOOLS-010", *BOTH)
def no_structured_content(tape: Tape) -> object:
    return tape.result("count").drop("/result/structuredContent")


@breaks("TOOLS-011", HANDSHAKE, also="SCHEMA-002 TOOLS-010")
def structured_content_that_is_a_list(tape: Tape) -> object:
    return tape.result("count").set("/result/structuredContent", [2])


@breaks("TOOLS-014", *BOTH)
def an_unknown_tool_that_fails(tape: Tape) -> None:
    answer = tape.result("nonsense").drop("/error")
    answer.set("/result", tape.result("burn").get("/result"))


@breaks("TOOLS-015", *BOTH)
def arguments_that_nobody_checks(tape: Tape) -> object:
    return tape.call("scan").drop("/params/arguments/shelves")


@breaks("TOOLS-018", *BOTH, also="SCHEMA-002")
def a_hint_that_is_text(tape: Tape) -> object:
    return tape.answer("tools/list").set("/result/tools/0/annotations", {"readOnlyHint": "yes"})


# ---- resources and templates


@breaks("RES-001", HANDSHAKE, also="PROTO-013 RES-009")
def resources_that_were_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/resources")


@breaks("RES-002", *BOTH, also="SCHEMA-002")
def a_resource_without_a_name(tape: Tape) -> object:
    return tape.answer("resources/list").drop("/result/resources/0/name")


@breaks("RES-003", *BOTH)
def a_uri_without_a_scheme(tape: Tape) -> object:
    return tape.answer("resources/list").set("/result/resources/1/uri", "pictures/1")


@breaks("RES-005", *BOTH, OLDEST, also="SCHEMA-002")
def contents_with_neither_text_nor_blob(tape: Tape) -> object:
    return tape.answer("resources/read").drop("/result/contents/0/text")


@breaks("RES-007", STATELESS, also="JSONRPC-016")
def the_old_code_for_a_missing_resource(tape: Tape) -> object:
    return tape.answer("resources/read", uri="nowhere://to/be/found").set("/error/code", -32002)


@breaks("RES-008", STATELESS)
def nothing_in_place_of_an_error(tape: Tape) -> None:
    answer = tape.answer("resources/read", uri="nowhere://to/be/found").drop("/error")
    sound = tape.answer("resources/read").get("/result")
    answer.set("/result", {**sound, "contents": []})


@breaks("RES-009", HANDSHAKE, also="PROTO-013")
def subscribing_that_was_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").set("/result/capabilities/resources", {})


@breaks("RES-010", *BOTH, also="SCHEMA-003")
def an_update_of_nothing(tape: Tape) -> object:
    return tape.request("notifications/resources/updated").drop("/params/uri")


@breaks("RES-018", *BOTH, also="SCHEMA-001")
def a_read_of_nothing(tape: Tape) -> object:
    return tape.request("resources/read").drop("/params/uri")


@breaks("RES-019", *BOTH, also="SCHEMA-002")
def a_size_that_is_text(tape: Tape) -> object:
    return tape.answer("resources/list").set("/result/resources/1/size", "20")


@breaks("RESTPL-002", *BOTH, OLDEST, also="SCHEMA-002 RESTPL-001")
def a_template_without_a_name(tape: Tape) -> object:
    return tape.answer("resources/templates/list").drop("/result/resourceTemplates/0/name")


@breaks("RESTPL-003", *BOTH, OLDEST)
def a_brace_that_stays_open(tape: Tape) -> object:
    where = "/result/resourceTemplates/0/uriTemplate"
    return tape.answer("resources/templates/list").set(where, "archive://documents/{number")


@breaks("RESTPL-001", *BOTH, also="SCHEMA-002 RES-019")
def a_title_that_is_a_number(tape: Tape) -> object:
    return tape.answer("resources/templates/list").set("/result/resourceTemplates/0/title", 1)


# ---- prompts and completion


@breaks("PROMPT-001", HANDSHAKE, also="PROTO-013")
def prompts_that_were_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/prompts")


@breaks("PROMPT-002", *BOTH, also="SCHEMA-002")
def a_prompt_without_a_name(tape: Tape) -> object:
    return tape.answer("prompts/list").drop("/result/prompts/0/name")


@breaks("PROMPT-003", *BOTH, also="SCHEMA-002")
def an_argument_that_is_required_in_words(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/prompts/0/arguments/0/required", "yes")


@breaks("PROMPT-004", *BOTH, OLDEST, also="SCHEMA-002")
def a_message_of_the_system(tape: Tape) -> object:
    return tape.answer("prompts/get").set("/result/messages/0/role", "system")


@breaks("PROMPT-005", *BOTH, also="SCHEMA-001")
def an_argument_that_is_a_number(tape: Tape) -> object:
    return tape.request("prompts/get").set("/params/arguments/topic", 1)


@breaks("PROMPT-011", *BOTH, also="SCHEMA-002")
def a_description_that_is_a_list(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/prompts/0/description", ["Find it."])


@breaks("COMPLETE-001", HANDSHAKE, also="PROTO-013")
def completion_that_was_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/completions")


@breaks("COMPLETE-002", *BOTH, OLDEST, also="SCHEMA-001")
def a_reference_to_nothing(tape: Tape) -> object:
    return tape.request("completion/complete").set("/params/ref", {"type": "ref/nothing"})


@breaks("COMPLETE-003", *BOTH, also="SCHEMA-002")
def too_many_values(tape: Tape) -> None:
    values = [f"m{number}" for number in range(101)]
    answer = tape.answer("completion/complete").set("/result/completion/values", values)
    answer.set("/result/completion/total", 101)


@breaks("COMPLETE-004", *BOTH, also="SCHEMA-002")
def a_total_that_is_text(tape: Tape) -> object:
    return tape.answer("completion/complete").set("/result/completion/total", "3")


# ---- logging, progress, cancelling, ping


@breaks("LOG-001", HANDSHAKE, OLDEST, also="PROTO-013")
def logging_that_was_not_declared(tape: Tape) -> object:
    return tape.answer("initialize").drop("/result/capabilities/logging")


@breaks("LOG-002", *BOTH, also="SCHEMA-003")
def an_unknown_level(tape: Tape) -> object:
    return tape.request("notifications/message").set("/params/level", "loud")


@breaks("LOG-003", HANDSHAKE, OLDEST, also="SCHEMA-001")
def a_level_that_there_is_not(tape: Tape) -> object:
    return tape.request("logging/setLevel").set("/params/level", "loud")


@breaks("LOG-004", HANDSHAKE)
def a_message_below_the_level(tape: Tape) -> None:
    tape.call("scan").pause = 5 * SECOND


@breaks("LOG-006", STATELESS)
def a_log_that_nobody_asked_for(tape: Tape) -> None:
    for entry in tape.entries:
        if type(entry.body) is dict:
            entry.body.get("params", {}).get("_meta", {}).pop(LOG_LEVEL, None)


@breaks("LOG-007", STATELESS)
def a_log_below_the_level(tape: Tape) -> None:
    tape.request("notifications/message").set("/params/level", "debug")
    tape.result("scan").pause = 5 * SECOND


@breaks("LOG-008", STATELESS)
def a_log_after_the_answer(tape: Tape) -> None:
    late = tape.again(tape.request("notifications/message"), after=tape.result("scan"))
    late.pause = 5 * SECOND
    tape.call("where").pause = 5 * SECOND


@breaks("LOG-011", STATELESS, also="SCHEMA-001")
def a_level_that_nobody_knows(tape: Tape) -> object:
    return tape.request("resources/list").set(META + escaped(LOG_LEVEL), "loud")


@breaks("PROGRESS-001", *BOTH, OLDEST, also="SCHEMA-001")
def a_token_that_is_an_object(tape: Tape) -> object:
    return tape.call("count").set(META + "progressToken", {})


@breaks("PROGRESS-002", *BOTH)
def a_token_that_is_in_use(tape: Tape) -> None:
    scan, burn = tape.call("scan"), tape.call("burn")
    burn.set(META + "progressToken", scan.get(META + "progressToken"))
    tape.move(burn, before=tape.result("scan"))


@breaks("PROGRESS-003", *BOTH, OLDEST, also="SCHEMA-003")
def a_total_in_words(tape: Tape) -> object:
    return tape.request("notifications/progress").set("/params/total", "three")


@breaks("PROGRESS-004", *BOTH, OLDEST)
def progress_that_goes_back(tape: Tape) -> object:
    return tape.request("notifications/progress", 2).set("/params/progress", 1)


@breaks("PROGRESS-005", *BOTH, OLDEST)
def a_token_that_nobody_gave(tape: Tape) -> object:
    return tape.request("notifications/progress").set("/params/progressToken", "nobody's")


@breaks("PROGRESS-006", *BOTH)
def progress_after_the_end(tape: Tape) -> None:
    late = tape.again(tape.request("notifications/progress", 2), after=tape.result("scan"))
    late.set("/params/progress", 4)
    late.pause = 5 * SECOND


@breaks("PROGRESS-007", STATELESS)
def progress_of_the_client(tape: Tape) -> object:
    progress = tape.request("notifications/progress").body
    return tape.add(CLIENT, progress, after=tape.request("notifications/progress"))


@breaks("CANCEL-001", *BOTH)
def cancelling_what_was_never_asked(tape: Tape) -> object:
    return tape.request("notifications/cancelled").set("/params/requestId", 4711)


@breaks("CANCEL-002", *BOTH)
def cancelling_what_is_done(tape: Tape) -> None:
    done = tape.call("count").get("/id")
    late = tape.add(CLIENT, notify("notifications/cancelled", {"requestId": done}), after=tape.result("show"))
    late.pause = 5 * SECOND


@breaks("CANCEL-003", HANDSHAKE)
def cancelling_the_handshake(tape: Tape) -> object:
    first = opening(tape)
    return tape.add(CLIENT, notify("notifications/cancelled", {"requestId": first.get("/id")}), after=first)


@breaks("CANCEL-006", STATELESS)
def a_server_that_cancels(tape: Tape) -> object:
    call = tape.call("wait")
    return tape.add(SERVER, notify("notifications/cancelled", {"requestId": call.get("/id")}), after=call)


@breaks("PING-001", HANDSHAKE, OLDEST)
def a_ping_with_an_answer(tape: Tape) -> object:
    return tape.answer("ping").set("/result/status", "fine")


@breaks("PING-004", STATELESS, also="PROTO-047 JSONRPC-014")
def a_ping_after_its_time(tape: Tape) -> object:
    params = {"_meta": tape.call("count").get("/params/_meta")}
    return tape.ask(CLIENT, "ping", params, after=tape.result("count"), answer=error(-32601, "Method not found"))


# ---- pages


@breaks("PAGE-001", *BOTH, OLDEST, also="SCHEMA-002 PAGE-002")
def a_cursor_that_is_a_number(tape: Tape) -> None:
    tape.answer("tools/list").set("/result/nextCursor", 4)


@breaks("PAGE-002", HANDSHAKE, OLDEST)
def a_cursor_that_nobody_gave(tape: Tape) -> object:
    return tape.request("tools/list", 1).set("/params/cursor", "four")


@breaks("PAGE-005", *BOTH)
def a_page_of_a_call(tape: Tape) -> object:
    return tape.call("count").set("/params/cursor", "4")


# ---- what a server asks its client


@breaks("ROOTS-001", HANDSHAKE, also="ROOTS-003 ROOTS-007 PROTO-013")
def roots_that_were_not_declared(tape: Tape) -> object:
    return opening(tape).drop("/params/capabilities/roots")


@breaks("ROOTS-002", HANDSHAKE, OLDEST, also="SCHEMA-002")
def a_root_on_the_web(tape: Tape) -> object:
    return tape.answer("roots/list").set("/result/roots/0/uri", "https://example.org")


@breaks("ROOTS-003", HANDSHAKE, also="PROTO-013")
def changed_roots_that_were_not_declared(tape: Tape) -> object:
    return opening(tape).set("/params/capabilities/roots", {})


@breaks("SAMPLE-001", HANDSHAKE, also="SAMPLE-014 PROTO-013")
def sampling_that_was_not_declared(tape: Tape) -> object:
    return opening(tape).drop("/params/capabilities/sampling")


@breaks("SAMPLE-002", HANDSHAKE, OLDEST, also="SCHEMA-001")
def sampling_without_a_limit(tape: Tape) -> object:
    return tape.request("sampling/createMessage").drop("/params/maxTokens")


@breaks("SAMPLE-003", HANDSHAKE, OLDEST, also="SCHEMA-002")
def a_sample_of_no_model(tape: Tape) -> object:
    return tape.answer("sampling/createMessage").drop("/result/model")


@breaks("SAMPLE-004", HANDSHAKE, OLDEST, also="SCHEMA-001")
def sampling_for_the_system(tape: Tape) -> object:
    return tape.request("sampling/createMessage").set("/params/messages/0/role", "system")


@breaks("SAMPLE-005", HANDSHAKE, also="SCHEMA-001")
def a_priority_beyond_all(tape: Tape) -> object:
    return tape.request("sampling/createMessage").set("/params/modelPreferences", {"speedPriority": 3})


@breaks("SAMPLE-006", HANDSHAKE, also="SCHEMA-001")
def a_context_of_everything(tape: Tape) -> object:
    return tape.request("sampling/createMessage").set("/params/includeContext", "everything")


@breaks("SAMPLE-007", HANDSHAKE, also="SAMPLE-008")
def tools_in_sampling(tape: Tape) -> object:
    tools = [{"name": "a", "inputSchema": {"type": "object"}}]
    return tape.request("sampling/createMessage").set("/params/tools", tools)


@breaks("ELICIT-001", HANDSHAKE, OLDER, also="ELICIT-018 ELICIT-004 ELICIT-012 PROTO-013")
def elicitation_that_was_not_declared(tape: Tape) -> object:
    return opening(tape).drop("/params/capabilities/elicitation")


@breaks("ELICIT-002", HANDSHAKE, OLDER, also="SCHEMA-001")
def a_form_without_a_message(tape: Tape) -> object:
    return tape.request("elicitation/create").drop("/params/message")


@breaks("ELICIT-003", HANDSHAKE, OLDER, also="SCHEMA-001 ELICIT-007")
def a_form_with_a_form_inside(tape: Tape) -> object:
    nested = {"type": "object", "properties": {}}
    return tape.request("elicitation/create").set("/params/requestedSchema/properties/floor", nested)


@breaks("ELICIT-004", HANDSHAKE, also="ELICIT-012")
def a_mode_that_was_not_declared(tape: Tape) -> object:
    return opening(tape).set("/params/capabilities/elicitation", {"url": {}})


@breaks("ELICIT-006", HANDSHAKE, OLDER, also="SCHEMA-002")
def an_answer_of_perhaps(tape: Tape) -> object:
    return tape.answer("elicitation/create").set("/result/action", "perhaps")


@breaks("ELICIT-007", HANDSHAKE, OLDER)
def an_answer_that_does_not_fit(tape: Tape) -> object:
    return tape.answer("elicitation/create").set("/result/content/floor", -1)


# ---- stdio


@breaks("TRANSPORT-STDIO-001", *BOTH, also="PROTO-008 JSONRPC-019 TRANSPORT-STDIO-002")
def a_message_on_several_lines(tape: Tape) -> None:
    answer = tape.answer("prompts/list")
    first, *rest = json.dumps(answer.body, indent=1).encode().split(b"\n")
    answer.body, answer.raw = None, first
    last = answer
    for line in rest:
        last = tape.add(SERVER, line, after=last)


@breaks("TRANSPORT-STDIO-002", *BOTH, also="PROTO-008")
def a_print_on_stdout(tape: Tape) -> object:
    return tape.add(SERVER, b"connected to database", after=tape.result("count"))


@breaks("TRANSPORT-STDIO-003", *BOTH, also="PROTO-008")
def a_print_on_stdin(tape: Tape) -> object:
    return tape.add(CLIENT, b"hello server", after=tape.result("count"))


@breaks("TRANSPORT-STDIO-008", *BOTH)
def credentials_on_stdio(tape: Tape) -> object:
    return tape.call("count").set(META + "authorization", "Bearer abc")


# ---- the stateless era: caching, questions in results, listening


@breaks("CACHE-001", STATELESS, also="SCHEMA-002")
def no_time_to_live(tape: Tape) -> object:
    return tape.answer("prompts/list").drop("/result/ttlMs")


@breaks("CACHE-002", STATELESS, also="SCHEMA-002")
def a_time_to_live_of_less_than_nothing(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/ttlMs", -1)


@breaks("CACHE-003", STATELESS, also="SCHEMA-002")
def a_scope_that_there_is_not(tape: Tape) -> object:
    return tape.answer("prompts/list").set("/result/cacheScope", "shared")


@breaks("CACHE-004", STATELESS)
def pages_of_two_scopes(tape: Tape) -> object:
    return tape.answer("tools/list", 1).set("/result/cacheScope", "public")


@breaks("MRTR-002", STATELESS, also="SCHEMA-002 MRTR-006 MRTR-007 MRTR-008")
def a_question_without_a_question(tape: Tape) -> object:
    return tape.result("folders").drop("/result/inputRequests").drop("/result/requestState")


@breaks("MRTR-003", STATELESS, also="SCHEMA-002 MRTR-007")
def a_question_of_another_kind(tape: Tape) -> object:
    return tape.result("folders").set("/result/inputRequests/roots/method", "tools/list")


@breaks("MRTR-004", STATELESS, also="ROOTS-001 ROOTS-007 PROTO-041")
def a_question_that_was_not_declared(tape: Tape) -> object:
    return tape.call("folders").drop(META + escaped(CLIENT_CAPABILITIES) + "/roots")


@breaks("MRTR-005", STATELESS, also="JSONRPC-003")
def the_same_id_again(tape: Tape) -> None:
    first, again = tape.call("folders"), tape.request("tools/call", 1, name="folders")
    tape.result("folders", 1).set("/id", first.get("/id"))
    again.set("/id", first.get("/id"))


@breaks("MRTR-006", STATELESS, also="MRTR-008")
def another_state(tape: Tape) -> object:
    return tape.request("tools/call", 1, name="folders").set("/params/requestState", "forged")


@breaks("MRTR-007", STATELESS)
def an_answer_that_is_missing(tape: Tape) -> object:
    return tape.request("tools/call", 1, name="folders").drop("/params/inputResponses/roots")


@breaks("MRTR-013", STATELESS, also="SCHEMA-001 MRTR-006 MRTR-008")
def a_state_that_is_a_number(tape: Tape) -> object:
    return tape.request("tools/call", 1, name="folders").set("/params/requestState", 7)


@breaks("SUB-001", STATELESS, also="SCHEMA-001 SUB-003 SUB-005")
def a_filter_that_is_text(tape: Tape) -> object:
    return tape.request("subscriptions/listen").set("/params/notifications/toolsListChanged", "yes")


@breaks("SUB-002", STATELESS)
def no_acknowledgement(tape: Tape) -> None:
    tape.remove(tape.request("notifications/subscriptions/acknowledged"))


@breaks("SUB-003", STATELESS)
def more_than_was_asked_for(tape: Tape) -> object:
    acknowledged = tape.request("notifications/subscriptions/acknowledged")
    return acknowledged.set("/params/notifications/promptsListChanged", True)


@breaks("SUB-005", STATELESS)
def news_that_nobody_wanted(tape: Tape) -> object:
    news = tape.request("notifications/tools/list_changed")
    return news.set("/method", "notifications/prompts/list_changed")


@breaks("SUB-007", STATELESS, also="SUB-004")
def news_before_anybody_listens(tape: Tape) -> None:
    early = tape.add(SERVER, notify("notifications/tools/list_changed"), after=tape.result("burn"))
    early.pause = 5 * SECOND
    tape.request("subscriptions/listen").pause = 5 * SECOND


@breaks("SUB-010", STATELESS, also="SUB-005 SUB-007")
def news_after_the_end(tape: Tape) -> None:
    ended = tape.request("notifications/cancelled", -1)
    news = tape.request("notifications/tools/list_changed")
    late = tape.again(news, after=tape.answer("prompts/get"))
    late.pause = 5 * SECOND
    assert tape.entries.index(ended) < tape.entries.index(late)
