"""A field's default is a value that the field allows."""

from mcptest.compliance.kit import Inconclusive, Part, Remarks, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fields
from mcptest.schemas import SchemaError, Validator

ID = "ELICIT-016"
ON = called("forms with defaults", ASKED)


def applies(question: Part) -> bool:
    return not by_url(question) and any(type(one) is dict and "default" in one for one in fields(question).values())


def check(question: Part) -> Remarks:
    for name, schema in fields(question).items():
        if type(schema) is not dict or "default" not in schema or "$ref" in schema:
            continue
        try:
            fits = Validator(schema).is_valid(schema["default"])
        except SchemaError as error:
            raise Inconclusive(f"the schema of the field {name[:80]!r} cannot be used") from error
        if not fits:
            if question.message.redacted:
                raise Inconclusive("parts of the message are redacted")
            at = pointer("requestedSchema", "properties", name, "default")
            yield remark(f"The default of the field {name[:80]!r} is not a value that the field allows", at)
