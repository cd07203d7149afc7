"""A URI template is one by RFC 6570.

Its braces match, and what stands in them is an expression: an operator, if any, and names of variables, separated by
commas, each with a prefix length or an asterisk, if any. Operators that are kept for later are warned about. Literal
text is not judged.
"""

from mcptest.compliance.kit import Part, Remarks, remark, templates, warning
from mcptest.compliance.rules._uris import template

ID = "RESTPL-003"
ON = templates


def applies(part: Part) -> bool:
    return type(part.members.get("uriTemplate")) is str and not part.message.redacted


def check(part: Part) -> Remarks:
    found = template(part.members["uriTemplate"])
    if found.problem:
        yield remark(f"{part.name[:80]!r} is no URI template: {found.problem}", "/uriTemplate")
    elif found.reserved:
        yield warning(f"The expression {found.reserved[:80]!r} has an operator that is kept for later", "/uriTemplate")
