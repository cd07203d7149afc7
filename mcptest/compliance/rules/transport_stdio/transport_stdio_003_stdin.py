"""A client writes messages only to a server's stdin.

As TRANSPORT-STDIO-002 for the other direction. What our own probes write is not judged.
"""

from mcptest.compliance.kit import CLIENT, Context, Line, Remarks, lines
from mcptest.compliance.rules.transport_stdio._only_messages import only_messages

ID = "TRANSPORT-STDIO-003"
ON = lines.of(CLIENT)._replace(noun="lines")
MEMORY = set[str]


def check(line: Line, context: Context) -> Remarks:
    yield from only_messages(line, context, "the server's stdin")
