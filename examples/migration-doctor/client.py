"""Talks to the notebook as an older client does, and answers when it is asked for its model.

python client.py COMMAND [ARG]...
"""

import json
import subprocess
import sys

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def send(message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


def answer(request):
    content = {"type": "text", "text": "three things to buy"}
    send({"id": request["id"], "result": {"role": "assistant", "model": "example", "content": content}})


def ask(number, method, params):
    send({"id": number, "method": method, "params": params})
    for line in server.stdout:
        message = json.loads(line)
        if message.get("method") == "sampling/createMessage":
            answer(message)
        elif message.get("id") == number:
            return


info = {"name": "client", "version": "1.0"}
capabilities = {"roots": {"listChanged": True}, "sampling": {"context": {}}}
ask(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info})
send({"method": "notifications/initialized"})
ask(2, "ping", {})
ask(3, "logging/setLevel", {"level": "info"})
ask(4, "tools/list", {})
ask(5, "tools/call", {"name": "summarise", "arguments": {}})
ask(6, "resources/list", {})
ask(7, "resources/subscribe", {"uri": "note:///shopping"})
ask(8, "resources/read", {"uri": "note:///shopping"})
ask(9, "resources/read", {"uri": "note:///missing"})
server.stdin.close()
server.wait()
