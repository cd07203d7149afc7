"""What kind of tool it is: what its annotations say, and where they say nothing, what its name says."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, NamedTuple

from mcptest.policy.words import destructive_word, mutating_word

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class ToolClass(enum.StrEnum):
    """ReadOnly was declared by the server; ReadOnlyPresumed is what is left when nothing speaks against it."""

    READ_ONLY = "ReadOnly"
    READ_ONLY_PRESUMED = "ReadOnlyPresumed"
    MUTATING = "Mutating"
    DESTRUCTIVE = "Destructive"


# The worse one wins where two sources disagree.
_GRAVITY = list(ToolClass)


class Classified(NamedTuple):
    """A tool's class and why: `source` is what decided, `annotations` or `name`; `reason` says it in words."""

    tool: str
    tool_class: ToolClass
    source: str
    reason: str
    malformed: bool = False  # its annotations could not be read, and were ignored


def classify(name: str, annotations: Any = None) -> Classified:
    """The class of a tool from its descriptor's name and annotations, by the first condition that holds."""
    malformed = annotations is not None and not well_formed(annotations)
    hints: Mapping[str, Any] = annotations if annotations is not None and not malformed else {}
    if hints.get("readOnlyHint") is True:
        return Classified(name, ToolClass.READ_ONLY, "annotations", "readOnlyHint is true")
    if hints.get("destructiveHint") is True:
        return Classified(name, ToolClass.DESTRUCTIVE, "annotations", "destructiveHint is true")
    if hints.get("idempotentHint") is False:
        return Classified(name, ToolClass.MUTATING, "annotations", "idempotentHint is false")
    ignored = "its malformed annotations are ignored, and " if malformed else ""
    for tool_class, word in (
        (ToolClass.DESTRUCTIVE, destructive_word(name)),
        (ToolClass.MUTATING, mutating_word(name)),
    ):
        if word is not None:
            return Classified(name, tool_class, "name", f"{ignored}its name says {word!r}", malformed)
    reason = f"{ignored}nothing in its name says otherwise"
    return Classified(name, ToolClass.READ_ONLY_PRESUMED, "name", reason, malformed)


def well_formed(annotations: Any) -> bool:
    """An object whose hints are booleans and whose title is a string."""
    return (
        isinstance(annotations, Mapping)
        and all(isinstance(annotations[hint], bool) for hint in HINTS if hint in annotations)
        and ("title" not in annotations or isinstance(annotations["title"], str))
    )


def graver(one: Classified, other: Classified) -> Classified:
    """Of two opinions on a tool the one that asks for more care."""
    return other if _GRAVITY.index(other.tool_class) > _GRAVITY.index(one.tool_class) else one
