"""The mock over HTTP: sessions, streams, both eras, and whom it does not serve."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mcptest.errors import UsageError
from mcptest.protocol import methods
from mcptest.replay.mocking.faults import Faults, parse_fault
from mcptest.replay.mocking.faulty import Faulty
from mcptest.replay.mocking.guard import Address, Guard, parse_address
from mcptest.replay.mocking.running import Background, Running
from mcptest.wire.sse import Events, parse_event
from tests.helpers.journals import Talk
from tests.replay.mocking.test_conversation import brain, note

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
MODERN = {methods.PROTOCOL_VERSION: "2026-07-28", methods.CLIENT_CAPABILITIES: {}}


def talk() -> Talk:
    made = Talk().handshake()
    made.server(note("notifications/message", data="welcome"))
    made.call(1, "look", city="Berlin")
    made.request(2, "tools/call", name="slow", arguments={}, _meta={"progressToken": 2})
    for step in (1, 2):
        made.server(note("notifications/progress", progressToken=2, progress=step))
    made.result(2, content=[])
    made.server(note("notifications/tools/list_changed"))
    made.request(3, "tools/call", name="ask", arguments={})
    made.server({"jsonrpc": "2.0", "id": 0, "method": "roots/list"})
    made.client({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}})
    return made.result(3, content=[])


class Client:
    """Speaks to a mock as plainly as HTTP allows."""

    def __init__(self, url: str) -> None:
        self.host = url.split("/")[2]
        self.headers: dict[str, str] = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }

    def send(self, method: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], list[Any]]:
        """Status, headers, and the messages in the answer, whether it is one or a stream of them."""
        connection = http.client.HTTPConnection(self.host, timeout=20)
        data = None if body is None else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, "/mcp", data, {**self.headers, **named})
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.getheader("Content-Type") == "text/event-stream":
            return response.status, dict(response.headers), messages(content)
        found = [json.loads(content)] if content[:1] == b"{" else []
        return response.status, dict(response.headers), found

    def post(self, method: str, identity: Any = 9, **params: Any) -> list[Any]:
        status, _, found = self.send("POST", {"jsonrpc": "2.0", "id": identity, "method": method, "params": params})
        assert status == 200
        return found

    def initialize(self) -> None:
        status, headers, _ = self.send(
            "POST", {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
        )
        assert status == 200
        self.headers["Mcp-Session-Id"] = headers["Mcp-Session-Id"]
        self.headers["MCP-Protocol-Version"] = "2025-11-25"
        assert self.send("POST", note("notifications/initialized"))[0] == 202


def messages(content: bytes) -> list[Any]:
    events = [parse_event(raw) for raw in Events().feed(content)]
    return [json.loads(event.data) for event in events if event.data]


@contextmanager
def served(made: Talk | None = None, faults: tuple[str, ...] = ()) -> Iterator[Client]:
    mock: Any = brain(made or talk())
    if faults:
        mock = Faulty(mock, Faults(tuple(map(parse_fault, faults))))
    server = Background(Running(mock, Address("127.0.0.1", 0)))
    server.start()
    try:
        yield Client(server.url)
    finally:
        server.stop()


def stream(client: Client, **headers: str) -> socket.socket:
    """A GET that stays open."""
    connection = socket.create_connection(client.host.split(":"), timeout=20)
    lines = {"Host": client.host, **client.headers, **{k.replace("_", "-"): v for k, v in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    connection.sendall(f"GET /mcp HTTP/1.1\r\n{head}\r\n".encode())
    return connection


def read_until(connection: socket.socket, wanted: bytes) -> bytes:
    received = b""
    while wanted not in received:
        more = connection.recv(4096)
        assert more, received
        received += more
    return received


def test_a_session_is_opened_used_and_closed():
    with served() as client:
        client.initialize()
        (answer,) = client.post("tools/call", name="look", arguments={"city": "Berlin"})
        assert answer["result"]["content"][0]["text"] == "look is done"
        assert client.send("DELETE")[0] == 200
        assert client.send("POST", {"jsonrpc": "2.0", "id": 5, "method": "ping"})[0] == 404


def test_without_a_session_there_is_no_answer():
    with served() as client:
        assert client.send("POST", {"jsonrpc": "2.0", "id": 5, "method": "ping"})[0] == 400
        assert client.send("GET")[0] == 400
        assert client.send("POST", {"jsonrpc": "2.0", "id": 5, "method": "ping"}, Mcp_Session_Id="none")[0] == 404


def test_an_answer_with_progress_is_a_stream():
    with served() as client:
        client.initialize()
        found = client.post("tools/call", name="slow", arguments={}, _meta={"progressToken": "p"})
        assert [one.get("method", "answer") for one in found] == ["notifications/progress"] * 2 + ["answer"]
        assert found[0]["params"]["progressToken"] == "p"


def test_the_servers_own_messages_come_on_a_stream_of_their_own():
    with served() as client:
        client.initialize()
        client.post("tools/call", name="slow", arguments={})
        connection = stream(client)
        received = read_until(connection, b"tools/list_changed")
        assert b"welcome" in received
        connection.close()


def test_a_servers_request_waits_for_the_reply_that_comes_by_another_post():
    with served() as client:
        client.initialize()
        connection = socket.create_connection(client.host.split(":"), timeout=20)
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "ask", "arguments": {}}}
        )
        head = "".join(f"{name}: {value}\r\n" for name, value in {"Host": client.host, **client.headers}.items())
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        asked = messages(
            read_until(connection, b"roots/list").partition(b"\r\n\r\n")[2].replace(b"\r\n", b"\n") + b"\n\n"
        )
        identity = next(one["id"] for one in asked if "method" in one)
        assert client.send("POST", {"jsonrpc": "2.0", "id": identity, "result": {"roots": []}})[0] == 202
        assert b'"id": 7' in (rest := read_until(connection, b"0\r\n\r\n")) or b'"id":7' in rest
        connection.close()


def test_a_broken_stream_is_resumed_behind_the_last_event_seen():
    with served() as client:
        client.initialize()
        connection = http.client.HTTPConnection(client.host, timeout=20)
        call = {"name": "slow", "arguments": {}, "_meta": {"progressToken": 1}}
        request = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
        connection.request("POST", "/mcp", request, client.headers)
        events = [parse_event(raw) for raw in Events().feed(connection.getresponse().read())]
        connection.close()
        assert events[0].id is not None
        assert not events[0].data
        status, _, found = client.send("GET", Last_Event_ID=events[1].id)
        assert status == 200
        assert found == [json.loads(event.data) for event in events[2:]]
        assert client.send("GET", Last_Event_ID="99-0")[0] == 400


def test_the_stream_of_a_cancelled_request_ends():
    made = Talk().handshake().request(1, "tools/call", name="slow", arguments={})
    made.client(note("notifications/cancelled", requestId=1))
    with served(made) as client:
        client.initialize()
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "slow", "arguments": {}}}
        )
        connection = http.client.HTTPConnection(client.host, timeout=20)
        connection.request("POST", "/mcp", body, client.headers)
        response = connection.getresponse()
        assert response.status == 200
        assert client.send("POST", note("notifications/cancelled", requestId=5))[0] == 202
        assert messages(response.read()) == []
        connection.close()


def test_two_sessions_do_not_use_up_each_others_answers():
    made = Talk().handshake()
    for number in (1, 2):
        made.request(number, "tools/call", name="next", arguments={})
        made.result(number, content=[{"type": "text", "text": str(number)}])
    with served(made) as first:
        other = Client(f"http://{first.host}/mcp")
        for client in (first, other):
            client.initialize()
            (answer,) = client.post("tools/call", name="next", arguments={})
            assert answer["result"]["content"][0]["text"] == "1"


def modern(client: Client, method: str, about: str | None = None, **params: Any) -> tuple[int, list[Any]]:
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": method} | ({"Mcp_Name": about} if about else {})
    body = {"jsonrpc": "2.0", "id": 4, "method": method, "params": {**params, "_meta": MODERN}}
    status, answered, found = client.send("POST", body, **headers)
    assert "Mcp-Session-Id" not in answered
    return status, found


def test_in_the_stateless_era_every_request_stands_for_itself():
    with served() as client:
        status, (answer,) = modern(client, "tools/call", "look", name="look", arguments={"city": "Berlin"})
        assert (status, answer["id"]) == (200, 4)
        assert modern(client, "nonsense")[0] == 404
        assert modern(client, "tools/call", "look", name="look", arguments={"city": "Oslo"})[0] == 400
        assert client.send("GET", MCP_Protocol_Version="2026-07-28")[0] == 405


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, -32020),
        ({"MCP_Protocol_Version": "2025-11-25"}, -32020),
        ({"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}, -32020),
        ({"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "peek"}, -32020),
        ({"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "=?base64?bG9vaw==?="}, None),
    ],
)
def test_headers_must_say_what_the_body_says(headers, code):
    body = {"jsonrpc": "2.0", "id": 4, "method": "tools/call",
            "params": {"name": "look", "arguments": {"city": "Berlin"}, "_meta": MODERN}}  # fmt: skip
    with served() as client:
        status, _, (answer,) = client.send("POST", body, **headers)
        assert answer.get("error", {}).get("code") == code
        assert status == (200 if code is None else 400)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]:9"}, 200),
    ],
)
def test_only_this_machine_is_served(headers, status):
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    with served() as client:
        assert client.send("POST", body, **headers)[0] == status


def test_another_address_than_loopback_needs_a_name_to_be_known_by():
    with pytest.raises(UsageError, match="--allow-host"):
        Running(brain(talk()), parse_address("0.0.0.0:0"))
    assert Guard(["mock.internal"]).objection("mock.internal:80", None) is None


@pytest.mark.parametrize("text", ["", "x:y", "localhost", "1:2:3", "127.0.0.1:99999"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(UsageError):
        parse_address(text)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"nonsense\r\n\r\n", b"403"),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{oops", b"400"),
        (b"POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", b"404"),
        (b"PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", b"405"),
        (b"GET /" + b"x" * 70_000, b"431"),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
    ],
)
def test_malformed_requests_get_an_answer_and_nothing_else_suffers(raw, status):
    with served() as client:
        connection = socket.create_connection(client.host.split(":"), timeout=20)
        connection.sendall(raw)
        assert connection.recv(64).split()[1] == status
        connection.close()
        client.initialize()


def test_a_chunked_body_and_pipelined_requests_are_read():
    with served() as client:
        ping = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
        head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunked = head + b"5\r\n" + ping[:5] + b"\r\n%x\r\n" % (len(ping) - 5) + ping[5:] + b"\r\n0\r\n\r\n"
        connection = socket.create_connection(client.host.split(":"), timeout=20)
        connection.sendall(chunked * 3)
        received = b""
        while received.count(b'"protocolVersion"') < 3:
            received += connection.recv(4096)
        connection.close()


def test_a_fault_can_hang_up():
    with served(faults=("disconnect-after:0",)) as client:
        client.initialize()
        with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
            client.post("tools/call", name="look", arguments={"city": "Berlin"})


def test_a_port_in_use_is_told():
    with served() as client:
        port = int(client.host.rpartition(":")[2])
        with pytest.raises(UsageError, match="cannot listen on"):
            Background(Running(brain(talk()), Address("127.0.0.1", port))).start()
