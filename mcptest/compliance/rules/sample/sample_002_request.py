"""A sampling request has messages and a whole number of tokens at most.

A number that is not whole, none of them or no messages at all are warned about.
"""

from mcptest.compliance.kit import Part, Remarks, a, remark, warning
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-002"
ON = ASKED


def check(question: Part) -> Remarks:
    params = question.members
    messages, most = params.get("messages"), params.get("maxTokens")
    if type(messages) is not list:
        fault = f"is {a(messages)}, not an array" if "messages" in params else "is missing"
        yield remark(f"messages {fault}", "/messages")
    elif not messages:
        yield warning("There are no messages", "/messages")
    if not isinstance(most, int | float) or isinstance(most, bool):
        fault = f"is {a(most)}, not a number" if "maxTokens" in params else "is missing"
        yield remark(f"maxTokens {fault}", "/maxTokens")
    elif most <= 0 or most % 1:
        yield warning("maxTokens is no whole number above 0", "/maxTokens")
