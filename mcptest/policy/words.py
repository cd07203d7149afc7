"""Names taken apart into words, and the words that tell what a tool does.

`deleteFile`, `delete-file`, `delete_file` and `files.delete` all contain the word `delete`.
"""

from __future__ import annotations

import re

MUTATING = frozenset({"create", "update", "set", "send", "write", "post", "put", "insert", "patch", "add", "upload"})
DESTRUCTIVE = frozenset({"delete", "remove", "drop", "destroy", "purge", "erase", "wipe", "kill", "revoke"})

_LONGEST_NAME = 4096  # of a longer name only the beginning is read
# Between a small letter or a digit and a capital (deleteFile), and before the last capital of a run (HTTPServer).
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")


def split(name: str) -> list[str]:
    """The words of a name, in lower case."""
    return [word.lower() for word in words(name[:_LONGEST_NAME])]


def words(text: str) -> list[str]:
    """The words of any text as they are written; names inside it are taken apart like names."""
    return _WORD.findall(_CAMEL.sub(" ", text))


def destructive_word(name: str) -> str | None:
    return next((word for word in split(name) if word in DESTRUCTIVE), None)


def mutating_word(name: str) -> str | None:
    return next((word for word in split(name) if word in MUTATING), None)
