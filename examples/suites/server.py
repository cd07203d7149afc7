"""The server that the suites of this folder test: a shop's stock, on the standard library alone.

python server.py
"""

from __future__ import annotations

import json
import sys
from typing import Any

STOCK = {"apple": 12, "pear": 3, "plum": 0}
NOTES: list[str] = []


def tool(name: str, description: str, properties: dict[str, Any], **hints: bool) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints}


FRUIT = {"type": "string", "description": "The fruit's name.", "maxLength": 40}
TOOLS = [
    {
        **tool("count", "Tells how many pieces of a fruit are in stock.", {"fruit": FRUIT}, readOnlyHint=True),
        "outputSchema": {
            "type": "object",
            "properties": {"fruit": {"type": "string"}, "pieces": {"type": "integer"}},
            "required": ["fruit", "pieces"],
        },
    },
    tool(
        "add_note",
        "Keeps a note about the stock and tells how many there are.",
        {"text": {"type": "string", "description": "The note.", "maxLength": 200}},
        idempotentHint=False,
    ),
    tool("clear_notes", "Forgets all notes.", {}, destructiveHint=True),
]


class ProblemError(Exception):
    """An error to answer with."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def call(name: str, arguments: Any) -> dict[str, Any]:
    known = {tool["name"]: tool["inputSchema"] for tool in TOOLS}
    if name not in known:
        raise ProblemError(-32602, f"Unknown tool: {name}")
    check(arguments, known[name])
    if name == "count":
        if arguments["fruit"] not in STOCK:
            return {"content": [{"type": "text", "text": f"no such fruit: {arguments['fruit'][:40]}"}], "isError": True}
        value = {"fruit": arguments["fruit"], "pieces": STOCK[arguments["fruit"]]}
        return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}
    if name == "add_note":
        NOTES.append(arguments["text"])
    else:
        NOTES.clear()
    return {"content": [{"type": "text", "text": f"{len(NOTES)} notes"}]}


def check(arguments: Any, schema: dict[str, Any]) -> None:
    if not isinstance(arguments, dict):
        raise ProblemError(-32602, "arguments must be an object")
    if set(arguments) != set(schema["required"]):
        raise ProblemError(-32602, f"expected exactly these arguments: {', '.join(schema['required'])}")
    for name, value in arguments.items():
        longest = schema["properties"][name]["maxLength"]
        if not isinstance(value, str) or len(value) > longest:
            raise ProblemError(-32602, f"{name} must be a text of at most {longest} characters")


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    match method:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                "serverInfo": {"name": "stock", "version": "1.0.0"},
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            return call(params.get("name", ""), params.get("arguments", {}))
        case "resources/list":
            return {"resources": [{"uri": "stock://all", "name": "all", "mimeType": "text/plain"}]}
        case "resources/read":
            if params.get("uri") != "stock://all":
                raise ProblemError(-32002, "Resource not found")
            text = "\n".join(f"{fruit}: {pieces}" for fruit, pieces in STOCK.items())
            return {"contents": [{"uri": "stock://all", "mimeType": "text/plain", "text": text}]}
        case "prompts/list":
            arguments = [{"name": "fruit", "required": True}]
            return {"prompts": [{"name": "order", "description": "An order for a fruit.", "arguments": arguments}]}
        case "prompts/get":
            fruit = params.get("arguments", {}).get("fruit")
            if params.get("name") != "order" or not isinstance(fruit, str):
                raise ProblemError(-32602, "there is one prompt, order, with one argument, fruit")
            return {"messages": [{"role": "user", "content": {"type": "text", "text": f"Order some {fruit}."}}]}
    raise ProblemError(-32601, f"Method not found: {method}")


def reply(message: Any) -> dict[str, Any] | None:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        identity = message.get("id") if isinstance(message, dict) else None
        return {"id": identity, "error": {"code": -32600, "message": "Invalid Request"}}
    if "id" not in message:
        return None
    params = message.get("params", {})
    try:
        if not isinstance(params, dict):
            raise ProblemError(-32602, "params must be an object")
        return {"id": message["id"], "result": answer(message["method"], params)}
    except ProblemError as problem:
        return {"id": message["id"], "error": {"code": problem.code, "message": str(problem)}}


for line in sys.stdin:
    try:
        said = reply(json.loads(line))
    except (ValueError, RecursionError):
        said = {"id": None, "error": {"code": -32700, "message": "Parse error"}}
    if said is not None:
        print(json.dumps({"jsonrpc": "2.0", **said}), flush=True)
