"""Sends an argument that is nested very deeply.

A hundred levels must be answered, by a result or by a refusal. A thousand are more than many parsers take: then it
is enough that the server survives and answers the next good request.
"""

from typing import Any

import orjson

from mcptest.policy import classify
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk, worst
from mcptest.protocol import methods

TAXONOMY = "FAULT-INPUT-NESTING"
SHALLOW, DEEP = 100, 1000
_HERE = "mcptest-nested-here"


async def converse(talk: Talk) -> Seen:
    subject = talk.subject
    if subject is None:
        raise Skip("there is no tool to call")
    name = next((name for name, _ in subject.properties), "mcptest_nested")
    nested: Any = "x"
    for _ in range(SHALLOW):
        nested = [nested]
    annotations = subject.tool.get("annotations")
    reply = await talk.call(subject.name, subject.with_(name, nested), annotations=annotations)
    first = talk.seen(reply, f"a call with {SHALLOW} levels in {name!r}", strict=False)
    if first.verdict.failed or not talk.may_call_again(subject):
        return first
    message = talk.client.request(methods.CALL_TOOL, {"name": subject.name, "arguments": subject.with_(name, _HERE)})
    data = orjson.dumps(message).replace(b'"%s"' % _HERE.encode(), b"[" * DEEP + b"]" * DEEP)
    what = f"a call with {DEEP} levels in {name!r}"
    async with talk.gate.call(classify(subject.name, annotations)):
        if talk.is_http:
            return worst([first, talk.seen(await talk.post(data, message), what, strict=False, method="")])
        await talk.utter(data)
        # Whether it is answered or dropped, a good request afterwards tells whether it was survived.
        return first._replace(evidence=f"{first.evidence}; {what} was sent too")
