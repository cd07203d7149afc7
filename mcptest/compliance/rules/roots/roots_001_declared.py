"""Roots are asked for only from clients that declared them.

In a handshake, or in the stateless era in the request that is answered with the question. Not judged where the capture
does not show what the client declared.
"""

from mcptest.compliance.kit import Part, Remarks
from mcptest.compliance.rules._asks import declared
from mcptest.compliance.rules.roots._lists import ASKED

ID = "ROOTS-001"
ON = ASKED


def applies(question: Part) -> bool:
    return declared(question, "roots") is not None


def check(question: Part) -> Remarks:
    if not declared(question, "roots"):
        yield "The client did not declare roots"
