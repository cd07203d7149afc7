"""A server's stdout carries messages only.

Banners, prints, log lines and tracebacks belong to stderr. Blank lines are mentioned once. An object that means to be a
message is judged by the JSON-RPC rules however badly it is made, and an array by those about batches. A last line that
was cut off remains open.
"""

from mcptest.compliance.kit import SERVER, Context, Line, Remarks, lines
from mcptest.compliance.rules.transport_stdio._only_messages import only_messages

ID = "TRANSPORT-STDIO-002"
ON = lines.of(SERVER)._replace(noun="lines")
MEMORY = set[str]


def check(line: Line, context: Context) -> Remarks:
    yield from only_messages(line, context, "stdout")
