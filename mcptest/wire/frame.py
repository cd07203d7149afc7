"""A frame: one unit as it crossed the wire, byte for byte.

Frames are the only stored fact; messages, exchanges and catalogues are derived from them. A stdio line is a frame
without its newline; so are a stderr line, an HTTP head, a body, a server-sent event. What happened to the connection
itself (a process started, a signal, a gap in the recording) has its own channels, so that a session's frames tell
the whole story in one order.
"""

from __future__ import annotations

from typing import NamedTuple

# Channels. The numbers are part of the journal's format: never reuse one.
HEADER = 0  # the journal's own first record: JSON about the session
STDIN = 1  # a line from the client to the server
STDOUT = 2  # a line from the server to the client
STDERR = 3  # a line of the server's stderr
EVENT = 4  # JSON: spawn, exit, signal, eof, connection opened or closed
GAP = 5  # JSON: frames that were not kept, counted
REQUEST = 6  # an HTTP request's head
REQUEST_BODY = 7  # its body, decoded for the record
RESPONSE = 8  # an HTTP response's head
RESPONSE_BODY = 9  # its body, decoded for the record
SSE = 10  # one server-sent event of a response, with its field lines

CHANNELS = {
    HEADER: "header",
    STDIN: "stdin",
    STDOUT: "stdout",
    STDERR: "stderr",
    EVENT: "event",
    GAP: "gap",
    REQUEST: "request",
    REQUEST_BODY: "request-body",
    RESPONSE: "response",
    RESPONSE_BODY: "response-body",
    SSE: "sse",
}
CHANNEL_CODES = {name: code for code, name in CHANNELS.items()}

CLIENT, SERVER, PROXY = "client", "server", "mcptest"
SENDERS = {
    HEADER: PROXY,
    STDIN: CLIENT,
    STDOUT: SERVER,
    STDERR: SERVER,
    EVENT: PROXY,
    GAP: PROXY,
    REQUEST: CLIENT,
    REQUEST_BODY: CLIENT,
    RESPONSE: SERVER,
    RESPONSE_BODY: SERVER,
    SSE: SERVER,
}
HTTP_CHANNELS = frozenset({REQUEST, REQUEST_BODY, RESPONSE, RESPONSE_BODY, SSE})
# Channels whose frames carry JSON-RPC; over HTTP not all do: see mcptest.wire.http.
MESSAGE_CHANNELS = frozenset({STDIN, STDOUT, REQUEST_BODY, RESPONSE_BODY, SSE})

# Flags, also part of the format.
REDACTED = 1  # at least one secret in the data was replaced by a placeholder
PARTIAL = 2  # the stream ended here without a newline, or not all of a body is here
CONTINUED = 4  # the line was too long for one record: the next record of this channel goes on with it
LINES = 8  # in a journal's record only: the data is several whole lines, each a frame, counted on from the record's seq


class Frame(NamedTuple):
    """`seq` orders a session's frames; `at` is wall-clock and `mono` monotonic nanoseconds, taken when the bytes
    were read; `conn` numbers the connection that JSON-RPC ids are unique in, for each sender: 0 is the whole session,
    as for stdio and where an HTTP server has named the session; otherwise it is the client's connection. `meta` is
    JSON beside the data, empty for stdio; over HTTP, `x` numbers the exchange and `c` the connection."""

    seq: int
    at: int
    mono: int
    conn: int
    channel: int
    flags: int
    data: bytes
    meta: bytes = b""

    @property
    def sender(self) -> str:
        return SENDERS[self.channel]

    @property
    def channel_name(self) -> str:
        return CHANNELS[self.channel]
