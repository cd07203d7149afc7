"""Cursors are for lists only.

Judged on requests of the core specification that carry a cursor; methods of extensions may have their own. A tool's
arguments are not looked at. `expect.methods` are the methods that take one.
"""

from mcptest.compliance.kit import CLIENT, Context, Message, Remarks, remark, requests
from mcptest.protocol import CORE_METHODS

ID = "PAGE-005"
ON = requests().of(CLIENT)._replace(noun="cursors")
EXPECT = {"methods"}


def applies(message: Message) -> bool:
    return "cursor" in message.params and message.name in CORE_METHODS


def check(message: Message, context: Context) -> Remarks:
    if message.name not in context.expect["methods"]:
        yield remark(f"{message.name} takes no cursor", "/params/cursor")
