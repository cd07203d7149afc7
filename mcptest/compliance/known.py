"""What the parties of a session had told each other by some moment: capabilities, versions, lists.

`Known` is replaced when something new is said, and each message keeps the one of its moment: so "as of the request"
needs no search, and an answer that comes late is judged by what held when it was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mcptest.compliance.subjects import Part


class Capabilities(dict[str, Any]):
    """What a side declared, as it stood in the message."""

    @classmethod
    def of(cls, value: Any) -> Capabilities | None:
        return cls(value) if type(value) is dict else None

    def declares(self, *path: str) -> bool:
        """Is the feature at this path declared? `declares("tools", "listChanged")`: an object counts as declared, be
        it empty; false and null do not."""
        found: Any = self
        for key in path:
            if not isinstance(found, Mapping) or key not in found:
                return False
            found = found[key]
        return found is not None and found is not False


class Catalogue:
    """What a server listed of one kind, newest definition first to be found. `complete`: the listing reached its last
    page. `changed` is the frame of a list_changed notification that came after it, if one did."""

    __slots__ = ("_earlier", "changed", "complete", "entries", "seq")

    def __init__(self, seq: int = 0, earlier: Catalogue | None = None) -> None:
        self.seq = seq
        self.entries: dict[str, Part] = {}
        self.complete = False
        self.changed: int | None = None
        # Only one generation back: a server that is listed for ever must not be remembered for ever.
        self._earlier = earlier
        if earlier is not None:
            earlier._earlier = None

    def get(self, name: Any) -> Part | None:
        """The newest definition listed under this name (of a resource: its URI, of a template: its URI template)."""
        if type(name) is not str:
            return None
        found = self.entries.get(name)
        if found is None and not self.complete and self._earlier is not None:
            return self._earlier.entries.get(name)
        return found

    def __contains__(self, name: Any) -> bool:
        return self.get(name) is not None

    def lacks(self, name: Any) -> bool:
        """Was a whole listing seen, still valid, in which this name is not? (Not: has nobody seen it.)"""
        return self.complete and self.changed is None and name not in self


EMPTY = Catalogue()


class Known(NamedTuple):
    """None is what had not been said. `requested` and `negotiated` are protocol versions as the handshake spelt them,
    `discovered` the capabilities that `server/discover` gave, `versions` those it listed."""

    requested: str | None = None
    negotiated: str | None = None
    client: Capabilities | None = None
    server: Capabilities | None = None
    discovered: Capabilities | None = None
    versions: tuple[str, ...] | None = None
    initialized: bool = False
    tools: Catalogue = EMPTY
    resources: Catalogue = EMPTY
    templates: Catalogue = EMPTY
    prompts: Catalogue = EMPTY
