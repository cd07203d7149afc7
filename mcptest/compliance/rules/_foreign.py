"""What stands on a message channel and is no message: banners, log lines, tracebacks, half a message."""

from mcptest.compliance.kit import Context, Inconclusive, Line
from mcptest.wire.frame import REDACTED

_OURS = "nested too deeply"  # what our own parser does not take, and another might
_MARK = b"\xef\xbb\xbf"


def foreign(line: Line, context: Context) -> str | None:
    """Why this line is no message at all. Arrays are left to the rules about batches, and an object that means to be a
    message, however badly made, to those about the envelope. Inconclusive where the line may not be what was sent."""
    if line.array or not line.data.strip():
        return None
    reason = line.reason
    if reason is None:
        message = line.messages[0]
        if message.kind != "malformed" or message.body is None or message.body.keys() & {"jsonrpc", "method"}:
            return None
        return "an object without jsonrpc, method, result or error"
    if reason == _OURS:
        raise Inconclusive(f"the line cannot be judged: {reason}")
    rely_on_line(line, context)
    return reason


def rely_on_line(line: Line, context: Context) -> None:
    """Call before remarking on a line that cannot be read: it may have been a message before it was recorded."""
    if line.partial:
        raise Inconclusive("the stream ended in the middle of a line")
    if context.history.lost:
        raise Inconclusive(f"{context.history.lost} frames are missing in the capture, of this line too perhaps")
    if line.flags & REDACTED and line.data.lstrip().startswith((b"{", b"[")):
        raise Inconclusive("secrets were removed from the line")


def marked(line: Line) -> bool:
    """Is all that is wrong with it a byte order mark? JSONRPC-022 warns about those."""
    return line.data.startswith(_MARK)


def shown(line: Line) -> str:
    return repr(line.data[:60].decode("utf-8", "backslashreplace"))
