"""A server that does one thing oddly: `python odd.py HABIT [FILE]`. It notes each method that it is asked in the file."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

HABIT = sys.argv[1]
SLOW = HABIT.startswith("slow-")
HABIT = HABIT.removeprefix("slow-")
NOTES = sys.argv[2] if len(sys.argv) > 2 else None
INFO = {"name": "odd", "version": "1"}
META = {"io.modelcontextprotocol/serverInfo": INFO}
OFFERED: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
PROMPT = {"name": "greet", "arguments": [{"name": "who", "required": True}, {"name": "tone"}]}


def note(text: str) -> None:
    if NOTES is not None:
        with open(NOTES, "a", encoding="utf-8") as file:
            file.write(text + "\n")


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def page(params: dict[str, Any], key: str, thing: dict[str, Any]) -> dict[str, Any]:
    number = int(params.get("cursor", "0"))
    named = {name: f"{value}{number}" if name in ("name", "uri") else value for name, value in thing.items()}
    if HABIT == "endless":
        return {key: [named], "nextCursor": str(number + 1)}
    if HABIT == "circular":
        return {key: [named], "nextCursor": "7"}
    return {key: [named]} if number else {key: [named], "nextCursor": "1"}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        version = "2025-06-18" if HABIT == "older" else params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": OFFERED, "serverInfo": INFO}
    if method == "ping":
        return {}
    if method == "tools/list":
        return page(
            params, "tools", {"name": "burn", "description": "Burns it all.", "inputSchema": {"type": "object"}}
        )
    if method == "resources/list":
        return page(params, "resources", {"uri": "odd://thing/", "name": "thing", "mimeType": "text/plain"})
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": "odd://{kind}/{name}", "name": "things"}]}
    if method == "prompts/list":
        return {"prompts": [PROMPT]}
    if method == "resources/read" and params["uri"].startswith("odd://"):
        return {"contents": [{"uri": params["uri"], "text": "A thing.", "mimeType": "text/plain"}]}
    if method == "prompts/get":
        note(f"arguments {json.dumps(params.get('arguments'))}")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Hello."}}]}
    if method == "completion/complete":
        return {"completion": {"values": ["Ada", "Bob"]}}
    return None


def refusal(method: str) -> dict[str, Any]:
    if method == "resources/read":
        return {"code": -32602 if HABIT == "modern" else -32002, "message": "Resource not found"}
    return {"code": -32601, "message": "Method not found"}


def stateless(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """As the era of discovery has it: no handshake, and each result says what it is."""
    if method in ("initialize", "ping"):
        return None
    result: dict[str, Any] | None
    if method == "server/discover":
        result = {"supportedVersions": ["2026-07-28"], "capabilities": OFFERED}
    else:
        result = answer(method, params)
    if result is None:
        return None
    cached = {"ttlMs": 0, "cacheScope": "private"} if method not in ("prompts/get", "completion/complete") else {}
    return {**result, **cached, "resultType": "complete", "_meta": META}


def main() -> None:
    time.sleep(1.0 if SLOW else 0)
    for line in sys.stdin:
        message = json.loads(line)
        method, identity = message.get("method"), message.get("id")
        note(str(method))
        if identity is None or method is None or HABIT == "mute":
            continue
        known = {"server/discover"} if HABIT == "modern" else {"initialize"}
        if HABIT == "ignores-discovery" and method == "server/discover":
            continue
        if HABIT == "dies-of-discovery" and method == "server/discover":
            sys.exit(3)
        if HABIT == "dies-of-the-unknown" and method == "mcptest/no-such-method":
            print("cannot go on", file=sys.stderr, flush=True)
            sys.exit(7)
        if HABIT == "falls-silent" and method not in known | {"server/discover", "ping"}:
            continue
        serve = stateless if HABIT == "modern" else answer
        result = serve(method, message.get("params") or {})
        send({"id": identity, "result": result} if result is not None else {"id": identity, "error": refusal(method)})


main()
