"""A ping is answered with an empty result.

`_meta` may be in it, nothing else. A ping that is not answered at all fails only if its receiver went on talking for
some seconds (`expect.patience`) after it: a connection that died is nobody's refusal. Pings from before the handshake
are not judged, nor are those that were taken back.
"""

from mcptest.compliance.kit import OTHER, Context, Exchange, Inconclusive, Message, Remarks, exchanges, messages, remark

ID = "PING-001"
ON = exchanges("ping")._replace(noun="pings")
WATCH = messages
EXPECT = {"patience"}
MEMORY = dict[str, int]  # when each side was last heard of


def watch(message: Message, context: Context) -> None:
    context.memory[message.sender] = message.mono


def applies(exchange: Exchange, context: Context) -> bool:
    request = exchange.request
    opened = request.known.requested is not None or not context.history.began
    opened = opened and (request.body or {}).get("jsonrpc") == "2.0"  # else it is no ping, see JSONRPC-015
    return opened and not request.modern and (exchange.answer is not None or exchange.cancelled is None)


def check(exchange: Exchange, context: Context) -> Remarks:
    request, answer = exchange.request, exchange.answer
    if answer is None:
        context.rely_on_end()
        went_on = context.memory.get(OTHER[request.sender], 0) - request.mono
        if went_on < context.expect["patience"] * 1_000_000_000:
            raise Inconclusive(f"the {exchange.sender} was not heard of for long after the ping")
        yield f"The {exchange.sender} did not answer the ping, and sent other messages for {went_on / 1e9:.0f} s"
    elif answer.body is not None and "error" in answer.body:
        yield remark(f"The ping was refused with {exchange.error.get('code')}", "/error")
    else:
        more = sorted(key for key in exchange.result if key != "_meta")
        if more:
            yield remark(f"The answer to a ping is not empty: it has {', '.join(more)[:80]}", "/result")
