"""The channel carries protocol frames only.

Every line that is not blank decodes as UTF-8 and JSON, and is an array or an object that means to be a message; what is
wrong inside of it is for other rules. `expect.transport_observation.undecodable_frames` is how many others a session
may have. A last line that was cut off remains open, and so does what another transport carries: there it takes the
heads to tell what is a message.
"""

from collections import Counter

from mcptest.compliance.kit import Context, Inconclusive, Line, Remarks, lines, warning
from mcptest.compliance.rules._foreign import foreign, marked, shown

ID = "PROTO-008"
ON = lines
EXPECT = {"transport_observation"}
MEMORY = Counter[str]


def applies(line: Line) -> bool:
    return bool(line.data.strip())


def check(line: Line, context: Context) -> Remarks:
    reason = foreign(line, context)
    if reason is None:
        return
    if context.history.transport != "stdio":
        raise Inconclusive("what is no message here may not have been meant as one")
    text = f"The {line.sender} sent what is no message: {shown(line)} ({reason})"
    if marked(line):
        yield warning(text)
        return
    context.memory["undecodable"] += 1
    if context.memory["undecodable"] > context.expect["transport_observation"]["undecodable_frames"]:
        yield text
