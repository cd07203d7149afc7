"""A cancelled request makes no more progress.

What is under way when the cancellation comes is fine. Log messages do not say which request they belong to.
"""

from mcptest.compliance.kit import Message, Remarks, later, notifications
from mcptest.protocol.methods import PROGRESS

ID = "CANCEL-005"
ON = notifications(PROGRESS)._replace(noun="progress notifications of cancelled requests")


def applies(message: Message) -> bool:
    return message.about is not None and message.about.cancelled is not None


def check(message: Message) -> Remarks:
    cancelled = message.about.cancelled if message.about is not None else None
    if cancelled is not None and later(cancelled, message):
        waited = (message.mono - cancelled.mono) / 1e9
        yield f"Progress comes {waited:.1f} s after the request was cancelled in frame {cancelled.seq}"
