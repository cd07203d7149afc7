"""A request to complete says what it is about, which argument, and what is typed so far.

`ref` is a prompt by its `name` or a resource by its `uri`, and `argument` has a `name` and a `value`; all are strings.
"""

from typing import Any

from mcptest.compliance.kit import CLIENT, Message, Remarks, a, remark, requests

ID = "COMPLETE-002"
ON = requests("completion/complete").of(CLIENT)
_KEYS = {"ref/prompt": "name", "ref/resource": "uri"}


def check(message: Message) -> Remarks:
    ref, argument = message.params.get("ref"), message.params.get("argument")
    if type(ref) is not dict:
        yield from _no_object(message, "ref")
    else:
        kind = ref.get("type")
        if type(kind) is str and kind in _KEYS:
            yield from _string(ref, "ref", _KEYS[kind])
        else:
            said = repr(kind[:40]) if type(kind) is str else a(kind) if "type" in ref else "missing"
            yield remark(f"The type of ref is {said}, not ref/prompt or ref/resource", "/params/ref")
    if type(argument) is not dict:
        yield from _no_object(message, "argument")
    else:
        yield from _string(argument, "argument", "name")
        yield from _string(argument, "argument", "value")


def _no_object(message: Message, key: str) -> Remarks:
    if key in message.params:
        yield remark(f"{key} is {a(message.params[key])}, not an object", f"/params/{key}")
    else:
        yield remark(f"The request has no {key}", "/params" if message.params else "")


def _string(members: dict[str, Any], of: str, key: str) -> Remarks:
    if key not in members:
        yield remark(f"{of} has no {key}", f"/params/{of}")
    elif type(members[key]) is not str:
        yield remark(f"{key} of {of} is {a(members[key])}, not a string", f"/params/{of}/{key}")
