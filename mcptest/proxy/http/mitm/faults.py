"""What mitmproxy's words about a flow that went wrong mean. It says one sentence, for people.

The mitmproxy engine loads this module by its path into mitmproxy's own interpreter, so it imports nothing of ours.
"""

import re
from typing import NamedTuple

REFUSED, UNREACHABLE, UNREADABLE, RESET, CLOSED = "refused", "unreachable", "unreadable", "reset", "closed"

# What a peer sent is quoted in the sentence. It may hold a secret, and the record has it in its own place.
_QUOTE = re.compile(r"[:,]?\s*\(?(?:bytearray\()?b?(?:'.*|\".*)", re.DOTALL)
_PREFIX = re.compile(r"\A(?:HTTP/[0-9.]+ protocol error: |Cannot parse HTTP response: |Received )", re.IGNORECASE)
_ADVICE = re.compile(r"(?: from (?:client|server))?,? refusing to prevent request smuggling attacks.*", re.DOTALL)
_NUMBER = re.compile(r".*\[(?:Errno|SSL)[^\]]*\] ", re.DOTALL)  # before the operating system's words, and OpenSSL's
_NO_HTTP = ("protocol error", "cannot parse", "unexpected server response", "received ", "a head of ")
_LONGEST = 200


class Fault(NamedTuple):
    kind: str
    by: str  # client or server
    reason: str


def fault(text: str, *, present: bool, asked: bool, answered: bool, reached: bool) -> Fault:
    """`present`: the client is still connected; `asked`: its request is whole; `answered`: the answer's head has come;
    `reached`: there was a connection to the server."""
    said = text.lower()
    reason = _reason(text)
    if "from client" in said:
        return Fault(REFUSED, "client", reason)
    if "client disconnected" in said or "connection killed" in said:
        return Fault(CLOSED, "client", reason)
    if "reset by client" in said:
        return Fault(RESET, "client", reason)
    side = "server" if present and (asked or answered) else "client"
    is_http = not any(words in said for words in _NO_HTTP)
    if "closed connection" in said and (reached or side == "client"):
        return Fault(CLOSED, side, reason)
    if not is_http:
        return Fault(UNREADABLE, side, reason)
    if not reached:
        return Fault(UNREACHABLE, "server", reason)
    return Fault(RESET if "reset" in said else CLOSED, "server", reason)


def _reason(text: str) -> str:
    text = _QUOTE.sub("", _ADVICE.sub("", _NUMBER.sub("", text)))
    return _PREFIX.sub("", text).strip(" .:[")[:_LONGEST] or "it is no HTTP"
