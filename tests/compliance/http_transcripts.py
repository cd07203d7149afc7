"""Sessions over HTTP as people write them; docs/compliance-rules.md describes the format."""

from __future__ import annotations

import json
import re
from typing import Any

from mcptest.wire.frame import CLIENT, REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SERVER, SSE
from tests.compliance.transcripts import HANDSHAKE, STATELESS, Talk, _bytes

MCP, HOST, SESSION = "/mcp", "127.0.0.1:8000", "5e551011-5e55-4e55-8e55-5e5510115e55"
REASONS = {200: "OK", 202: "Accepted", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_LINE = re.compile(r"(?P<marks>[xi~]*)(?P<way>[><*]) ?(?:#(?P<label>\w+) ?)?(?P<what>.*)", re.DOTALL)
_VERB = re.compile(
    r"(?P<verb>GET|POST|PUT|DELETE|OPTIONS|HEAD)\b ?(?P<path>(?:/|https?:)\S*)? ?(?P<body>.*)", re.DOTALL
)
_FIELD = re.compile(r"(id|retry|name|data)=(\S*) ?")

Headers = list[tuple[str, bytes]]
Change = tuple[str, str, bytes]  # how, the header's name and value


class Exchange:
    def __init__(self, number: int, connection: int, verb: str, path: str) -> None:
        self.number, self.connection, self.verb, self.path = number, connection, verb, path
        self.answered = self.streams = self.over = False
        self.requests: set[str] = set()


class HttpTalk(Talk):
    def __init__(self, revision: str, settings: dict[str, str]) -> None:
        self._exchanges: list[Exchange] = []
        self._labels: dict[str, Exchange] = {}
        self._pending: tuple[str, list[str], str] | None = None
        self._session: str | None = None
        self._connections = 0
        self._sse = settings["transport"] == "http+sse"
        self._messages = MCP
        super().__init__(revision, settings)
        if settings.get("start") == "middle" and revision in HANDSHAKE:
            self._session = self._given_session()

    def _given_session(self) -> str | None:
        given = self.settings.get("session-id", SESSION)
        return None if given == "none" or self.revision < "2025-03-26" or self._sse else given

    # ---- the opening

    def _about(self) -> dict[str, Any]:
        return {"transport": "streamable-http", "target": {"url": f"http://{HOST}{MCP}"}}

    def _begin(self) -> None:
        if self._sse:
            self._request("GET", "/sse", b"", [], b"")
            self._answer(self._exchanges[-1], 200, "text/event-stream", None, [])
            self._messages = "/messages/?session_id=1"
            self._sse_event(self._exchanges[-1], b"event: endpoint\ndata: " + self._messages.encode())

    def _send(self, sender: str, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        if sender == CLIENT:
            self._request("POST", self._messages, data, [], b"")
            if "id" not in message or self._sse:
                self._answer(self._exchanges[-1], 202, "", b"", [])
            return
        more: list[Change] = []
        if message["id"] == 0 and self.revision in HANDSHAKE:
            self._session = self._given_session()
            more = [("=", "Mcp-Session-Id", self._session.encode())] if self._session else []
        if self._sse:
            self._sse_event(self._exchanges[0], b"event: message\ndata: " + data)
        else:
            self._answer(self._exchanges[-1], 200, "application/json", data, more)

    # ---- lines

    def add(self, line: str, where: str) -> None:
        """Indented lines change the headers of the line before them."""
        if line.startswith("  ") and self._pending is not None:
            self._pending[1].append(line.strip())
            return
        self._flush()
        if line.strip() and not line.startswith("#"):
            self._pending = line, [], where

    def finish(self) -> None:
        self._flush()
        if self.settings.get("end") == "none":
            return
        for exchange in self._exchanges:
            if exchange.streams and not exchange.over:
                self._close(exchange, CLIENT, "closed")
        for _ in range(self._connections):
            self._event("disconnected", by=CLIENT, how="closed")
        self._event("end")

    def _flush(self) -> None:
        if self._pending is None:
            return
        (line, changes, where), self._pending = self._pending, None
        match = _LINE.fullmatch(line)
        assert match, f"{where}: a line begins with '>', '<' or '*', not {line!r}"
        first = len(self.frames)
        if set(match["marks"]) & set("xi"):
            self.marked.append(first)
        headers = [_change(change, where) for change in changes]
        synthetic = "~" in match["marks"]
        if match["way"] == "*":
            self._happen_on(match["label"], match["what"], where)
        elif match["way"] == ">":
            self._from_client(match["label"], match["what"], headers, where, synthetic)
        else:
            self._from_server(match["label"], match["what"], headers, where)
        self.first.update((seq, first) for seq in range(first, len(self.frames)))

    def _happen_on(self, label: str | None, what: str, where: str) -> None:
        word, _, more = what.partition(" ")
        if word == "aborted":
            exchange = self._labels[label] if label else next(one for one in self._exchanges if not one.over)
            exchange.over = True
            self._event("aborted", by=more or CLIENT, how="closed", during="waiting", x=exchange.number)
        else:
            self._happen(what, where)

    def _from_client(self, label: str | None, what: str, changes: list[Change], where: str, synthetic: bool) -> None:
        if what == "close":
            self._close(self._stream(label, where), CLIENT, "closed")
            return
        match = _VERB.match(what)
        verb, path, text = (match["verb"], match["path"], match["body"]) if match else ("POST", None, what)
        kind = ""
        if text.startswith("form "):
            kind, body = "application/x-www-form-urlencoded", text[5:].encode()
        else:
            body = self._data(CLIENT, text, where) if text else b""
        self._request(verb, path or self._messages, body, changes, b"~" if synthetic else b"", kind)
        if label:
            self._labels[label] = self._exchanges[-1]

    def _from_server(self, label: str | None, what: str, changes: list[Change], where: str) -> None:
        word, _, rest = what.partition(" ")
        if word == "close":
            self._close(self._stream(label, where), SERVER, rest or "ended")
        elif word == "stream":
            self._answer(self._waiting(label, where), int(rest or 200), "text/event-stream", None, changes)
        elif word == "event":
            self._sse_event(self._stream(label, where), self._fields(rest, where))
        elif word.startswith(":"):
            self._sse_event(self._stream(label, where), what.encode())
        elif word.isdigit() and len(word) == 3:
            exchange = self._waiting(label, where)
            body = self._data(SERVER, rest, where) if rest else b""
            kind = "" if not body else "text/plain" if rest.startswith("|") else "application/json"
            self._answer(exchange, int(word), kind, body, changes)
        else:
            body = self._data(SERVER, what, where)
            exchange = self._home(label, body, where)
            if exchange.streams:
                self._sse_event(exchange, b"event: message\ndata: " + body)
            else:
                self._answer(exchange, 200, "application/json", body, changes)

    def _fields(self, text: str, where: str) -> bytes:
        lines: list[str] = []
        data = None
        while match := _FIELD.match(text):
            if match[1] == "data":
                data = match[2]
            else:
                lines.append(f"{'event' if match[1] == 'name' else match[1]}: {match[2]}")
            text = text[match.end() :]
        found = "\n".join(lines).encode()
        if text:
            return found + (b"\n" if found else b"") + b"data: " + self._data(SERVER, text, where)
        return found if data is None else found + (b"\n" if found else b"") + b"data: " + data.encode()

    # ---- which exchange

    def _waiting(self, label: str | None, where: str) -> Exchange:
        if label:
            return self._labels[label]
        found = next((one for one in self._exchanges if not one.answered and not one.over), None)
        assert found, f"{where}: no HTTP request waits for a response"
        return found

    def _stream(self, label: str | None, where: str) -> Exchange:
        if label:
            return self._labels[label]
        found = next((one for one in reversed(self._exchanges) if one.streams and not one.over), None)
        assert found, f"{where}: no stream is open"
        return found

    def _home(self, label: str | None, body: bytes, where: str) -> Exchange:
        """Where a message of the server goes if nothing else is said: an answer to its request's own exchange."""
        if label:
            return self._labels[label]
        message = json.loads(body)
        if self._sse or "method" in message:
            return self._stream(None, where)
        for exchange in self._exchanges:
            if not exchange.over and repr(message.get("id")) in exchange.requests:
                return exchange
        return self._waiting(None, where)

    # ---- frames

    def _request(
        self, verb: str, path: str, body: bytes, changes: list[Change], synthetic: bytes, kind: str = ""
    ) -> None:
        busy = {one.connection for one in self._exchanges if not one.over}
        connection = next(number for number in range(1, 1000) if number not in busy)
        if connection > self._connections:
            self._connections = connection
            self._event("connected", peer="127.0.0.1:50000")
        exchange = Exchange(len(self._exchanges) + 1, connection, verb, path)
        self._exchanges.append(exchange)
        exchange.requests = {repr(one["id"]) for one in _messages(body) if "id" in one and "method" in one}
        headers: Headers = [("Host", HOST.encode())]
        if path.partition("?")[0] == MCP:
            headers += self._mcp_headers(verb, body)
        elif path == "/sse":
            headers.append(("Accept", b"text/event-stream"))
        if body:
            headers += [("Content-Type", (kind or "application/json").encode()), ("Content-Length", b"%d" % len(body))]
        meta = self._meta(exchange, synthetic)
        start = f"{verb} {path} HTTP/1.1"
        self._put(REQUEST, _head(start, _changed(headers, changes)), meta, conn=self._scope(exchange))
        if body:
            self._put(REQUEST_BODY, body, meta, conn=self._scope(exchange))

    def _mcp_headers(self, verb: str, body: bytes) -> Headers:
        accept = b"text/event-stream" if verb == "GET" else b"application/json, text/event-stream"
        headers: Headers = [("Accept", accept)] if verb in ("GET", "POST") else []
        sent = _messages(body)
        opens = any(one.get("method") == "initialize" for one in sent)
        if self.revision in HANDSHAKE and not opens:
            if self.revision >= "2025-06-18":
                headers.append(("MCP-Protocol-Version", self.revision.encode()))
            if self._session is not None:
                headers.append(("Mcp-Session-Id", self._session.encode()))
        elif self.revision in STATELESS:
            headers.append(("MCP-Protocol-Version", self.revision.encode()))
            if sent and isinstance(sent[0].get("method"), str):
                method = sent[0]["method"]
                headers.append(("Mcp-Method", method.encode()))
                name = (sent[0].get("params") or {}).get(NAMES.get(method, ""))
                if isinstance(name, str):
                    headers.append(("Mcp-Name", name.encode()))
        return headers

    def _answer(self, exchange: Exchange, status: int, kind: str, body: bytes | None, changes: list[Change]) -> None:
        exchange.answered = True
        headers: Headers = [("Content-Type", kind.encode())] if kind else []
        if body is not None:
            headers.append(("Content-Length", b"%d" % len(body)))
        elif self.revision in STATELESS:
            headers.append(("X-Accel-Buffering", b"no"))
        meta = self._meta(exchange)
        head = _head(f"HTTP/1.1 {status} {REASONS.get(status, 'Other')}", _changed(headers, changes))
        self._put(RESPONSE, head, meta, conn=self._scope(exchange))
        if body is None:
            exchange.streams = True
            self._event("stream opened", x=exchange.number)
            return
        exchange.over = True
        if body:
            self._put(RESPONSE_BODY, body, meta, conn=self._scope(exchange))

    def _sse_event(self, exchange: Exchange, data: bytes) -> None:
        self._put(SSE, data, self._meta(exchange), conn=self._scope(exchange))

    def _close(self, exchange: Exchange, by: str, how: str) -> None:
        exchange.over = True
        self._event("stream closed", by=by, how=how, x=exchange.number)

    def _scope(self, exchange: Exchange) -> int:
        return 0 if self._session is not None or self._sse else exchange.connection

    def _meta(self, exchange: Exchange, synthetic: bytes = b"") -> bytes:
        about: dict[str, Any] = {"x": exchange.number, "c": exchange.connection}
        return json.dumps({**about, "synthetic": True} if synthetic else about).encode()


def _change(text: str, where: str) -> Change:
    """`Name: value` in place of what is there, `+Name: value` besides it, `-Name` away with it."""
    name, colon, value = text.lstrip("+-").partition(":")
    how = text[0] if text[0] in "+-" else "="
    assert colon or how == "-", f"{where}: a header is 'Name: value' or '-Name', not {text!r}"
    return how, name.strip(), _bytes(value.strip())


def _changed(headers: Headers, changes: list[Change]) -> Headers:
    for how, name, value in changes:
        if how != "+":
            headers = [header for header in headers if header[0].lower() != name.lower()]
        if how != "-":
            headers = [*headers, (name, value)]
    return headers


def _head(start: str, headers: Headers) -> bytes:
    return b"\r\n".join([start.encode(), *(name.encode() + b": " + value for name, value in headers)])


def _messages(body: bytes) -> list[dict[str, Any]]:
    try:
        found = json.loads(body)
    except ValueError:
        return []
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]
