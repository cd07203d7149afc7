"""Calls a tool and cancels the call at once.

Whether the call is still answered is up to who was faster. The server must live on: a cancellation that ends it, or
after which it answers nothing any more, fails.
"""

import asyncio

from mcptest.probes.outcomes import Verdict
from mcptest.probes.subject import Skip
from mcptest.probes.talk import QUIET, Seen, Talk
from mcptest.protocol import methods
from mcptest.transport import Answer, Lost

TAXONOMY = "FAULT-LIFECYCLE-CANCELLATION"


async def converse(talk: Talk) -> Seen:
    subject = talk.subject
    if subject is None:
        raise Skip("there is no tool to call")
    what = "a call that was cancelled at once"
    message = talk.client.request(methods.CALL_TOOL, {"name": subject.name, "arguments": subject.base})
    async with talk.gate.call(subject.classified):
        answer: asyncio.Future[Answer] | None = None
        try:
            async with asyncio.timeout(talk.settings.timeout):
                answer = await talk.client.peer.begin(message)
                await talk.client.tell(methods.CANCELLED, {"requestId": message["id"], "reason": "mcptest probes"})
            async with asyncio.timeout(min(QUIET, talk.settings.timeout)):
                await answer
        except TimeoutError:
            return Seen(Verdict.PASSED, f"{what}: not answered")
        except Lost as lost:
            return Seen(Verdict.CRASHED, f"{what}: {lost}")
        except asyncio.CancelledError:
            if answer is None or not answer.cancelled():
                raise
            return Seen(Verdict.PASSED, f"{what}: given up")
        finally:
            talk.client.peer.forget(message["id"])
    return Seen(Verdict.PASSED, f"{what}: answered all the same")
