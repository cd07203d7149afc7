"""A form does not ask for secrets.

Told by words, so never more than a warning: a field into which one types something, and whose name, title or
description speaks of a password, a key, a token, a PIN or a payment card. Descriptions that say no or not are passed
over, and so are numbers of tokens.
"""

import re

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fields

ID = "ELICIT-008"
ON = called("forms with fields", ASKED)
_SECRET = re.compile(
    r"\b(pass ?words?|pass ?phrases?|passwd|pwd|(?:client |shared |app )?secrets?(?: keys?)?|api ?keys?|private keys?"
    r"|(?:access|bearer|auth|refresh|session|api|secret) tokens?|credentials?|pin(?: code| number)?|cvv|cvc"
    r"|(?:credit|debit|bank)? ?card numbers?)\b"
)
_NEGATED = re.compile(r"\b(no|not|never|don't|without)\b")
_JOINTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+")


def applies(question: Part) -> bool:
    return not by_url(question) and bool(fields(question))


def check(question: Part) -> Remarks:
    for name, schema in fields(question).items():
        if type(schema) is not dict or schema.get("type") not in ("string", "number", "integer"):
            continue
        if "enum" in schema or "oneOf" in schema:
            continue
        for text in (name, schema.get("title"), schema.get("description")):
            words = _JOINTS.sub(" ", text).lower() if type(text) is str else ""
            found = None if _NEGATED.search(words) else _SECRET.search(words)
            if found:
                at = pointer("requestedSchema", "properties", name)
                yield remark(f"The field {name[:80]!r} seems to ask for a secret: {found[0].strip()!r}", at)
                break
