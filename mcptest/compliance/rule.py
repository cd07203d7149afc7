"""A compliance rule is a module; docs/compliance-rules.md says how to write one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from mcptest import plugins
from mcptest.compliance.history import History
from mcptest.compliance.http import HttpExchange, SseEvent
from mcptest.compliance.on import On
from mcptest.compliance.subjects import Exchange, Message
from mcptest.errors import UsageError
from mcptest.findings import Severity
from mcptest.rules import Inconclusive

PACKAGE = "mcptest.compliance.rules"

RACE = 1_000_000_000  # ns: what two sides may send past each other, before "after" means after
SLOW = frozenset({"tools/call", "sampling/createMessage", "elicitation/create", "tasks/result"})
_SECOND = 1_000_000_000


class Remark(NamedTuple):
    """What a rule says: the text, a JSON pointer into the subject, how grave it is if less than the rule's level,
    the message to show if it is not the subject's own, and whose doing it is if the subject does not tell."""

    text: str
    at: str = ""
    severity: Severity | None = None
    of: Message | HttpExchange | SseEvent | None = None
    by: str | None = None


Of = Message | HttpExchange | SseEvent | None
Remarks = Iterator[Remark | str]


def remark(text: str, at: str = "", of: Of = None, by: str | None = None) -> Remark:
    return Remark(text, at, None, of, by)


def warning(text: str, at: str = "", of: Of = None, by: str | None = None) -> Remark:
    """A remark that is a warning at most, also where the rule is a MUST."""
    return Remark(text, at, Severity.WARNING, of, by)


def info(text: str, at: str = "", of: Of = None, by: str | None = None) -> Remark:
    """A remark that fails nothing, in any revision."""
    return Remark(text, at, Severity.INFO, of, by)


class Context:
    """What a rule knows besides its subject: `expect` are its parameters in the revision in force, `revision` that
    revision, `history` the session so far, `memory` what it keeps for itself (made by MEMORY, one for each session)."""

    __slots__ = ("binds", "expect", "history", "memory", "revision", "severity")

    def __init__(
        self,
        revision: str,
        expect: Mapping[str, Any],
        severity: Severity,
        binds: str,
        history: History,
        memory: Any,
    ) -> None:
        self.revision, self.expect, self.severity, self.binds = revision, expect, severity, binds
        self.history, self.memory = history, memory

    def rely_on_past(self) -> None:
        """Call before remarking that something had not been seen before: it may just not have been captured."""
        reason = self.history.incomplete_past
        if reason:
            raise Inconclusive(reason)

    def rely_on_end(self) -> None:
        """Call before remarking, at the end, that something never came: it may just not have been captured."""
        reason = self.history.incomplete_end
        if reason:
            raise Inconclusive(reason)

    def unanswered(self, exchange: Exchange) -> bool:
        """Was this request left without an answer that it was owed? Not if it was cancelled. Inconclusive where the
        session ended before that could be told: soon after, or while something that may take its time was at work."""
        if exchange.answer is not None or exchange.cancelled is not None:
            return False
        if exchange.method == "subscriptions/listen":
            return False
        self.rely_on_end()
        request, history = exchange.request, self.history
        closed = history.event("eof", channel="stdin") or history.event("exit")
        if closed is None:
            raise Inconclusive("the capture does not show how the connection ended")
        waited = closed.mono - request.mono
        patience = 600 if exchange.method in SLOW else 5 if history.last_answered[exchange.asker] > request.seq else 60
        if waited < patience * _SECOND:
            raise Inconclusive(f"the connection ended {waited / _SECOND:.1f} s after a request that was not answered")
        return True


class Alone:
    """A rule's function that has no need of the context, callable like those that have."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, subject: Any, _: Context) -> Any:
        return self.function(subject)


class Rule(NamedTuple):
    id: str
    on: tuple[On, ...]
    check: Callable[[Any, Context], Iterable[Remark | str] | None]
    applies: Callable[[Any, Context], bool] | None
    watched: tuple[On, ...]
    watch: Callable[[Any, Context], None] | None
    memory: Callable[[], Any] | None
    provided: Callable[[History], str | None] | None
    expects: frozenset[str]
    summary: str
    help: str
    origin: str

    @property
    def family(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def noun(self) -> str:
        return self.on[0].noun


def modern_server(history: History) -> str | None:
    """For PROVIDED: the server must have shown that it knows the stateless era."""
    return None if history.modern_server else "the server did not show that it knows the stateless era"


def later(first: Message | HttpExchange, second: Message | HttpExchange) -> bool:
    """Was the second sent so much later than the first that its sender must have known of it?"""
    return second.mono - first.mono > RACE


def load_rules() -> dict[str, Rule]:
    """All rules of this package: each module in a folder of a family, except those that start with an underscore."""
    found: dict[str, Rule] = {}
    for family in plugins.names(PACKAGE):
        for module in plugins.load_all(f"{PACKAGE}.{family}"):
            rule = from_module(module)
            other = found.setdefault(rule.id, rule)
            if other is not rule:
                raise UsageError(f"two rules have the id {rule.id}: {other.origin} and {rule.origin}")
    return found


def from_module(module: ModuleType) -> Rule:
    origin = getattr(module, "__file__", None) or module.__name__
    manual = inspect.cleandoc(module.__doc__ or "")
    _demand(bool(manual), origin, "a docstring, whose first line says the rule in short")
    _demand(isinstance(getattr(module, "ID", None), str), origin, "ID, a string")
    on = _selectors(getattr(module, "ON", ()))
    _demand(bool(on), origin, "ON, a selector or several")
    check = _of_two(getattr(module, "check", None))
    _demand(check is not None, origin, "a function check(subject) or check(subject, context)")
    watched = _selectors(getattr(module, "WATCH", ()))
    watch = _of_two(getattr(module, "watch", None))
    _demand(bool(watched) == (watch is not None), origin, "both WATCH and watch(subject, context), or neither")
    summary, _, text = manual.partition("\n")
    return Rule(
        module.ID,
        on,
        check,
        _of_two(getattr(module, "applies", None)),
        watched,
        watch,
        getattr(module, "MEMORY", None),
        getattr(module, "PROVIDED", None),
        frozenset(getattr(module, "EXPECT", ())),
        summary.strip(),
        text.strip(),
        origin,
    )


def _demand(holds: bool, origin: str, what: str) -> None:
    if not holds:
        raise UsageError(f"{origin} is no compliance rule: it needs {what}")


def _selectors(value: Any) -> tuple[On, ...]:
    if isinstance(value, On):
        return (value,)
    if isinstance(value, tuple) and all(isinstance(one, On) for one in value):
        return value
    return ()


def _of_two(function: Any) -> Any:
    """A rule's function may leave out the context if it has no need of it."""
    if not callable(function):
        return None
    taken = len(inspect.signature(function).parameters)
    if taken == 1:
        return Alone(function)
    return function if taken == 2 else None
