"""The brain of a mock that was written down instead of recorded: the answers follow from a manifest, in both eras."""

from __future__ import annotations

from typing import Any

import orjson

from mcptest.protocol import HANDSHAKE_REVISIONS, STATELESS_REVISIONS, methods
from mcptest.protocol.errors import INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR, RESOURCE_NOT_FOUND
from mcptest.replay.mocking.acts import Act
from mcptest.replay.mocking.manifest import Manifest
from mcptest.replay.mocking.splicing import id_text
from mcptest.replay.mocking.templates import fill
from mcptest.transport.headers import is_stateless, revision_of
from mcptest.wire import Message, parse
from mcptest.wire.message import MALFORMED, REQUEST

_SHOWN = 5  # problems with a call's arguments
_CACHED = {
    methods.DISCOVER,
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "resources/read",
}


class Imagined:
    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    def converse(self) -> _Conversation:
        return _Conversation(self._manifest)


class _Problem(Exception):  # noqa: N818 -- an answer
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Conversation:
    """It remembers nothing: every request is answered by itself."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    def open(self) -> list[Act]:
        return []

    def learn(self, request: dict[str, Any], answer: bytes) -> None:
        """A manifest does not grow."""

    def receive(self, data: bytes) -> list[Act]:
        acts = [self._answer(message) for message in parse(data) if message.kind in (REQUEST, MALFORMED)]
        if data.lstrip()[:1] != b"[" or not acts:
            return acts
        return [Act(b"[" + b",".join(act.data for act in acts) + b"]", is_answer=True)]

    def _answer(self, message: Message) -> Act:
        if message.id is None or message.body is None:
            error = {"code": PARSE_ERROR, "message": f"Parse error: {message.reason}"}
            return Act(orjson.dumps({"jsonrpc": "2.0", "id": None, "error": error}), is_answer=True)
        live = id_text(message.id)
        params = message.body.get("params")
        stateless = is_stateless(revision_of(message.body))
        try:
            content = self._content(message.method or "", params if type(params) is dict else {}, stateless)
        except _Problem as problem:
            content = {"error": {"code": problem.code, "message": str(problem)}}
        if stateless and "result" in content:
            content = {"result": self._stateless(message.method or "", content["result"])}
        inner = orjson.dumps(content).decode()
        return Act(f'{{"jsonrpc":"2.0","id":{live},{inner[1:]}'.encode(), live, is_answer=True)

    def _stateless(self, method: str, result: dict[str, Any]) -> dict[str, Any]:
        """What every result says of itself since 2026-07-28."""
        info = {"name": self._manifest.name, "version": self._manifest.version}
        cache = {"ttlMs": 0, "cacheScope": "private"} if method in _CACHED else {}
        return {"resultType": "complete", **result, **cache, "_meta": {methods.SERVER_INFO: info}}

    def _content(self, method: str, params: dict[str, Any], stateless: bool) -> dict[str, Any]:
        match method:
            case methods.INITIALIZE if not stateless:
                return {"result": self._initialized(params)}
            case methods.DISCOVER if stateless:
                found = {"supportedVersions": list(STATELESS_REVISIONS), "capabilities": self._capabilities()}
                return {"result": found | self._instructions()}
            case "ping" if not stateless:
                return {"result": {}}
            case "tools/list":
                return {"result": {"tools": [tool.definition for tool in self._manifest.tools.values()]}}
            case methods.CALL_TOOL:
                return self._call(params)
            case "resources/list":
                return {"result": {"resources": [one["definition"] for one in self._manifest.resources.values()]}}
            case "resources/templates/list":
                return {"result": {"resourceTemplates": []}}
            case "resources/read":
                return {"result": {"contents": [self._read(params.get("uri"), stateless)]}}
            case "prompts/list":
                return {"result": {"prompts": [prompt.definition for prompt in self._manifest.prompts.values()]}}
            case "prompts/get":
                return {"result": self._prompt(params)}
        raise _Problem(METHOD_NOT_FOUND, f"Method not found: {method}")

    def _initialized(self, params: dict[str, Any]) -> dict[str, Any]:
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[-1],
            "capabilities": self._capabilities(),
            "serverInfo": {"name": self._manifest.name, "version": self._manifest.version},
        } | self._instructions()

    def _capabilities(self) -> dict[str, Any]:
        offered = {
            "tools": self._manifest.tools,
            "resources": self._manifest.resources,
            "prompts": self._manifest.prompts,
        }
        return {name: {} for name, things in offered.items() if things}

    def _instructions(self) -> dict[str, Any]:
        return {} if self._manifest.instructions is None else {"instructions": self._manifest.instructions}

    def _call(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params.get("name")
        tool = self._manifest.tools.get(name) if type(name) is str else None
        if tool is None:
            raise _Problem(INVALID_PARAMS, f"Unknown tool: {name}")
        arguments = params.get("arguments") or {}
        problems = tool.arguments.problems(arguments, most=_SHOWN)
        if problems:
            text = "; ".join(f"{problem.pointer or '/'}: {problem.message}" for problem in problems)
            return {"result": {"content": [{"type": "text", "text": f"Invalid arguments: {text}"}], "isError": True}}
        filled: dict[str, Any] = fill(tool.answer, arguments)
        return filled

    def _read(self, uri: Any, stateless: bool) -> dict[str, Any]:
        found = self._manifest.resources.get(uri) if type(uri) is str else None
        if found is None:
            raise _Problem(INVALID_PARAMS if stateless else RESOURCE_NOT_FOUND, f"Resource not found: {uri}")
        contents: dict[str, Any] = found["contents"]
        return contents

    def _prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params.get("name")
        prompt = self._manifest.prompts.get(name) if type(name) is str else None
        if prompt is None:
            raise _Problem(INVALID_PARAMS, f"Unknown prompt: {name}")
        given = params.get("arguments")
        arguments = given if type(given) is dict else {}
        missing = sorted(prompt.required - set(arguments))
        if missing:
            raise _Problem(INVALID_PARAMS, f"Missing required arguments: {', '.join(missing)}")
        filled: dict[str, Any] = fill(prompt.result, arguments)
        return filled
