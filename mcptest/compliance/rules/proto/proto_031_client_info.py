"""Each request says in `_meta` which client sent it.

Said once in a session: a client may have been told to leave it out.
"""

from mcptest.compliance.kit import CLIENT, Context, Message, Remarks, remark, requests
from mcptest.compliance.rules.proto._parts import is_stateless
from mcptest.protocol import CLIENT_INFO

ID = "PROTO-031"
ON = requests().of(CLIENT)
MEMORY = list[int]


def applies(message: Message, context: Context) -> bool:
    return is_stateless(message) and not context.memory


def check(message: Message, context: Context) -> Remarks:
    if CLIENT_INFO not in message.meta:
        context.memory.append(message.seq)
        yield remark(f"The request {message.name[:80]} has no {CLIENT_INFO}", "/params/_meta")
