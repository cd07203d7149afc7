"""A notebook that speaks v2025-11-25 and has what a move to v2026-07-28 takes away: sampling, logging, -32002."""

import json
import sys

NOTE = "note:///shopping"
TOOL = {
    "name": "summarise",
    "description": "Summarises a note with the client's own model.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
}


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask_model():
    content = {"type": "text", "text": "Summarise: milk, bread, tea"}
    params = {
        "messages": [{"role": "user", "content": content}],
        "maxTokens": 50,
        "includeContext": "thisServer",
    }
    send({"id": "sample", "method": "sampling/createMessage", "params": params})
    answer = json.loads(sys.stdin.readline())
    return answer["result"]["content"]["text"]


def summarise():
    send({"method": "notifications/message", "params": {"level": "info", "data": "asking the model"}})
    return {"content": [{"type": "text", "text": ask_model()}]}


def initialize(_):
    capabilities = {"tools": {}, "resources": {"subscribe": True}, "logging": {}}
    info = {"name": "notebook", "version": "1.0"}
    return {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}


def read(params):
    if params["uri"] == NOTE:
        return {"contents": [{"uri": NOTE, "mimeType": "text/plain", "text": "milk, bread, tea"}]}
    raise LookupError(params["uri"])


METHODS = {
    "initialize": initialize,
    "ping": lambda _: {},
    "logging/setLevel": lambda _: {},
    "tools/list": lambda _: {"tools": [TOOL]},
    "tools/call": lambda _: summarise(),
    "resources/list": lambda _: {"resources": [{"uri": NOTE, "name": "shopping", "mimeType": "text/plain"}]},
    "resources/subscribe": lambda _: {},
    "resources/read": read,
}

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    try:
        send({"id": request["id"], "result": METHODS[request["method"]](request.get("params", {}))})
    except LookupError as missing:
        known = request["method"] in METHODS
        error = {"code": -32002, "message": "Resource not found", "data": {"uri": missing.args[0]}}
        if not known:
            error = {"code": -32601, "message": "Method not found"}
        send({"id": request["id"], "error": error})
