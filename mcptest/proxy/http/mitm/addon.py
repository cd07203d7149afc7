"""The mitmproxy engine's addon: it runs in mitmproxy's process and copies what passes to a recorder of its own.

It is loaded by its path into whatever interpreter mitmproxy has, so it uses the standard library and those few
modules of ours that do, too. What it needs to know is in SETTINGS, which the loader fills in:

    python      the interpreter that mcptest is installed for
    options     of the recording, for the recorder
    status      a descriptor to tell `mcptest record` what happens, if that started us
    lifeline    a descriptor that ends when `mcptest record` does
    upstream    for a reverse proxy: the server's host and port as they stand in Host
    listen      for a reverse proxy: the host it listens on
    only        for a forward proxy: the hosts to record; all if empty
"""

import asyncio
import importlib.util
import json
import os
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

from mitmproxy import connection, ctx, http

_HERE = Path(__file__).parent
_FIRST_FLOW = 1 << 31  # flows and connections are numbered apart
_FINISH = 2.0  # for the recorder to take the last bytes
READY, FAULT = 0xFC, 0xFF  # status bytes: we are listening; something is wrong (the recorder's, too)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mcptest_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


channels = _load(_HERE.parent / "channels.py")
link = _load(_HERE.parent.parent / "link.py")
local = _load(_HERE.parent / "local.py")


class Tap:
    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._only = {host.lower() for host in settings.get("only", ())}
        self._upstream: str | None = settings.get("upstream")
        self._is_local = local.local_names(settings["listen"]) if self._upstream else None
        self._link: Any = None
        self._connection_count, self._flow_count = 0, _FIRST_FLOW
        self._connections: dict[str, int] = {}
        self._flows: dict[str, int] = {}

    # ---- our own life

    def running(self) -> None:
        self._start()
        lifeline = self._settings.get("lifeline")
        if lifeline is not None:
            asyncio.get_running_loop().add_reader(lifeline, self._let_go, lifeline)
        if self._settings.get("status") is not None:
            addresses = ctx.master.addons.get("proxyserver").listen_addrs()
            self._tell(READY, json.dumps(addresses[0][:2]))

    def done(self) -> None:
        if self._link is not None:
            self._link.finish(_FINISH)

    def _start(self) -> None:
        if self._link is not None:
            return
        memory = link.shared_memory()
        reader, writer = link.open_pipe()
        status = self._settings.get("status")
        arguments = json.dumps({"options": self._settings["options"], "pulse": memory, "status": status})
        # A session of its own: what ends us from the terminal must not end the recorder before it is done.
        subprocess.Popen(
            [self._settings["python"], "-m", "mcptest.proxy.http.mitm.child", arguments],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            pass_fds=[memory, *([] if status is None else [status])],
            start_new_session=True,
        )
        os.close(reader)
        self._link = link.Link(writer, link.Pulse(memory))

    def _let_go(self, lifeline: int) -> None:
        """Whoever started us is gone."""
        asyncio.get_running_loop().remove_reader(lifeline)
        ctx.master.shutdown()

    def _tell(self, code: int, text: str) -> None:
        """The same messages that a recorder sends."""
        status = self._settings.get("status")
        if status is not None:
            message = text.encode("utf-8", "replace")[:1024]
            os.write(status, bytes((code,)) + len(message).to_bytes(2, "little") + message)

    # ---- what is copied

    def _copy(self, channel: int, number: int, data: bytes) -> None:
        try:
            self._link.copy(channel, data, number)
        except Exception:  # noqa: BLE001  (whatever recording does, traffic goes on)
            self._link.broken = True

    def _note(self, number: int, **body: object) -> None:
        self._copy(channels.NOTE, number, json.dumps(body).encode())

    # ---- connections

    def client_connected(self, client: connection.Client) -> None:
        self._start()
        self._connection_count += 1
        number = self._connections[client.id] = self._connection_count
        self._note(number, event=channels.CONNECTED, peer=f"{client.peername[0]}:{client.peername[1]}", flows=True)

    def client_disconnected(self, client: connection.Client) -> None:
        number = self._connections.pop(client.id, None)
        if number is not None:
            self._note(number, event=channels.GONE)

    # ---- exchanges

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        request = flow.request
        if not self._is_wanted(flow):
            request.stream = True
            return
        self._flow_count += 1
        number = self._flows[flow.id] = self._flow_count
        scheme, host, port = request.scheme, request.host, request.port
        default = 443 if scheme == "https" else 80
        origin = f"{scheme}://{host}" if port == default else f"{scheme}://{host}:{port}"
        client = flow.client_conn
        body = {
            "conn": self._connections.get(client.id, 0),
            "peer": f"{client.peername[0]}:{client.peername[1]}",
            "origin": origin,
        }
        self._copy(channels.FLOW, number, json.dumps(body).encode())
        self._copy(channels.REQUEST, number, _request_head(request) + b"\r\n\r\n")
        if self._refuse(flow, number):
            return
        request.stream = lambda data: self._tap(channels.REQUEST_DATA, number, data)

    def request(self, flow: http.HTTPFlow) -> None:
        number = self._flows.get(flow.id)
        if number is not None:
            self._copy(channels.REQUEST_LAST, number, b"")

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        number = self._flows.get(flow.id)
        if flow.response is None:
            return
        if number is None:
            flow.response.stream = flow.request.stream is True
            return
        self._copy(channels.RESPONSE, number, _response_head(flow.response))
        flow.response.stream = lambda data: self._tap(channels.RESPONSE_DATA, number, data)

    def response(self, flow: http.HTTPFlow) -> None:
        number = self._flows.pop(flow.id, None)
        if number is not None:
            self._copy(channels.RESPONSE_LAST, number, b"")
            self._note(number, event=channels.GONE)

    def error(self, flow: http.HTTPFlow) -> None:
        number = self._flows.pop(flow.id, None)
        if number is None:
            return
        text = flow.error.msg if flow.error else ""
        by = "client" if "client" in text.lower() else "server"
        if by == "server" and not _was_reached(flow.server_conn):
            reason = _reason(flow.server_conn.error or text)
            self._note(number, event=channels.UNREACHABLE, reason=reason)
            self._tell(FAULT, f"cannot reach {flow.request.scheme}://{flow.request.host}:{flow.request.port}: {reason}")
        else:
            self._note(number, event=channels.RESET if "reset" in text.lower() else channels.CLOSED, by=by)
        self._note(number, event=channels.GONE)

    def _tap(self, channel: int, number: int, data: bytes) -> bytes:
        if data:
            self._copy(channel, number, data)
        return data

    def _is_wanted(self, flow: http.HTTPFlow) -> bool:
        return not self._only or _matches(self._only, flow.request.pretty_host, flow.request.port)

    def _refuse(self, flow: http.HTTPFlow, number: int) -> bool:
        """As a reverse proxy: check who asks, and put the server's name into the request."""
        if self._upstream is None or self._is_local is None:
            return False
        request = flow.request
        reason = None
        if not self._is_local((request.host_header or "").encode("utf-8", "replace")):
            reason = "a foreign Host"
        for origin in request.headers.get_all("origin"):
            if not local.is_local_origin(origin.encode("utf-8", "replace"), self._is_local):
                reason = "a foreign Origin"
        if reason is None:
            request.host_header = self._upstream
            return False
        del self._flows[flow.id]
        self._note(number, event=channels.REFUSED, status=403, reason=reason, begun="")
        self._note(number, event=channels.GONE)
        text = f"mcptest does not pass this on: {reason}\n"
        flow.response = http.Response.make(403, text, {"content-type": "text/plain; charset=utf-8"})
        return True


