"""Capabilities have the right shape.

`expect.client` and `expect.server` name the capabilities of each side: a capability is an object, and its members are
what is written there (`boolean`, or an object with members of its own); `*` stands for every member. Members that the
revision does not know are left alone; a capability of another revision is mentioned. A declaration that is repeated
with every request is judged once.
"""

from collections.abc import Mapping
from typing import Any

from mcptest.compliance.kit import CLIENT, Context, Part, Remarks, a, info, pointer, remark
from mcptest.compliance.rules.proto._parts import declarations, news

ID = "PROTO-015"
ON = declarations
EXPECT = {"client", "server"}
MEMORY = dict[str, Any]
_EVER = {
    "client": {"roots", "sampling", "elicitation", "tasks", "extensions"},
    "server": {"tools", "resources", "prompts", "logging", "completions", "tasks", "extensions"},
}


def applies(part: Part, context: Context) -> bool:
    return news(part, context.memory)


def check(part: Part, context: Context) -> Remarks:
    side = "client" if part.sender == CLIENT else "server"
    expected = context.expect[side]
    yield from _misfits(part.members, expected, ())
    for name in part.members:
        if name in _EVER[side] and name not in expected:
            yield info(f"{context.revision} does not have the capability {name}", pointer(name))


def _misfits(members: Mapping[str, Any], expected: Mapping[str, Any], path: tuple[str, ...]) -> Remarks:
    for name, value in members.items():
        shape = expected.get(name, expected.get("*"))
        if shape is None:
            continue
        at = (*path, name)
        if shape == "boolean":
            if type(value) is not bool:
                yield remark(f"{'.'.join(at)[:80]} is {a(value)}, not a boolean", pointer(*at))
        elif type(value) is not dict:
            yield remark(f"{'.'.join(at)[:80]} is {a(value)}, not an object", pointer(*at))
        else:
            yield from _misfits(value, shape, at)
