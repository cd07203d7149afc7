"""What a diagnosis says: what has to change, what need not, and what could not be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mcptest.compliance.moves import Effect
from mcptest.findings import Evidence, Finding, Report, RuleInfo, Severity, Status, Verdict

SKIPPED = "skipped"


class CodeCheck(NamedTuple):
    """How one question came out: `passed`, `failed` (with the severity of the revision's demand) or `skipped`."""

    status: str
    text: str
    severity: Severity | None = None


class Ailment(NamedTuple):
    """One thing to change. `name` is that of a move or the id of a rule, `seen` what shows it, `frames` the first
    places; `already` means that the session breaks the rule in its own revision too. `source` names the session where
    there are two."""

    name: str
    effect: Effect
    severity: Severity
    title: str
    seen: str
    frames: tuple[int, ...]
    todo: Mapping[str, str]
    url: str
    already: bool = False
    source: str = ""
    session: str = ""


class Diagnosis(NamedTuple):
    """`untested` are the new and changed rules that the session did not exercise, `sound` those that it keeps;
    `resource` is what the check of missing resources came to, `discovery` that of discovery, None where the target has
    none."""

    session: str
    name: str
    from_: str
    to: str
    ailments: tuple[Ailment, ...]
    sound: tuple[str, ...]
    untested: tuple[str, ...]
    crashed: tuple[Verdict, ...]
    resource: CodeCheck
    discovery: CodeCheck | None = None

    def beside(self, live: Diagnosis) -> Diagnosis:
        """The same with what a live server said itself: its answers go before what the recording holds of them."""
        told = {ailment.name for ailment in self.ailments}
        more = [one._replace(source=live.name, session=live.session) for one in live.ailments if one.name not in told]
        ailments = in_order([*self.ailments, *more])
        ailing = {ailment.name for ailment in ailments}
        sound = dict.fromkeys(rule for rule in (*self.sound, *live.sound) if rule not in ailing)
        return self._replace(
            ailments=ailments,
            sound=tuple(sound),
            untested=tuple(rule for rule in self.untested if rule not in sound and rule not in ailing),
            crashed=(*self.crashed, *live.crashed),
            resource=self.resource if live.resource.status == SKIPPED else live.resource,
            discovery=live.discovery or self.discovery,
        )

    @property
    def checks(self) -> dict[str, CodeCheck]:
        found = {"missing resource": self.resource}
        return found if self.discovery is None else {**found, "discovery": self.discovery}

    def with_effect(self, effect: Effect) -> list[Ailment]:
        return [ailment for ailment in self.ailments if ailment.effect is effect]

    def report(self, fail_on: Severity = Severity.ERROR) -> Report:
        way = f"{self.from_} → {self.to}"
        failed = [self._verdict(ailment, way) for ailment in self.ailments]
        told = {ailment.name for ailment in self.ailments}
        passed = [Verdict(rule, Status.PASSED, 1) for rule in self.sound if rule not in told]
        untested = [Verdict(rule, Status.UNTESTED, reason="the session did not exercise it") for rule in self.untested]
        return Report(
            f"moving from {self.from_} to {self.to}",
            (self.name,),
            (*failed, *passed, *untested, *self.crashed),
            {one.name: RuleInfo(one.name, one.severity, one.title, _todo(one), one.url) for one in self.ailments},
            fail_on=fail_on,
            notes=tuple(f"{name}: {check.status}: {check.text}" for name, check in self.checks.items()),
        )

    def _verdict(self, ailment: Ailment, way: str) -> Verdict:
        source, session = ailment.source or self.name, ailment.session or self.session
        evidence = Evidence(source, session=session, frames=ailment.frames)
        message = f"{ailment.title} (seen: {ailment.seen}). {_todo(ailment)}"
        data = {"effect": ailment.effect.value, "already": ailment.already, "todo": dict(ailment.todo)}
        finding = Finding(ailment.name, ailment.severity, "move", way, message, evidence, data=data)
        return Verdict(ailment.name, Status.FAILED, 1, 1, "sessions", findings=(finding,))


def _todo(ailment: Ailment) -> str:
    return " ".join(f"{side.capitalize()}: {text}" for side, text in ailment.todo.items())


def in_order(found: Iterable[Ailment]) -> tuple[Ailment, ...]:
    return tuple(sorted(found, key=lambda one: (list(Effect).index(one.effect), -one.severity)))
