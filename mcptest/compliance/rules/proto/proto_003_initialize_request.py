"""The `initialize` request names a version, capabilities and who the client is.

`protocolVersion` is a string, `capabilities` an object, and `clientInfo` has the strings `name` and `version`.
"""

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, remark, requests
from mcptest.compliance.rules.proto._parts import implementation

ID = "PROTO-003"
ON = requests("initialize").of(CLIENT)


def check(message: Message) -> Remarks:
    params = message.params
    for key, kind, wanted in (("protocolVersion", str, "a string"), ("capabilities", dict, "an object")):
        if key not in params:
            yield remark(f"The request has no {key}", "/params")
        elif type(params[key]) is not kind:
            yield remark(f"{key} is {a(params[key])}, not {wanted}", f"/params/{key}")
    yield from implementation(params.get("clientInfo"), "/params/clientInfo")
