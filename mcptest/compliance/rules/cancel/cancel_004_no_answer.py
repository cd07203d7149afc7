"""A cancelled request gets no response.

One that is under way when the cancellation comes is fine. Some requests cannot be cancelled, and the text allows to
ignore that, so this is never more than a warning. What a server ends itself, and a handshake, are not judged.
"""

from mcptest.compliance.kit import Exchange, Remarks, exchanges, later
from mcptest.protocol.methods import INITIALIZE

ID = "CANCEL-004"
ON = exchanges()._replace(noun="cancelled requests")


def applies(exchange: Exchange) -> bool:
    cancelled = exchange.cancelled
    return cancelled is not None and cancelled.sender == exchange.asker and exchange.method != INITIALIZE


def check(exchange: Exchange) -> Remarks:
    answer, cancelled = exchange.answer, exchange.cancelled
    if answer is not None and cancelled is not None and later(cancelled, answer):
        waited = (answer.mono - cancelled.mono) / 1e9
        yield f"The response comes {waited:.1f} s after the request was cancelled in frame {cancelled.seq}"
