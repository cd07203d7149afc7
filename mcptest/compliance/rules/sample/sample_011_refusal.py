"""A user's refusal to sample is an error, with the code -1 as in the specification's example.

Judged on errors with that code, and on those whose text speaks of a refusal. The example is no demand, so another code
is only mentioned.
"""

import re

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, info, refusals
from mcptest.compliance.rules.sample._messages import METHOD

ID = "SAMPLE-011"
ON = refusals(METHOD).of(CLIENT)._replace(noun="refusals")
_REFUSED = re.compile(r"\b(reject|declin|den(y|ied)|refus)", re.IGNORECASE)


def applies(exchange: Exchange) -> bool:
    return exchange.code == -1 or _REFUSED.search(str(exchange.error.get("message"))[:1000]) is not None


def check(exchange: Exchange) -> Remarks:
    if exchange.code != -1:
        yield info(f"A refusal has the code {exchange.code} instead of -1", "/error/code")
