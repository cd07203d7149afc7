"""Sampling is asked for only from clients that declared it.

In a handshake, or in the stateless era in the request that is answered with the question. Not judged where the capture
does not show what the client declared.
"""

from mcptest.compliance.kit import Part, Remarks
from mcptest.compliance.rules._asks import declared
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-001"
ON = ASKED


def applies(question: Part) -> bool:
    return declared(question, "sampling") is not None


def check(question: Part) -> Remarks:
    if not declared(question, "sampling"):
        yield "The client did not declare sampling"
