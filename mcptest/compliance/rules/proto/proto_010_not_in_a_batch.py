"""`initialize` is never part of a batch.

Batches are part of 2025-03-26 only.
"""

from mcptest.compliance.kit import CLIENT, Line, Remarks, lines, pointer, remark

ID = "PROTO-010"
ON = lines.of(CLIENT)._replace(noun="batches")


def applies(line: Line) -> bool:
    return line.array


def check(line: Line) -> Remarks:
    for at, message in enumerate(line.messages):
        if message.method == "initialize":
            yield remark("initialize is part of a batch", pointer(at))
