"""A server that promised to announce changes of its list of prompts does so.

Two whole lists of one session that differ show a change; an announcement belongs between them, or right after the
second. Since 2026-07-28 it is owed only to a client that listens for it. Only stdio is judged: elsewhere the list may
depend on who asks, and there may be no way to tell the client.
"""

from functools import partial

from mcptest.compliance.kit import Context, History, Listing, Message, Remarks, remark, sessions
from mcptest.compliance.rules._changes import PROMPTS, Changes

ID = "PROMPT-009"
ON = sessions._replace(noun="changes of the list")
WATCH = PROMPTS.watched
MEMORY = partial(Changes, PROMPTS)


def watch(subject: Listing | Message, context: Context) -> None:
    context.memory.note(subject, context)


def applies(_: History, context: Context) -> bool:
    return bool(context.memory.owed)


def check(_: History, context: Context) -> Remarks:
    for answer in context.memory.unannounced(context):
        yield remark("The list of prompts has changed since it was last read, and nobody said so", of=answer)
