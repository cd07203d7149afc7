"""What mitmproxy says of a flow that failed, in the words of the record."""

from __future__ import annotations

import pytest

from mcptest.proxy.http.mitm.faults import Fault, fault

WAITING = {"present": True, "asked": True, "answered": False, "reached": True}
ASKING = {**WAITING, "asked": False}
STREAMING = {**WAITING, "answered": True}
GONE = {**STREAMING, "present": False}
DOWN = {**WAITING, "reached": False}


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("Client disconnected.", STREAMING, Fault("closed", "client", "Client disconnected")),
        ("peer closed connection", GONE, Fault("closed", "client", "peer closed connection")),
        ("stream reset by client (CANCEL)", STREAMING, Fault("reset", "client", "stream reset by client (CANCEL)")),
        ("server closed connection", WAITING, Fault("closed", "server", "server closed connection")),
        (
            "HTTP/1 protocol error: peer closed connection without sending complete message body (incomplete read)",
            STREAMING,
            Fault("closed", "server", "peer closed connection without sending complete message body (incomplete read)"),
        ),
        (
            "HTTP/1 protocol error: illegal chunk header: bytearray(b'Authorization: Bearer x')",
            ASKING,
            Fault("unreadable", "client", "illegal chunk header"),
        ),
        (
            "Cannot parse HTTP response: Bad HTTP response line: b'secret'",
            WAITING,
            Fault("unreadable", "server", "Bad HTTP response line"),
        ),
        ("unexpected server response: b'secret'", WAITING, Fault("unreadable", "server", "unexpected server response")),
        (
            "Received invalid header name: b'Token secret' from client, refusing to prevent request smuggling attacks. "
            "Disable the validate_inbound_headers option to skip this security check.",
            ASKING,
            Fault("refused", "client", "invalid header name"),
        ),
        (
            "Received multiple content-length headers from server, refusing to prevent request smuggling attacks. X",
            WAITING,
            Fault("unreadable", "server", "multiple content-length headers"),
        ),
        (
            "[Errno 111] Connect call failed ('127.0.0.1', 9)",
            DOWN,
            Fault("unreachable", "server", "Connect call failed"),
        ),
        (
            "Certificate verify failed: self-signed",
            DOWN,
            Fault("unreachable", "server", "Certificate verify failed: self-signed"),
        ),
        ("Connection reset by peer", STREAMING, Fault("reset", "server", "Connection reset by peer")),
        ("", WAITING, Fault("closed", "server", "it is no HTTP")),
    ],
)
def test_a_sentence_is_a_fault(text, state, expected):
    assert fault(text, **state) == expected
