"""`initialize` is answered with a version, capabilities and who the server is.

`protocolVersion` is a string, `capabilities` an object, `serverInfo` has the strings `name` and `version` (an empty
version is warned about), and `instructions`, if there are any, are a string.

`expect.transport` are the transports that the revision defines, null where that is not asked for. HTTP+SSE, which the
later revisions keep for older peers only, is warned about; a transport that no revision knows is somebody's own and
not judged.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, a, remark, results, warning
from mcptest.compliance.rules.proto._parts import implementation

ID = "PROTO-002"
ON = results("initialize").of(SERVER)
EXPECT = {"transport"}
_STANDARD = ("stdio", "streamable-http", "sse")


def check(exchange: Exchange, context: Context) -> Remarks:
    result = exchange.result
    for key, kind, wanted in (("protocolVersion", str, "a string"), ("capabilities", dict, "an object")):
        if key not in result:
            yield remark(f"The result has no {key}", "/result")
        elif type(result[key]) is not kind:
            yield remark(f"{key} is {a(result[key])}, not {wanted}", f"/result/{key}")
    info = result.get("serverInfo")
    yield from implementation(info, "/result/serverInfo")
    if type(info) is dict and info.get("version") == "":
        yield warning("serverInfo.version is empty", "/result/serverInfo/version")
    if type(result.get("instructions", "")) is not str:
        yield remark(f"instructions are {a(result['instructions'])}, not a string", "/result/instructions")
    transport, allowed = context.history.transport, context.expect["transport"]
    if allowed is not None and transport in _STANDARD and transport not in allowed:
        yield warning(f"The session runs over {transport}, which {context.revision} does not define")
