"""A ping is answered promptly.

The specification names no time, so that time alone never breaks a MUST here: an answer after `expect.slow` seconds is
mentioned, one after `expect.late` seconds is warned about.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, answers, info, warning

ID = "PING-002"
ON = answers("ping")._replace(noun="answers to pings")
EXPECT = {"late", "slow"}


def applies(exchange: Exchange) -> bool:
    return not exchange.modern


def check(exchange: Exchange, context: Context) -> Remarks:
    assert exchange.answer is not None
    seconds = (exchange.answer.mono - exchange.request.mono) / 1e9
    if seconds > context.expect["late"]:
        yield warning(f"The ping was answered after {seconds:.1f} s")
    elif seconds > context.expect["slow"]:
        yield info(f"The ping was answered after {seconds:.1f} s")
