"""Small models of the messages of the three older revisions: what must be there, and of which type.

They are JSON Schemas of our own making, for the members that matter and open to all others. Each revision is the one
before it with what its changelog names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from mcptest.schemas import Validator
from mcptest.wire.frame import CLIENT, SERVER

Shape = dict[str, Any]
Key = tuple[str, str, str]  # part, sender, method

_MOST = 20


def _record(required: Mapping[str, Any] = {}, /, **optional: Any) -> Shape:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
    }


def _one_of(*values: str) -> Shape:
    return {"enum": list(values)}


def _list(items: Any) -> Shape:
    return {"type": "array", "items": items}


def _map(values: Any) -> Shape:
    return {"type": "object", "additionalProperties": values}


_TEXT: Shape = {"type": "string"}
_FLAG: Shape = {"type": "boolean"}
_NUMBER: Shape = {"type": "number"}
_WHOLE: Shape = {"type": "integer"}
_OBJECT: Shape = {"type": "object"}
_TOKEN: Shape = {"type": ["string", "integer"]}
_ROLE = _one_of("user", "assistant")
_LEVEL = _one_of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_META = _record(progressToken=_TOKEN)


def _tagged(tags: Mapping[str, Shape]) -> Shape:
    """An object whose `type` says which shape it has. One with a type that is not listed is left to CONTENT-001."""
    return {
        "type": "object",
        "required": ["type"],
        "properties": {"type": _TEXT},
        "allOf": [
            {"if": {"required": ["type"], "properties": {"type": {"const": tag}}}, "then": shape}
            for tag, shape in tags.items()
        ],
    }


def _models(revision: str) -> dict[Key, Shape | None]:
    """The params or results of every message; None where there need not be any params."""
    audio, titles = revision >= "2025-03-26", revision >= "2025-06-18"
    title: Shape = {"title": _TEXT} if titles else {}
    annotations = _record(
        audience=_list(_ROLE),
        priority={"type": "number", "minimum": 0, "maximum": 1},
        **({"lastModified": _TEXT} if titles else {}),
    )
    media = _record({"data": _TEXT, "mimeType": _TEXT}, annotations=annotations)
    contents = {
        **_record({"uri": _TEXT}, mimeType=_TEXT),
        "anyOf": [_record({"text": _TEXT}), _record({"blob": _TEXT})],
    }
    described = {"description": _TEXT, **title}
    resource = _record(
        {"uri": _TEXT, "name": _TEXT}, **described, mimeType=_TEXT, size=_NUMBER, annotations=annotations
    )
    plain = {"text": _record({"text": _TEXT}, annotations=annotations), "image": media}
    if audio:
        plain["audio"] = media
    rich = {**plain, "resource": _record({"resource": contents}, annotations=annotations)}
    if titles:
        rich["resource_link"] = resource
    block, sampled = _tagged(rich), _tagged(plain)
    implementation = _record({"name": _TEXT, "version": _TEXT}, **title)
    changes = _record(listChanged=_FLAG)
    page = {"nextCursor": _TEXT}
    schema = {
        **_record({"type": {"const": "object"}}, properties=_OBJECT, required=_list(_TEXT)),
    }
    tool = _record({"name": _TEXT, "inputSchema": schema}, **described)
    if audio:
        tool["properties"]["annotations"] = _record(
            title=_TEXT, readOnlyHint=_FLAG, destructiveHint=_FLAG, idempotentHint=_FLAG, openWorldHint=_FLAG
        )
    if titles:
        tool["properties"]["outputSchema"] = schema
    prompt = _record(
        {"name": _TEXT},
        **described,
        arguments=_list(_record({"name": _TEXT}, **described, required=_FLAG)),
    )
    progress = _record({"progressToken": _TOKEN, "progress": _NUMBER}, total=_NUMBER)
    if audio:
        progress["properties"]["message"] = _TEXT
    message = _record({"role": _ROLE, "content": sampled})
    complete = _record(
        {
            "ref": _tagged({"ref/prompt": _record({"name": _TEXT}), "ref/resource": _record({"uri": _TEXT})}),
            "argument": _record({"name": _TEXT, "value": _TEXT}),
        }
    )
    if titles:
        complete["properties"]["context"] = _record(arguments=_map(_TEXT))
    call_result = _record({"content": _list(block)}, isError=_FLAG)
    if titles:
        call_result["properties"]["structuredContent"] = _OBJECT
    capabilities = {"experimental": _map(_OBJECT)}
    uri, empty = _record({"uri": _TEXT}), _record()
    cancelled = _record({"requestId": _TOKEN}, reason=_TEXT)
    listing = _record(cursor=_TEXT)

    client: dict[str, tuple[Shape | None, Shape]] = {
        "initialize": (
            _record(
                {
                    "protocolVersion": _TEXT,
                    "capabilities": _record(
                        **capabilities,
                        roots=changes,
                        sampling=_OBJECT,
                        **({"elicitation": _OBJECT} if titles else {}),
                    ),
                    "clientInfo": implementation,
                }
            ),
            _record(
                {
                    "protocolVersion": _TEXT,
                    "capabilities": _record(
                        **capabilities,
                        logging=_OBJECT,
                        prompts=changes,
                        tools=changes,
                        resources=_record(subscribe=_FLAG, listChanged=_FLAG),
                        **({"completions": _OBJECT} if audio else {}),
                    ),
                    "serverInfo": implementation,
                },
                instructions=_TEXT,
            ),
        ),
        "ping": (None, empty),
        "tools/list": (listing, _record({"tools": _list(tool)}, **page)),
        "tools/call": (_record({"name": _TEXT}, arguments=_OBJECT), call_result),
        "resources/list": (listing, _record({"resources": _list(resource)}, **page)),
        "resources/templates/list": (
            listing,
            _record(
                {
                    "resourceTemplates": _list(
                        _record(
                            {"uriTemplate": _TEXT, "name": _TEXT}, **described, mimeType=_TEXT, annotations=annotations
                        )
                    )
                },
                **page,
            ),
        ),
        "resources/read": (uri, _record({"contents": _list(contents)})),
        "resources/subscribe": (uri, empty),
        "resources/unsubscribe": (uri, empty),
        "prompts/list": (listing, _record({"prompts": _list(prompt)}, **page)),
        "prompts/get": (
            _record({"name": _TEXT}, arguments=_map(_TEXT)),
            _record({"messages": _list(_record({"role": _ROLE, "content": block}))}, description=_TEXT),
        ),
        "completion/complete": (
            complete,
            _record({"completion": _record({"values": _list(_TEXT)}, total=_NUMBER, hasMore=_FLAG)}),
        ),
        "logging/setLevel": (_record({"level": _LEVEL}), empty),
    }
    server: dict[str, tuple[Shape | None, Shape]] = {
        "ping": (None, empty),
        "roots/list": (None, _record({"roots": _list(_record({"uri": _TEXT}, name=_TEXT))})),
        "sampling/createMessage": (
            _record(
                {"messages": _list(message), "maxTokens": _NUMBER},
                modelPreferences=_record(
                    hints=_list(_record(name=_TEXT)),
                    **{
                        f"{what}Priority": {"type": "number", "minimum": 0, "maximum": 1}
                        for what in ("cost", "speed", "intelligence")
                    },
                ),
                systemPrompt=_TEXT,
                includeContext=_one_of("none", "thisServer", "allServers"),
                temperature=_NUMBER,
                stopSequences=_list(_TEXT),
                metadata=_OBJECT,
            ),
            _record({"role": _ROLE, "content": sampled, "model": _TEXT}, stopReason=_TEXT),
        ),
    }
    if titles:
        server["elicitation/create"] = (
            _record(
                {"message": _TEXT, "requestedSchema": _record({"type": {"const": "object"}, "properties": _OBJECT})}
            ),
            _record(
                {"action": _one_of("accept", "decline", "cancel")},
                content=_map({"type": ["string", "number", "boolean"]}),
            ),
        )
    told: dict[str, dict[str, Shape | None]] = {
        CLIENT: {
            "notifications/initialized": None,
            "notifications/roots/list_changed": None,
            "notifications/cancelled": cancelled,
            "notifications/progress": progress,
        },
        SERVER: {
            "notifications/cancelled": cancelled,
            "notifications/progress": progress,
            "notifications/message": _record({"level": _LEVEL, "data": {}}, logger=_TEXT),
            "notifications/resources/updated": uri,
            "notifications/resources/list_changed": None,
            "notifications/tools/list_changed": None,
            "notifications/prompts/list_changed": None,
        },
    }
    models: dict[Key, Shape | None] = {}
    for asker, answerer, table in ((CLIENT, SERVER, client), (SERVER, CLIENT, server)):
        for method, (params, result) in table.items():
            models["request", asker, method] = params
            models["result", answerer, method] = result
    for sender, notifications in told.items():
        for method, params in notifications.items():
            models["notification", sender, method] = params
    return models


OLDER: dict[str, dict[Key, Shape | None]] = {
    revision: _models(revision) for revision in ("2024-11-05", "2025-03-26", "2025-06-18")
}
_LISTS = frozenset({"tools/list", "resources/list", "resources/templates/list", "prompts/list"})


@cache
def _validator(revision: str, part: str, sender: str, method: str) -> Validator:
    shape = OLDER[revision][part, sender, method] or _record()
    meta = _META if part == "request" else _OBJECT
    return Validator({**shape, "properties": {**shape["properties"], "_meta": meta}})


def older_problems(revision: str, sender: str, method: str, part: str, value: Any) -> list[tuple[str, str]]:
    models = OLDER[revision]
    if (part, sender, method) not in models:
        return []
    if value is None and part != "result" and (models[part, sender, method] is None or method in _LISTS):
        return []  # these messages need no params
    if value is None and part != "result":
        return [("", "params are missing")]
    validator = _validator(revision, part, sender, method)
    if validator.is_valid(value):
        return []
    return [(problem.pointer, problem.message) for problem in validator.problems(value, _MOST)]
