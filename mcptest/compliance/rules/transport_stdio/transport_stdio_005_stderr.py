"""What a server writes to stderr is UTF-8 text.

Only mentioned, and once. Whether a client takes stderr for a failure is not to be seen.
"""

import codecs

from mcptest.compliance.kit import Context, Event, Remarks, events, info

ID = "TRANSPORT-STDIO-005"
ON = events("stderr")._replace(noun="lines of stderr")
MEMORY = list[int]
_INSIDE = bytes(range(0x80, 0xC0))  # bytes that go on with a character


def check(event: Event, context: Context) -> Remarks:
    if context.memory:
        return
    # A long line is recorded in parts, which may begin and end inside a character.
    text = event.raw if event.raw[:1] > b"\xbf" else event.raw[:3].lstrip(_INSIDE) + event.raw[3:]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)
    except UnicodeDecodeError as error:
        context.memory.append(event.seq)
        yield info(f"stderr is no UTF-8: {error.reason}")
