"""No JSON array is sent as a message.

Batches were part of 2025-03-26 only. An array that answers an array is reported once, against the side that began.
"""

from mcptest.compliance.kit import OTHER, Context, Line, Remarks, lines

ID = "JSONRPC-011"
ON = lines
MEMORY = set[str]


def applies(line: Line, context: Context) -> bool:
    return line.reason is None and not (line.array and OTHER[line.sender] in context.memory)


def check(line: Line, context: Context) -> Remarks:
    if line.array:
        context.memory.add(line.sender)
        yield f"The {line.sender} sent a JSON array, a batch of {len(line.messages)} messages"
