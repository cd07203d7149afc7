"""A form is flat: its fields are strings, numbers, booleans and choices.

`expect.arrays` says whether a field may be an array of choices, `expect.titled` whether choices may have titles of
their own (`oneOf` with `const` and `title`). Other keywords on a field of an allowed type are nobody's concern; a
`format` that the specification does not name is warned about.
"""

from mcptest.compliance.kit import Context, Part, Remarks, pointer, remark, warning
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fault_of_field, fields

ID = "ELICIT-003"
ON = called("forms with fields", ASKED)
EXPECT = {"arrays", "titled"}
_FORMATS = ("email", "uri", "date", "date-time")


def applies(question: Part) -> bool:
    return not by_url(question) and bool(fields(question))


def check(question: Part, context: Context) -> Remarks:
    for name, schema in fields(question).items():
        at, called = pointer("requestedSchema", "properties", name), f"The field {name[:80]!r}"
        fault = fault_of_field(schema, context.expect["arrays"])
        if fault is not None:
            yield remark(f"{called} {fault}", at)
        elif schema.get("type") == "string":
            if "format" in schema and schema["format"] not in _FORMATS:
                yield warning(f"{called} has a format that is none of {', '.join(_FORMATS)}", f"{at}/format")
            if "oneOf" in schema and not context.expect["titled"]:
                yield warning(f"{called} has choices with titles, which {context.revision} does not know", at)
        elif schema.get("type") == "array" and not {"enum", "anyOf"} & schema["items"].keys():
            yield warning(f"{called} gives its choices neither as enum nor as anyOf", f"{at}/items")
