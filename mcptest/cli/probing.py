"""What `probe` and `fuzz` have in common: the recording that arguments come from, and what to say at the end."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from mcptest.capture import Place, journals, sources
from mcptest.cli.guard import complain
from mcptest.protocol import methods
from mcptest.transport import Target
from mcptest.wire import parse

if TYPE_CHECKING:
    from mcptest.compliance import Book
    from mcptest.live import Keeping
    from mcptest.replay import Source

SessionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="SESSION|FILE",
        help="A recording whose calls give good arguments: a session's id, name, last; or a file that was exported. "
        "Without one they are made up from the input schemas.",
    ),
]
ToolOption = Annotated[
    list[str] | None, typer.Option("--tool", metavar="NAME", help="Only this tool. Repeatable. [all that are listed]")
]


class Given(NamedTuple):
    """What a recording gives: the arguments of a good call of each tool that was called."""

    source: Source | None = None
    bases: Mapping[str, dict[str, Any]] = {}

    @property
    def session(self) -> str | None:
        return self.source.session if self.source is not None else None


def given(spec: str | None, place: Place) -> Given:
    if spec is None:
        return Given()
    from mcptest.replay import find, placeholders, read

    source = find(spec, place)
    bases: dict[str, dict[str, Any]] = {}
    hidden: set[str] = set()
    for turn in read(source.frames()).turns:
        arguments = _good(turn)
        if arguments is not None and turn.name is not None and turn.name not in bases:
            bases[turn.name] = arguments
            hidden |= placeholders(arguments)
    if not bases:
        complain(f"note: {source.name} holds no call that succeeded: arguments are made up from the input schemas")
    if hidden:
        complain(f"warning: the recorded calls hold {len(hidden)} redacted secrets, which are sent as they are")
    return Given(source, bases)


def _good(turn: Any) -> dict[str, Any] | None:
    """The arguments of a call that was answered by a result."""
    if turn.method != methods.CALL_TOOL or turn.answer is None or type(turn.params) is not dict:
        return None
    answer = parse(turn.answer.encode("utf-8", "surrogatepass"))[0].body or {}
    result, arguments = answer.get("result"), turn.params.get("arguments", {})
    good = type(result) is dict and result.get("isError") is not True
    return arguments if good and type(arguments) is dict else None


def keeping(place: Place, what: str, target: Target, found: Given) -> Keeping:
    from mcptest.live import Keeping

    about = {"probe": what, "probe_of": found.session}
    return Keeping(place, name=f"{what} of {target}"[:100], complain=complain, about=about)


def reproducing(what: str, spec: str | None, found: Given, target: Target, capture: str | None, *more: str) -> str:
    """The command that shows one finding again. The recording is named by its id: `last` may be another one by then."""
    words = ["mcptest", what, *([found.session or spec] if spec is not None else []), *more]
    words += ["--capture", capture] if capture and spec is not None else []
    words += ["--url", target.url] if target.url is not None else ["--", *target.command]
    return shlex.join(words)


def newly_judged(found: Given, sessions: Sequence[str], place: Place) -> list[str]:
    """What the specification's rules say of this traffic, where the recording gave them nothing to judge."""
    try:
        return _newly_judged(found, sessions, place)
    except Exception as error:  # noqa: BLE001 -- what live calls have shown is not lost for the fault of a judge
        return [f"the rules of the specification could not be judged: {type(error).__name__}: {error}"]


def _newly_judged(found: Given, sessions: Sequence[str], place: Place) -> list[str]:
    from mcptest.compliance import Book, report
    from mcptest.findings import Severity, Status

    if not sessions:
        return []
    book = Book.load()
    before = [] if found.source is None else [_outcome(found.source, book)]
    paths = {path.stem.partition("-")[2]: path for path in journals.find(place.journals)}
    recorded = [sources.Source(one, paths[one], one) for one in sessions if one in paths]
    known = {ruled.rule for ruled in (report(before).verdicts if before else ()) if ruled.status is not Status.UNTESTED}
    demands = {demand.rule: demand for corpus in book.corpora for demand in corpus.demands.values()}
    judged = [
        ruled
        for ruled in report([_outcome(source, book) for source in recorded]).verdicts
        if ruled.rule not in known
        and ruled.status in (Status.PASSED, Status.FAILED)
        and demands[ruled.rule].binds != "client"
    ]
    if not judged:
        return []
    failed = [ruled for ruled in judged if ruled.status is Status.FAILED]
    beside = "untested in the recording" if before else "of the specification"
    lines = [f"{len(judged)} rules {beside} were judged from this traffic: {len(judged) - len(failed)} passed"]
    for ruled in failed:
        grave = max((finding.severity for finding in ruled.findings), default=Severity.INFO)
        what = ruled.findings[0].message if ruled.findings else demands[ruled.rule].text
        lines.append(f"{ruled.rule} {grave.label}: {what}")
    return lines


def _outcome(source: Any, book: Book) -> Any:
    from mcptest.compliance import comply

    return comply(source.frames(), book, source=source.name)
