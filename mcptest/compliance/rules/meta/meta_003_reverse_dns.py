"""Prefixes are domain names in reverse order: `com.example/`, not `example.com/`.

A guess by the common endings of domain names: warned about if the last label is one and the first is none.
"""

from functools import lru_cache

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules.meta._keys import MANY, any_prefix, is_proper, labels_of
from mcptest.compliance.rules.meta._places import metas

ID = "META-003"
ON = metas
_ENDINGS = {"ai", "app", "cloud", "co", "com", "dev", "edu", "gov", "io", "me", "net", "org", "tech", "xyz"}


def applies(part: Part) -> bool:
    return any_prefix(tuple(part.members))


def check(part: Part) -> Remarks:
    for key in _reversed(tuple(part.members)):
        yield remark(f"The prefix of {key[:80]!r} is not in reverse order", pointer(key))


@lru_cache(MANY)
def _reversed(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(_is_reversed, keys))


def _is_reversed(key: str) -> bool:
    labels = [label.lower() for label in labels_of(key)]
    if len(labels) < 2 or labels[-1] not in _ENDINGS or not is_proper(key):
        return False
    return labels[0] not in _ENDINGS and len(labels[0]) != 2  # two letters are a country's
