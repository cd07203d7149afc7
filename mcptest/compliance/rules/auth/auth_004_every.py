"""Authorization is on every request of a client, not only on the first.

From the first authorized request that was let in, each one to the MCP endpoint has it, also in an open session. After a
401 a client may begin anew without. Where the server serves such a request all the same, it is warned about.
"""

from dataclasses import dataclass, field

from mcptest.compliance.kit import Context, HttpExchange, Remarks, http_ends, warning
from mcptest.compliance.rules.auth._flow import credential, protected

ID = "AUTH-004"
ON = http_ends("POST", "GET", "DELETE")
PROVIDED = protected


@dataclass
class MEMORY:
    since: int | None = None  # when an authorized request was first let in
    refused: list[int] = field(default_factory=list)


def applies(exchange: HttpExchange, context: Context) -> bool:
    if not exchange.mcp or exchange.response_mono is None:
        return False
    memory: MEMORY = context.memory
    has_one = credential(exchange) is not None
    if exchange.status == 401:
        memory.refused.append(exchange.response_mono)
    elif has_one and exchange.ok and memory.since is None:
        memory.since = exchange.response_mono
    if memory.since is None:
        return False
    return has_one or exchange.mono > memory.since


def check(exchange: HttpExchange, context: Context) -> Remarks:
    memory: MEMORY = context.memory
    if credential(exchange) is not None or memory.since is None:
        return
    if any(memory.since < when < exchange.mono for when in memory.refused):
        return
    if exchange.ok:
        yield warning("A request has no Authorization, though earlier ones had (the server served it)")
    else:
        yield "A request has no Authorization, though earlier ones had"
