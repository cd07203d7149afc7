"""Keys of `_meta`: an optional prefix of labels, and a name."""

from __future__ import annotations

import re
from functools import lru_cache

_LABEL = r"[^\W\d_](?:[^\W_]|-)*(?<!-)"
_GRAMMAR = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")
MANY = 1024  # different keys; a peer has few, and sends them with every message


@lru_cache(MANY)
def is_proper(key: str) -> bool:
    return _GRAMMAR.fullmatch(key) is not None


@lru_cache(MANY)
def improper(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a message's keys that are not as they should be; most messages of a peer have the same keys."""
    return tuple(key for key in keys if not is_proper(key))


@lru_cache(MANY)
def any_prefix(keys: tuple[str, ...]) -> bool:
    return any(map(labels_of, keys))


@lru_cache(MANY)
def labels_of(key: str) -> tuple[str, ...]:
    """The labels of a key's prefix; none where it has no prefix."""
    prefix, slash, _ = key.rpartition("/")
    return tuple(prefix.split(".")) if slash and prefix else ()
