"""`_meta` is an object, wherever it stands.

Before 2025-06-18 only params and results had one; elsewhere it was a member like any other, and is only mentioned.
`expect.nested` says whether the revision has it in definitions, content and roots too.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, info, remark
from mcptest.compliance.rules.meta._places import ENVELOPE, metas

ID = "META-005"
ON = metas
EXPECT = {"nested"}


def check(part: Part, context: Context) -> Remarks:
    if type(part.value) is not dict:
        say = remark if part.where == ENVELOPE or context.expect["nested"] else info
        yield say(f"_meta is {a(part.value)}, not an object")
