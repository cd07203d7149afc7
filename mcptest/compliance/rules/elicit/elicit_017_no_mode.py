"""An elicitation without a mode is one by form.

Judged on proper ones, to clients that take forms: they are not refused for want of a mode. Another refusal as invalid
may have the same reason and is warned about; other errors are not judged.
"""

import re

from mcptest.compliance.kit import CLIENT, Exchange, Remarks, answers, remark, warning
from mcptest.compliance.rules.elicit._forms import METHOD, asked_in, sound
from mcptest.protocol import errors

ID = "ELICIT-017"
ON = answers(METHOD).of(CLIENT)._replace(noun="forms without a mode")
_WANTED = re.compile(
    r"\b(missing|required|requires?|needs?|undefined|expected|without|no)\b.{0,40}\bmode\b"
    r"|\bmode\b.{0,40}\b(missing|required|undefined|needed|expected|absent)\b",
    re.IGNORECASE,
)


def applies(exchange: Exchange) -> bool:
    return "mode" not in exchange.params and sound(asked_in(exchange))


def check(exchange: Exchange) -> Remarks:
    if exchange.error and _WANTED.search(str(exchange.error.get("message"))[:1000]):
        yield remark("The client refuses a form because it has no mode", "/error/message")
    elif exchange.code == errors.INVALID_PARAMS:
        yield warning("The client refuses a proper form without a mode as invalid", "/error/code")
