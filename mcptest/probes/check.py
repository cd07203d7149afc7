"""What a probe is, and where they are found: each module in `checks/` is one, named by its file."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from mcptest import plugins
from mcptest.errors import UsageError

if TYPE_CHECKING:
    from mcptest.probes.subject import Spoilt, Subject
    from mcptest.probes.talk import Seen, Talk

PACKAGE = "mcptest.probes.checks"


class Scope(enum.StrEnum):
    """What a probe is aimed at. Those of the server need to be done once, not once per tool."""

    TOOL = "tool"
    SERVER = "server"


class Check(NamedTuple):
    """One probe. It either spoils the arguments of a call (`spoil`), or has a conversation of its own (`converse`)."""

    name: str
    taxonomy: str
    paper: str | None
    summary: str
    help: str
    default: bool
    scope: Scope
    spoil: Callable[[Subject], Iterator[Spoilt]] | None = None
    converse: Callable[[Talk], Awaitable[Seen]] | None = None


class _Checks(Mapping[str, Check]):
    """All probes by name, loaded when they are first looked at; the five default ones come first."""

    def __getitem__(self, name: str) -> Check:
        return _loaded()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_loaded())

    def __len__(self) -> int:
        return len(_loaded())


CHECKS: Mapping[str, Check] = _Checks()
_ORDER = ("unknown_tool", "missing_required", "wrong_type", "extra_field", "oversized")


def known(names: Iterable[str] | None) -> tuple[Check, ...]:
    """The probes of these names, in our order and each once; the default ones for None. UsageError for a name that
    is none, with the nearest that is one."""
    if names is None:
        return tuple(check for check in CHECKS.values() if check.default)
    wanted = list(names)
    for name in wanted:
        if name not in CHECKS:
            near = get_close_matches(str(name).lower().replace("-", "_"), list(CHECKS), n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"the probes are {', '.join(CHECKS)}"
            raise UsageError(f"there is no probe {str(name)!r}: {hint}")
    return tuple(check for name, check in CHECKS.items() if name in wanted)


@cache
def _loaded() -> dict[str, Check]:
    found = {module.__name__.rpartition(".")[2]: module for module in plugins.load_all(PACKAGE)}
    names = [name for name in _ORDER if name in found] + sorted(set(found) - set(_ORDER))
    return {name: _check(name, found[name]) for name in names}


def _check(name: str, module: ModuleType) -> Check:
    summary, _, rest = (module.__doc__ or "").strip().partition("\n")
    return Check(
        name,
        module.TAXONOMY,
        getattr(module, "PAPER", None),
        summary.strip(),
        rest.strip(),
        getattr(module, "DEFAULT", False),
        getattr(module, "SCOPE", Scope.TOOL),
        getattr(module, "spoil", None),
        getattr(module, "converse", None),
    )
