"""A template has a name to go by, may have a title to show, and has its URI template.

`name` and `uriTemplate` are strings and must be there; `title` is a string and `_meta` an object where they are there.
"""

from mcptest.compliance.kit import Part, Remarks, a, remark, templates
from mcptest.compliance.rules._results import strings

ID = "RESTPL-001"
ON = templates


def applies(part: Part) -> bool:
    return type(part.value) is dict


def check(part: Part) -> Remarks:
    members = part.members
    yield from strings(members, ("name", "uriTemplate"), ("title",), f"The template {part.name[:80]!r}")
    if "_meta" in members and type(members["_meta"]) is not dict:
        yield remark(f"_meta is {a(members['_meta'])}, not an object", "/_meta")
