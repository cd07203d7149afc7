"""The `compliance:` block of a suite: what is judged, by which revision, and which upgrade it is held against.

    compliance:
      spec_version: v2025-06-18        # optional; without it each message is judged by its own revision
      capture: weather.jsonl           # a file beside the suite, or a session of the capture; or several
      server: {command: python weather.py}   # in place of a capture: a server that is started and exercised
      tests: [JSONRPC, {name: PROTO-002, expect: {transport: [stdio]}}]
      spec_version_check: {against: v2025-11-25}
      grade_delta: {against: scorecard.json}

The bare list of tests is a block too. A `capture:`, a `server:` or `servers:` beside the block serve it as well. What
the file says besides belongs to others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from mcptest import yamltext
from mcptest.capture import sources
from mcptest.compliance.corpora import Corpora
from mcptest.compliance.gate import (
    DEFAULTS,
    GRADE,
    GRADE_DEFAULTS,
    GRADE_TARGETS,
    MATCHERS,
    NAME,
    TARGETS,
    Expectation,
    GradeCheck,
    VersionCheck,
)
from mcptest.compliance.grade import Scorecard
from mcptest.compliance.judging import Book
from mcptest.compliance.own import with_own
from mcptest.errors import UsageError
from mcptest.findings import Gate
from mcptest.jsontext import pointer
from mcptest.live import Server, WrongServer, read_server
from mcptest.schemas import SchemaError, Validator

_BLOCK = "compliance"
_KEYS = ("spec_version", "capture", "server", "tests", NAME, GRADE)


class Suite(NamedTuple):
    """A block that was read and checked. `book` has the suite's own expectations in it; `select` is empty for all
    rules. `recordings` are files, or sessions of the capture; `server` is exercised where there are none."""

    pin: str | None
    select: tuple[str, ...]
    recordings: tuple[str, ...]
    server: Server | None
    check: VersionCheck | None
    grade: GradeCheck | None
    book: Book
    shipped: Corpora

    @property
    def is_only_a_gate(self) -> bool:
        """Does it ask for nothing that a session would be needed for?"""
        return self.check is not None and self.grade is None and not self.select

    def gates(self, card: Scorecard | None = None) -> tuple[Gate, ...]:
        """What its gates say; `card` is the grade of what was judged, None if nothing was."""
        found = []
        if self.check is not None:
            assert self.pin is not None
            found.append(self.check.gate(self.pin, self.shipped))
        if self.grade is not None and card is not None:
            found.append(self.grade.gate(card))
        return tuple(found)


def load_suite(path: Path, book: Book) -> Suite:
    return read_suite(yamltext.load(path), path.parent, book)


def read_suite(document: yamltext.Document, folder: Path, book: Book) -> Suite:
    """The same from a document that was read already; files are looked for in `folder`."""
    return _Reader(document, folder, book).suite()


class _Reader:
    """Takes one file apart; each refusal says where in it."""

    def __init__(self, document: yamltext.Document, folder: Path, book: Book) -> None:
        self._document, self._folder, self._book = document, folder, book

    def suite(self) -> Suite:
        content = self._document.value
        if not isinstance(content, dict):
            self._refuse((), "a suite is a mapping with a `compliance:` block in it")
        if _BLOCK not in content:
            near = get_close_matches(_BLOCK, content, n=1)
            self._refuse(near[:1], "there is no `compliance:` block" + (f"; is {near[0]!r} meant?" if near else ""))
        block = content[_BLOCK]
        if isinstance(block, list):
            return self._suite(content, {"tests": block}, ())
        block = self._mapping(block, (_BLOCK,), _KEYS)
        return self._suite(content, block, ("tests",))

    def _suite(self, content: Mapping[str, Any], block: Mapping[str, Any], tests_at: tuple[str, ...]) -> Suite:
        pin = self._pin(block)
        check = self._check(block[NAME], pin) if NAME in block else None
        grade = self._grade(block[GRADE]) if GRADE in block else None
        select: tuple[str, ...] = ()
        own: dict[str, dict[str, Any]] = {}
        if "tests" in block:
            select, own = self._tests(block["tests"], pin, (_BLOCK, *tests_at))
        recordings, server = self._source(content, block)
        book = with_own(self._book, own)
        return Suite(pin, select, recordings, server, check, grade, book, self._book.corpora)

    def _pin(self, block: Mapping[str, Any]) -> str | None:
        if "spec_version" not in block:
            return None
        given = block["spec_version"]
        at = (_BLOCK, "spec_version")
        if given is None:
            self._refuse(at, f"spec_version is empty; accepted: {', '.join(self._book.corpora.names)}")
        try:
            return self._book.corpora.named(str(given)).name
        except UsageError as error:
            self._refuse(at, str(error))

    # ---- where the sessions come from

    def _source(self, content: Mapping[str, Any], block: Mapping[str, Any]) -> tuple[tuple[str, ...], Server | None]:
        """What the block names, else what stands beside it; a recording goes before a server."""
        if "capture" in block and "server" in block:
            self._refuse((_BLOCK, "server"), "a block has a `capture` or a `server`, not both")
        for given, at in ((block, (_BLOCK,)), (content, ())):
            if "capture" in given:
                return self._captures(given["capture"], (*at, "capture")), None
            if "server" in given:
                return (), self._server(given["server"], (*at, "server"))
        servers = self._servers()
        if len(servers) > 1:
            self._refuse((_BLOCK,), f"which server? add `server:` with one of {', '.join(servers)}")
        return (), next((self._server(server, ("servers", name)) for name, server in servers.items()), None)

    def _servers(self) -> Mapping[str, Any]:
        """Those that the suite names for all its blocks."""
        found = self._document.value.get("servers")
        return found if isinstance(found, dict) else {}

    def _server(self, given: Any, at: tuple[str, ...]) -> Server:
        if isinstance(given, str) and given in self._servers():
            return self._server(self._servers()[given], ("servers", given))
        try:
            return read_server(given, self._folder)
        except WrongServer as error:
            self._refuse((*at, *error.at), str(error))

    def _captures(self, given: Any, at: tuple[str | int, ...]) -> tuple[str, ...]:
        several = given if isinstance(given, list) else [given]
        if not several or not all(isinstance(one, str) and one for one in several):
            self._refuse(at, "capture names a recording: a file beside the suite, or a session such as last")
        return tuple(map(self._beside, several))

    def _beside(self, name: str) -> str:
        """A file is looked for beside the suite, wherever it is run from; anything else names a session."""
        path = self._folder / name
        return str(path) if path.is_file() or sources.names_file(name) else name

    # ---- what is judged

    def _tests(
        self, given: Any, pin: str | None, at: tuple[str | int, ...]
    ) -> tuple[tuple[str, ...], dict[str, dict[str, Any]]]:
        if not isinstance(given, list) or not given:
            self._refuse(at, "tests is a list of rules (TOOLS-010) and families (TOOLS); leave it out for all of them")
        own: dict[str, dict[str, Any]] = {}
        names: list[str] = []
        for number, item in enumerate(given):
            here = (*at, number)
            if isinstance(item, str):
                item = {"name": item}
            item = self._mapping(item, here, ("name", "expect"))
            name = item.get("name")
            if not isinstance(name, str):
                self._refuse(here, "a test needs a name: the id of a rule, or a family")
            self._known(name, pin, here)
            if name in names:
                self._refuse(here, f"{name} stands twice")
            names.append(name)
            if "expect" in item:
                own[name] = self._parameters(name, item["expect"], pin, (*here, "expect"))
        return tuple(names), own

    def _known(self, name: str, pin: str | None, at: tuple[str | int, ...]) -> None:
        try:
            meant = self._book.choose([name]) or frozenset()
        except UsageError as error:
            self._refuse(at, str(error))
        if pin is not None and not meant & self._book.corpora.named(pin).demands.keys():
            holders = [corpus.name for corpus in self._book.corpora if meant & corpus.demands.keys()]
            self._refuse(at, f"{pin} has no {name}; those that have it: {', '.join(holders)}")

    def _parameters(self, name: str, given: Any, pin: str | None, at: tuple[str | int, ...]) -> dict[str, Any]:
        """A rule's own parameters, in place of the revision's; a value of a kind that no revision has would only make
        the rule stumble."""
        demands = [corpus.demands[name] for corpus in self._book.corpora if name in corpus.demands]
        if not demands:
            self._refuse(at, f"{name} is a family: only a rule can have an `expect` of its own")
        pinned = demands if pin is None else [self._book.corpora.named(pin).demands[name]]
        known = sorted({key for demand in pinned for key in demand.expect})
        if not known:
            self._refuse(at, f"{name} has no parameters that a suite could set")
        found = self._mapping(given, at, known)
        for key, value in found.items():
            kinds = {_kind(demand.expect[key]) for demand in demands if key in demand.expect}
            if _kind(value) not in kinds:
                self._refuse((*at, key), f"{name}: {key} is {' or '.join(sorted(kinds))}, not {_kind(value)}")
        return found

    # ---- the gate

    def _check(self, given: Any, pin: str | None) -> VersionCheck:
        at = (_BLOCK, NAME)
        if pin is None:
            self._refuse(at, f"{NAME} needs a `spec_version` beside it: there is no revision to compare from")
        block = self._mapping({} if given is None else given, at, ("against", "expect"))
        against = block.get("against")
        if against is not None and not isinstance(against, str):
            self._refuse((*at, "against"), "against is the name of a revision, such as v2025-11-25 or draft")
        return VersionCheck(against, self._expect(block, at, TARGETS) or DEFAULTS)

    def _grade(self, given: Any) -> GradeCheck:
        at = (_BLOCK, GRADE)
        block = self._mapping({} if given is None else given, at, ("against", "expect"))
        against = block.get("against")
        if against is not None and not (isinstance(against, str) and against):
            self._refuse((*at, "against"), "against is a file that --save-scorecard wrote, seen from the suite")
        expect = self._expect(block, at, GRADE_TARGETS) or GRADE_DEFAULTS
        return GradeCheck(None if against is None else self._folder / against, expect)

    def _expect(
        self, block: Mapping[str, Any], at: tuple[str, ...], targets: Mapping[str, Any]
    ) -> tuple[Expectation, ...]:
        if "expect" not in block:
            return ()
        expect = block["expect"]
        if not isinstance(expect, list) or not expect:
            self._refuse((*at, "expect"), "expect is a list of targets with matchers; leave it out for the defaults")
        return tuple(self._expectation(item, (*at, "expect", number), targets) for number, item in enumerate(expect))

    def _expectation(self, given: Any, at: tuple[str | int, ...], targets: Mapping[str, Any]) -> Expectation:
        item = self._mapping(given, at, ("target", "matcher"))
        target = item.get("target")
        if target not in targets:
            near = get_close_matches(str(target), targets, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self._refuse(at, f"unknown target {target!r}{hint} (known: {', '.join(targets)})")
        matcher = self._mapping(item.get("matcher"), (*at, "matcher"), MATCHERS)
        if len(matcher) != 1:
            self._refuse((*at, "matcher"), f"a matcher is one of {', '.join(MATCHERS)}")
        ((name, argument),) = matcher.items()
        if name == "schema":
            self._schema(argument, (*at, "matcher", name))
        return Expectation(str(target), name, argument)

    def _schema(self, given: Any, at: tuple[str | int, ...]) -> None:
        if not isinstance(given, dict | bool):
            self._refuse(at, f"not a JSON Schema: it is {_kind(given)}")
        try:
            Validator(given)
        except SchemaError as error:
            self._refuse(at, f"not a JSON Schema: {error}")

    # ---- refusing

    def _mapping(self, given: Any, at: tuple[str | int, ...], known: Sequence[str]) -> dict[str, Any]:
        if not isinstance(given, dict):
            self._refuse(at, f"expected a mapping with {', '.join(known)}, found {_kind(given)}")
        for key in given:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                self._refuse((*at, key), f"unknown key {key!r}{hint} (known: {', '.join(known)})")
        return given

    def _refuse(self, at: Sequence[str | int], why: str) -> NoReturn:
        raise UsageError(f"{self._document.where(pointer(*at))}: {why}")


_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", int: "a number", float: "a number"}


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null")
