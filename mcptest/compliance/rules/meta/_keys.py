"""Keys of `_meta`: an optional prefix of labels, and a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptest.compliance.kit import Part

_LABEL = r"[^\W\d_](?:[^\W_]|-)*(?<!-)"
GRAMMAR = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")


def prefixed(part: Part) -> Iterator[tuple[str, list[str]]]:
    """The keys that have a prefix, with its labels."""
    for key in part.members:
        prefix, slash, _ = key.rpartition("/")
        if slash and prefix:
            yield key, prefix.split(".")
