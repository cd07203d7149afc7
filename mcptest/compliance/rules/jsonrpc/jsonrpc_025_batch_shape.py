"""A batch is an array of requests and notifications, or of responses; it is not empty.

Batches are part of 2025-03-26 only.
"""

from mcptest.compliance.kit import Inconclusive, Line, Remarks, lines, pointer, remark
from mcptest.wire.message import LARGEST_BATCH

ID = "JSONRPC-025"
ON = lines._replace(noun="batches")


def applies(line: Line) -> bool:
    return line.array


def check(line: Line) -> Remarks:
    if not line.messages:
        yield "The batch is empty"
    if len(line.messages) > LARGEST_BATCH:
        raise Inconclusive("the batch is too large to be taken apart")
    for at, message in enumerate(line.messages):
        if message.body is None:
            yield remark("A member of the batch is no object", pointer(at))
    kinds = {message.kind for message in line.messages}
    if "response" in kinds and kinds & {"request", "notification"}:
        yield "The batch mixes responses with requests or notifications"
