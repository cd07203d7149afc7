"""Prefixes are domain names in reverse order: `com.example/`, not `example.com/`.

A guess by the common endings of domain names: warned about if the last label is one and the first is none.
"""

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules.meta._keys import GRAMMAR, prefixed
from mcptest.compliance.rules.meta._places import metas

ID = "META-003"
ON = metas
_ENDINGS = {"ai", "app", "cloud", "co", "com", "dev", "edu", "gov", "io", "me", "net", "org", "tech", "xyz"}


def applies(part: Part) -> bool:
    return any(prefixed(part))


def check(part: Part) -> Remarks:
    for key, labels in prefixed(part):
        first, last = labels[0].lower(), labels[-1].lower()
        country = len(first) == 2
        if len(labels) > 1 and last in _ENDINGS and first not in _ENDINGS and not country and GRAMMAR.fullmatch(key):
            yield remark(f"The prefix of {key[:80]!r} is not in reverse order", pointer(key))
