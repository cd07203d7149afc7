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
import logging
import os
import resource
import subprocess
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from mitmproxy import connection, ctx, http, tls

_HERE = Path(__file__).parent
_FIRST_FLOW = 1 << 31  # flows and connections are numbered apart
_FINISH = 2.0  # for the recorder to take the last bytes
_LARGEST_HEAD = 64 << 10  # of a request, for a reverse proxy
_MOST_SWALLOWED = 1 << 20  # of a request that is refused: mitmproxy answers it only when all of it has come
READY, FAULT = 0xFC, 0xFF  # status bytes: we are listening; something is wrong (the recorder's, too)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mcptest_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bounds = _load(_HERE / "bounds.py")
channels = _load(_HERE.parent / "channels.py")
faults = _load(_HERE / "faults.py")
link = _load(_HERE.parent.parent / "link.py")
local = _load(_HERE.parent / "local.py")


class Tap:
    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._only = {host.lower() for host in settings.get("only", ())}
        self._upstream: str | None = settings.get("upstream")
        self._is_local = local.local_names(settings.get("listen", "localhost"))
        self._link: Any = None
        self._connection_count, self._flow_count = 0, _FIRST_FLOW
        self._connections: dict[str, tuple[int, str]] = {}  # number and peer
        self._flows: dict[str, int] = {}
        self._is_heard = True

    # ---- our own life

    def running(self) -> None:
        self._start()
        lifeline = self._settings.get("lifeline")
        if lifeline is not None:
            asyncio.get_running_loop().add_reader(lifeline, self._let_go, lifeline)
        if self._settings.get("status") is not None:  # this mitmproxy is ours alone
            bounds.stay_connected()
            bounds.bound_heads(self._refused_unread)
            addresses = ctx.master.addons.get("proxyserver").listen_addrs()
            self._tell(READY, json.dumps(addresses[0][:2]))

    def done(self) -> None:
        if self._link is not None:
            self._link.finish(_FINISH)

    def _start(self) -> None:
        if self._link is not None:
            return
        _allow_many_files()
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
        if status is None:
            logging.getLogger("mcptest").error(text)
        else:
            message = text.encode("utf-8", "replace")[:1024]
            os.write(status, bytes((code,)) + len(message).to_bytes(2, "little") + message)

    # ---- what is copied

    def _copy(self, channel: int, number: int, data: bytes) -> None:
        try:
            self._link.copy(channel, data, number)
        except Exception:  # noqa: BLE001  (whatever recording does, traffic goes on)
            self._link.broken = True
        if self._link.broken and self._is_heard:
            self._is_heard = False
            self._tell(FAULT, "the recorder ended early: traffic goes on unrecorded")

    def _note(self, number: int, **body: object) -> None:
        self._copy(channels.NOTE, number, json.dumps(body).encode())

    # ---- connections

    def client_connected(self, client: connection.Client) -> None:
        self._start()
        self._connection_count += 1
        peer = f"{client.peername[0]}:{client.peername[1]}"
        self._connections[client.id] = self._connection_count, peer
        self._note(self._connection_count, event=channels.CONNECTED, peer=peer, flows=True)

    def client_disconnected(self, client: connection.Client) -> None:
        number, _ = self._connections.pop(client.id, (None, ""))
        if number is not None:
            self._note(number, event=channels.GONE)

    def tls_failed_client(self, data: tls.TlsData) -> None:
        """Most often the client has its own list of authorities, and ours is not in it: then nothing is recorded."""
        if "not trust" in (data.conn.error or ""):
            self._tell(FAULT, f"the client does not trust mcptest's certificate for {data.conn.sni or 'the server'}")

    # ---- exchanges

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        request = flow.request
        if not self._is_wanted(flow):
            request.stream = True
            return
        number = self._flows[flow.id] = self._new_flow(flow.client_conn.id, _origin(request))
        head = _request_head(request)
        self._copy(channels.REQUEST, number, head + b"\r\n\r\n")
        if flow.error is None and self._refuse(flow, number, len(head)):
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
        fault = faults.fault(
            (not _was_reached(flow.server_conn) and flow.server_conn.error) or (flow.error.msg if flow.error else ""),
            present=flow.client_conn.connected,
            asked=flow.request.timestamp_end is not None,
            answered=flow.response is not None,
            reached=_was_reached(flow.server_conn),
        )
        if fault.kind == faults.REFUSED:
            self._note(number, event=channels.REFUSED, status=400, reason=fault.reason, begun="")
        elif fault.kind == faults.UNREACHABLE:
            self._note(number, event=channels.UNREACHABLE, reason=fault.reason)
            self._tell(FAULT, f"cannot reach {_origin(flow.request)}: {fault.reason}")
        elif fault.kind == faults.UNREADABLE:
            self._note(number, event=channels.UNREADABLE, by=fault.by, reason=fault.reason)
        else:
            self._note(number, event=fault.kind, by=fault.by)
            if fault.by == "server" and flow.killable:
                flow.kill()  # a connection that ended is passed on as such: mitmproxy would make it an answer, 502
        self._note(number, event=channels.GONE)

    def _new_flow(self, client: str, origin: str) -> int:
        self._flow_count += 1
        conn, peer = self._connections.get(client, (0, ""))
        body = {"conn": conn, "peer": peer, "origin": origin}
        self._copy(channels.FLOW, self._flow_count, json.dumps(body).encode())
        return self._flow_count

    def _refused_unread(self, client: str, status: int, reason: str, begun: bytes) -> None:
        """mitmproxy has answered what was no request, and there is no flow of it."""
        number = self._new_flow(client, f"http://{self._upstream or ''}")
        self._note(number, event=channels.REFUSED, status=status, reason=reason, begun=begun.decode("latin-1"))
        self._note(number, event=channels.GONE)

    def _tap(self, channel: int, number: int, data: bytes) -> bytes:
        if data:
            self._copy(channel, number, data)
        return data

    def _is_wanted(self, flow: http.HTTPFlow) -> bool:
        return not self._only or _matches(self._only, flow.request.pretty_host, flow.request.port)

    def _refuse(self, flow: http.HTTPFlow, number: int, size: int) -> bool:
        """As a reverse proxy: check who asks for what, and put the server's name into the request."""
        if self._upstream is None:
            return False
        request = flow.request
        status, reason = self._objection(request, size)
        if status is None:
            request.host_header = self._upstream
            return False
        del self._flows[flow.id]
        self._note(number, event=channels.REFUSED, status=status, reason=reason, begun="")
        self._note(number, event=channels.GONE)
        length = request.headers.get("content-length", "0")
        if "transfer-encoding" in request.headers or not length.isdigit() or int(length) > _MOST_SWALLOWED:
            flow.kill()
            return True
        text = f"mcptest does not pass this on: {reason}\n"
        headers = {"content-type": "text/plain; charset=utf-8", "connection": "close"}
        flow.response = http.Response.make(status, text, headers)
        return True

    def _objection(self, request: http.Request, size: int) -> tuple[int | None, str]:
        if request.authority and not request.is_http2:
            return 403, "the target names another server"
        if not self._is_local((request.host_header or "").encode("utf-8", "replace")):
            return 403, "a foreign Host"
        for origin in request.headers.get_all("origin"):
            if not local.is_local_origin(origin.encode("utf-8", "replace"), self._is_local):
                return 403, "a foreign Origin"
        if size > _LARGEST_HEAD:
            return 431, f"a head of more than {_LARGEST_HEAD} bytes"
        return None, ""


def _allow_many_files() -> None:
    """Each client's connection takes two descriptors, and in the recorder each session one."""
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


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


def _origin(request: http.Request) -> str:
    scheme, host, port = request.scheme, request.host, request.port
    return f"{scheme}://{host}" if port == (443 if scheme == "https" else 80) else f"{scheme}://{host}:{port}"


ENVIRONMENT = "MCPTEST_MITMPROXY"
if ENVIRONMENT in os.environ:
    addons = [Tap(json.loads(os.environ.pop(ENVIRONMENT)))]
