"""Titles of choices stand beside them, not in `enumNames`.

Since 2025-11-25 a form can say them with `oneOf`; before, there was only `enumNames`, and old clients know no other.
"""

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fields

ID = "DEPR-007"
ON = called("forms with fields", ASKED)


def applies(question: Part) -> bool:
    return not by_url(question) and bool(fields(question))


def check(question: Part) -> Remarks:
    for name, schema in fields(question).items():
        if type(schema) is dict and "enumNames" in schema:
            at = pointer("requestedSchema", "properties", name, "enumNames")
            yield remark(f"The field {name[:80]!r} has enumNames, which is deprecated", at)
