"""A message with tool results holds nothing else."""

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.sample._messages import ASKED, at_message, has_results, mixed

ID = "SAMPLE-009"
ON = called("sampling requests with tool results", ASKED)


def applies(question: Part) -> bool:
    return has_results(question)


def check(question: Part) -> Remarks:
    for number in mixed(question):
        yield remark("A message mixes tool results with other content", at_message(number))
