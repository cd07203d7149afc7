"""A form's texts hold no links: the message, and the titles and descriptions of its fields and choices."""

import re
from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fields, form

ID = "ELICIT-015"
ON = called("forms", ASKED)
_LINK = re.compile(r"\bhttps?://\w", re.IGNORECASE)


def applies(question: Part) -> bool:
    return not by_url(question)


def check(question: Part) -> Remarks:
    for text, at in _texts(question):
        if type(text) is str and _LINK.search(text):
            yield remark("The text holds a link", at)


def _texts(question: Part) -> Iterator[tuple[Any, str]]:
    yield question.members.get("message"), "/message"
    for key in ("title", "description"):
        yield form(question).get(key), f"/requestedSchema/{key}"
        for name, schema in fields(question).items():
            if type(schema) is dict:
                yield schema.get(key), pointer("requestedSchema", "properties", name, key)
                choices = schema.get("oneOf")
                for at, choice in enumerate(choices if type(choices) is list else ()):
                    if type(choice) is dict:
                        yield choice.get(key), pointer("requestedSchema", "properties", name, "oneOf", at, key)
