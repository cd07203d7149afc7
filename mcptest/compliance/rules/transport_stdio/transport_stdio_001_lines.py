"""Each message is one line, and each line one message.

Lines end with the newline byte only. A message that spans several lines is found by putting unreadable lines of one
side together again until their brackets match, two messages on one line by reading on behind the first. A carriage
return before the newline is white space, and mentioned once; a last line without a newline is accepted. What was never
meant to be a message is judged by TRANSPORT-STDIO-002 and -003.
"""

import json
import re
from dataclasses import dataclass, field

from mcptest.compliance.kit import Context, Line, Remarks, info, lines
from mcptest.compliance.rules._foreign import rely_on_line

ID = "TRANSPORT-STDIO-001"
ON = lines
_LARGEST = 4 << 20  # bytes of a message that is being put together
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_DECODER = json.JSONDecoder()


@dataclass
class Begun:
    """Lines that may be pieces of one message, and how many brackets are still open."""

    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    open: int = 0


@dataclass
class MEMORY:
    begun: dict[str, Begun] = field(default_factory=dict)  # by sender
    returns: set[str] = field(default_factory=set)  # whose carriage returns have been mentioned


def applies(line: Line) -> bool:
    return bool(line.data.strip())


def check(line: Line, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    if line.data.endswith(b"\r") and line.sender not in memory.returns:
        memory.returns.add(line.sender)
        yield info(f"The {line.sender} ends its lines with a carriage return and a newline")
    begun = memory.begun.pop(line.sender, None)
    if line.array or (line.messages and line.messages[0].kind != "malformed"):
        return
    if _two_values(line):
        rely_on_line(line, context)
        yield "Two JSON values share a line"
        return
    begun = begun or Begun()
    if _ends_message(begun, line.data):
        rely_on_line(line, context)
        yield f"A message is spread over {len(begun.pieces)} lines"
    elif begun.open > 0 and begun.size <= _LARGEST:
        memory.begun[line.sender] = begun


def _ends_message(begun: Begun, data: bytes) -> bool:
    """Take in one more line: is it the last of a message?"""
    bare = _STRING.sub(b"", data)
    if not begun.pieces and not bare.lstrip().startswith((b"{", b"[")):
        return False
    begun.pieces.append(data)
    begun.size += len(data)
    begun.open += sum(map(bare.count, (b"{", b"["))) - sum(map(bare.count, (b"}", b"]")))
    if begun.open > 0 or len(begun.pieces) == 1:
        return False
    try:
        value = json.loads(b"\n".join(begun.pieces))
    except (ValueError, RecursionError):
        return False
    return type(value) is list or (type(value) is dict and "jsonrpc" in value)


def _two_values(line: Line) -> bool:
    """Does another object or array follow the first one?"""
    text = line.data.decode("utf-8", "replace").strip()
    if line.reason is None or not text.startswith(("{", "[")):
        return False
    try:
        rest = text[_DECODER.raw_decode(text)[1] :].lstrip()
        return rest.startswith(("{", "[")) and _DECODER.raw_decode(rest)[1] > 0
    except (ValueError, RecursionError):
        return False
