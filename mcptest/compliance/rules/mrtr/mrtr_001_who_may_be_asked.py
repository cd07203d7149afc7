"""Only calls of tools, reads of resources and gets of prompts are answered with a request for input.

`expect.methods` are these. A method that belongs to no revision may be that of an extension, with rules of its own: it
is only mentioned.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, info, remark
from mcptest.compliance.rules.mrtr._retries import PAUSED
from mcptest.protocol import CORE_METHODS

ID = "MRTR-001"
ON = PAUSED
EXPECT = {"methods"}


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.method not in context.expect["methods"]:
        say = remark if exchange.method in CORE_METHODS else info
        yield say(f"{exchange.method[:80]} is answered with a request for input", "/result/resultType")
