"""A task that is not known is refused with -32602.

`expect.methods` says for each method whether that is a must or a should. Judged on errors about a task that nobody has
shown, or whose time to live is over: such an error must say that it is about the task, since it may have other reasons.
A result is no fault: the task may be older than the capture.
"""

import re

from mcptest.compliance.kit import Context, Exchange, Inconclusive, Remarks, refusals, remark, warning
from mcptest.compliance.rules.tasks import _tasks
from mcptest.compliance.rules.tasks._tasks import EXTENSION, NAMING, asked_for, barred, declares, is_number, key_of
from mcptest.protocol import errors

ID = "TASKS-014"
ON = refusals(*NAMING)._replace(noun="errors about unknown tasks")
EXPECT = {"methods"}
MEMORY, WATCH, watch = _tasks.MEMORY, _tasks.WATCH, _tasks.watch
_UNKNOWN = re.compile(r"not.?found|unknown|no such|not.{0,10}exist|invalid|expired", re.IGNORECASE)


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.method not in context.expect["methods"] or not asked_for(exchange.request):
        return False
    path = ("extensions", EXTENSION) if exchange.modern else ("tasks",)
    offered = declares(exchange.request, exchange.sender, *path)
    if exchange.code == errors.METHOD_NOT_FOUND and not offered:
        return False
    return not barred(exchange) and _unknown(exchange, context)


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.code == errors.INVALID_PARAMS:
        return
    text = str(exchange.error.get("message"))[:500]
    if not exchange.synthetic and not (_UNKNOWN.search(text) and "task" in text.lower()):
        raise Inconclusive("the error may have another reason than that the task is not known")
    say = remark if context.expect["methods"][exchange.method] == "must" else warning
    yield say(f"A task that is not known is refused with {exchange.error.get('code')}, not with -32602", "/error/code")


def _unknown(exchange: Exchange, context: Context) -> bool:
    last = context.memory.last.get(key_of(exchange))
    if last is None:
        return True
    ttl = last.members.get("ttlMs" if exchange.modern else "ttl")
    created = context.memory.created.get(key_of(exchange))
    return is_number(ttl) and created is not None and exchange.request.mono - created.place.mono > ttl * 1e6
