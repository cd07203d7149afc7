"""Each call of a tool has its result in the very next message, the user's.

Results that belong to no call in the message before are not forbidden in so many words, and warned about.
"""

from mcptest.compliance.kit import Part, Remarks, remark, warning
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.sample._messages import ASKED, at_message, unmatched

ID = "SAMPLE-010"
ON = called("sampling requests with tool calls", ASKED)


def applies(question: Part) -> bool:
    return next(unmatched(question), None) is not None


def check(question: Part) -> Remarks:
    for found in unmatched(question):
        for call in found.missing:
            yield remark(f"The next message has no result for the tool call {call[:80]!r}", at_message(found.at))
        for result in found.extra:
            yield warning(f"No tool call has the id {result[:80]!r} of a result", at_message(found.at + 1))
