"""What the rules about shapes have in common."""

from __future__ import annotations

from mcptest.compliance import shapes
from mcptest.compliance.kit import SERVER, Context, Message, Remarks, pointer, remark
from mcptest.protocol import PROTOCOL_VERSION, REVISIONS

ASK_BACK = ("tools/call", "prompts/get", "resources/read")


def of_known_version(message: Message) -> bool:
    """Did the parties themselves say which version they speak, and are its shapes known? A version that is younger than
    ours has its own, and one that is only assumed, because the capture does not have the beginning, proves nothing."""
    if message.modern and message.kind != "notification":
        request = message if message.answers is None else message.answers.request
        return request.meta.get(PROTOCOL_VERSION) in REVISIONS
    return message.modern or (message.known.negotiated or message.known.requested) in REVISIONS


def of_this_era(message: Message, context: Context) -> bool:
    """A server of the older era that was asked in the newer one is not judged by that."""
    return message.sender != SERVER or not message.modern or context.history.modern_server


def misfits(message: Message, method: str, part: str) -> Remarks:
    assert message.body is not None
    key = "result" if part == shapes.RESULT else "params"
    for misfit in shapes.problems(message.revision, message.sender, method, part, message.body.get(key)):
        at = pointer(key) + misfit.pointer if key in message.body else ""
        where = misfit.pointer[:200] or key
        yield remark(f"{method} of {message.revision}: {where}: {misfit.message[:300]}", at)
