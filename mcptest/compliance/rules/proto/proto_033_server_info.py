"""Each result says in `_meta` which server gave it.

Said once in a session: a server may have been told to leave it out. Judged only if the server has shown that it knows
the stateless era.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, modern_server, remark, results
from mcptest.compliance.rules.proto._parts import is_stateless
from mcptest.protocol import SERVER_INFO

ID = "PROTO-033"
ON = results().of(SERVER)
PROVIDED = modern_server
MEMORY = list[int]


def applies(exchange: Exchange, context: Context) -> bool:
    return is_stateless(exchange.request) and not context.memory


def check(exchange: Exchange, context: Context) -> Remarks:
    assert exchange.answer is not None
    if SERVER_INFO not in exchange.answer.meta:
        context.memory.append(exchange.answer.seq)
        yield remark(f"The result of {exchange.method[:80]} has no {SERVER_INFO}", "/result")
