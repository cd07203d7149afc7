"""From what a user names to catalogues, and from catalogues to verdicts. One source may hold several catalogues."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mcptest import catalogue
from mcptest.analyzers.linting import lint
from mcptest.analyzers.quality import score
from mcptest.analyzers.recordings import catalogue_of
from mcptest.capture import locate, sources
from mcptest.catalogue import Catalogue
from mcptest.errors import UsageError
from mcptest.findings import Report, Severity, Verdict, combine
from mcptest.rules import Rule

STDIN = "-"


class Analysis(NamedTuple):
    """What the rules said about one source."""

    source: str
    verdicts: tuple[Verdict, ...]
    scores: dict[str, float]


def read_text(source: str) -> str:
    """A document named on the command line, `-` being standard input."""
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
        return data.decode("utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no file {source}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is not UTF-8 (byte {error.start}): a catalogue is a JSON file") from error
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error


def is_recorded(source: str) -> bool:
    """A session, or a file of them; anything else is a document with a catalogue."""
    path = Path(source)
    return source != STDIN and (not path.is_file() or sources.is_recording(path))


def document(source: str) -> str:
    """The catalogue as a document: the user's own text or, of a session, what its server listed last."""
    if not is_recorded(source):
        return read_text(source)
    entries = [tool.raw for tool in only_catalogue(source).tools]
    return json.dumps({"tools": entries}, indent=2, ensure_ascii=False) + "\n"


def catalogues(source: str, *, may_lack: bool = False) -> list[Catalogue]:
    """Every catalogue that a source holds: a file has one, a capture one for each session that listed anything. None at
    all is refused, unless the source is judged by other things too."""
    if not is_recorded(source):
        return [catalogue.read(read_text(source), source)]
    found = [catalogue_of(one.frames(), one.name, one.session) for one in sources.find(source, locate())]
    listed = [one for one in found if one is not None]
    if not listed and not may_lack:
        raise UsageError(f"{source} lists no tools, resources or prompts: nothing to judge")
    return listed


def only_catalogue(source: str) -> Catalogue:
    """The one catalogue of a source, for comparisons: of several, the last."""
    return catalogues(source)[-1]


def analyse(source: str, using: Sequence[Rule], *, may_lack: bool = False) -> Analysis:
    """Judge one source. Named by module, so that a worker process can be told to do it."""
    runs: list[tuple[Verdict, ...]] = []
    scores: dict[str, float] = {}
    for found in catalogues(source, may_lack=may_lack):
        verdicts = lint(found, using)
        runs.append(verdicts)
        scores |= score(found, verdicts).scores
    return Analysis(source, combine(runs), scores)


def report(title: str, analyses: Iterable[Analysis], using: Sequence[Rule], fail_on: Severity) -> Report:
    """Several analyses as one report."""
    found = list(analyses)
    return Report(
        title,
        tuple(analysis.source for analysis in found),
        combine(analysis.verdicts for analysis in found),
        {rule.id: rule.info for rule in using},
        scores={analysis.source: analysis.scores for analysis in found},
        fail_on=fail_on,
    )