def _was_reached(server: connection.Server) -> bool:
    return bool(server.timestamp_tls_setup if server.tls else server.timestamp_tcp_setup)


def _matches(only: set[str], host: str, port: int) -> bool:
    host = host.lower()
    parents = {"*." + host.split(".", index)[-1] for index in range(1, host.count(".") + 1)}
    return bool(only & {host, f"{host}:{port}", *parents})


def _request_head(request: http.Request) -> bytes:
    start = f"{request.method} {request.path} {request.http_version}".encode("utf-8", "surrogateescape")
    fields = list(request.headers.fields)
    if request.authority and "host" not in request.headers:
        fields.insert(0, (b"host", request.authority.encode("utf-8", "surrogateescape")))
    return _head(start, fields)


def _response_head(response: http.Response) -> bytes:
    start = f"{response.http_version} {response.status_code} {response.reason or ''}".rstrip()
    return _head(start.encode("utf-8", "surrogateescape"), response.headers.fields)


def _head(start: bytes, fields: Any) -> bytes:
    return b"\r\n".join([start, *(b"%s: %s" % field for field in fields)])


def _reason(text: str) -> str:
    """mitmproxy quotes the operating system, or OpenSSL: the last part says it."""
    return text.rpartition("] ")[2].strip() or text


ENVIRONMENT = "MCPTEST_MITMPROXY"
if ENVIRONMENT in os.environ:
    addons = [Tap(json.loads(os.environ.pop(ENVIRONMENT)))]
