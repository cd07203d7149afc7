"""A client asks for its newest version, and a server that cannot do that offers its own newest.

One session rarely shows more than one version of a side. It does where a client comes back with a newer version than
it asked for first, and where a server has said, when it was discovered, which versions it supports.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, remark, requests, results
from mcptest.compliance.rules.proto._parts import shakes_hands

ID = "PROTO-012"
ON = (requests("initialize").of(CLIENT)._replace(noun="offers"), results("initialize").of(SERVER))
WATCH = requests("initialize").of(CLIENT)
MEMORY = list[Message]
_MOST = 100


def watch(message: Message, context: Context) -> None:
    if shakes_hands(message.params.get("protocolVersion")) and not message.synthetic and len(context.memory) < _MOST:
        context.memory.append(message)


def applies(subject: Message | Exchange, context: Context) -> bool:
    if isinstance(subject, Message):
        return len(context.memory) > 1 and context.memory[-1] is subject
    offered, known = subject.result.get("protocolVersion"), subject.known.versions
    other = shakes_hands(offered) and offered != subject.params.get("protocolVersion")
    return other and known is not None and any(map(shakes_hands, known))


def check(subject: Message | Exchange, context: Context) -> Remarks:
    if isinstance(subject, Message):
        version = subject.params["protocolVersion"]
        earlier = [one for one in context.memory[:-1] if one.params["protocolVersion"] < version]
        if earlier:
            asked = earlier[0].params["protocolVersion"]
            yield remark(
                f"The client asks for {version}, and asked for {asked} before, in frame {earlier[0].seq}",
                "/params/protocolVersion",
            )
        return
    offered, known = subject.result["protocolVersion"], subject.known.versions
    newest = max(filter(shakes_hands, known or ()))
    if newest > offered:
        yield remark(f"The server offers {offered}, and says that it supports {newest}", "/result/protocolVersion")
