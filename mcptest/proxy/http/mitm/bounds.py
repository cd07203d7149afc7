"""Bounds that mitmproxy lacks, or has too narrow for MCP, and for which it has no options.

It reads a head for ever; it tells no addon of what is no request at all; and it ends a connection that was silent
for ten minutes, as event streams often are. So these few places of it are changed. A release that has them no longer
is left as it is.

This module is loaded by its path into mitmproxy's own interpreter, so it imports nothing of ours.
"""

from collections.abc import Callable, Generator
from typing import Any

LARGEST_HEAD = 1 << 20
_EXCERPT = 4096
_PATIENCE = 30 * 24 * 3600  # seconds, in the place of ten minutes
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"  # as we say it
)

Refused = Callable[[str, int, str, bytes], None]  # the connection's id, the status, why, how it begins
Reads = Callable[[Any, Any], Generator[Any, Any, None]]


def stay_connected() -> None:
    from mitmproxy.proxy import server

    if hasattr(server, "TCP_TIMEOUT"):
        server.TCP_TIMEOUT = _PATIENCE


def bound_heads(refused: Refused) -> None:
    try:
        from mitmproxy.proxy.layers.http import _http1
    except ImportError:
        return
    _http1.Http1Server.read_headers = _reading_requests(_http1.Http1Server.read_headers, refused)
    _http1.Http1Client.read_headers = _reading_responses(_http1.Http1Client.read_headers)


def _reading_requests(read: Reads, refused: Refused) -> Reads:
    from mitmproxy.proxy import commands

    def read_headers(self: Any, event: Any) -> Generator[Any, Any, None]:
        begun = bytes(self.buf)[:_EXCERPT]
        yield from read(self, event)
        if self.state == self.done and not self.request and begun:
            refused(self.conn.id, 400, "a malformed request line or header", begun)
        elif self.state == self.read_headers and len(self.buf) > LARGEST_HEAD:
            refused(self.conn.id, 431, f"a head of more than {LARGEST_HEAD} bytes", begun)
            yield commands.SendData(self.conn, _TOO_LARGE)
            yield commands.CloseConnection(self.conn)
            self.state = self.done

    return read_headers


def _reading_responses(read: Reads) -> Reads:
    from mitmproxy.proxy import commands
    from mitmproxy.proxy.layers.http import _events
    from mitmproxy.proxy.layers.http._base import ReceiveHttp

    def read_headers(self: Any, event: Any) -> Generator[Any, Any, None]:
        yield from read(self, event)
        if self.state == self.read_headers and self.stream_id and len(self.buf) > LARGEST_HEAD:
            yield commands.CloseConnection(self.conn)
            kind = [_events.ErrorCode.GENERIC_SERVER_ERROR] if hasattr(_events, "ErrorCode") else []  # since 12
            text = f"a head of more than {LARGEST_HEAD} bytes"
            yield ReceiveHttp(_events.ResponseProtocolError(self.stream_id, text, *kind))
            self.state = self.done

    return read_headers
