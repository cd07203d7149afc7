"""What the compliance rules say about sound peers: `python -m benchmarks.false_alarms [NAME…] [--show]`.

The SDK's own servers and clients, and servers published on PyPI and npm, talk through `mcptest record`, in each
revision that they speak; all rules judge what was recorded. Printed is a table, and with --show each failed rule with
the bytes, to be read and judged by a person: what holds is listed in docs/compliance-deviations.md and below, anything
else is a fault of the rule, and exits with 1. Servers are installed under `.cache`; nothing of their text is kept in
the project.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks import published
from mcptest.capture import locate, sources
from mcptest.compliance import Book, Outcome, comply
from mcptest.findings import Severity, Status, Verdict
from mcptest.protocol import HANDSHAKE_REVISIONS
from mcptest.visible import visible
from mcptest.wire import Frame
from tests.compliance import talks
from tests.e2e import servers as calling
from tests.e2e.published import CACHE

REVISIONS = ("auto", *HANDSHAKE_REVISIONS)
# The MUSTs that a person confirmed, by peer.
CONFIRMED = {
    "SDK library": {"LOG-001"},
    "everything": {"CONTENT-001", "ELICIT-003"},
    "@modelcontextprotocol/server-everything": {"CONTENT-001", "ELICIT-003"},
}
TYPESCRIPT = Path(__file__).parents[1] / "tests" / "e2e" / "typescript_client.mjs"


class Peer(NamedTuple):
    """`record` gives the frames of a session in which the client speaks this revision."""

    name: str
    revisions: tuple[str, ...]
    record: Callable[[Path, str], list[Frame]]


def _own(name: str) -> Peer:
    talk = talks.OWN[name]
    return Peer(
        f"SDK {name}",
        (*REVISIONS, talks.STATELESS),
        lambda folder, revision: talks.record(folder, talks.own_server(name), talk, revision),
    )


def _typescript(sdk: str) -> Peer:
    def record(folder: Path, _: str) -> list[Frame]:
        capture = folder / "capture.duckdb"
        command = [sys.executable, "-m", "mcptest", "record", "--capture", str(capture), "--"]
        command += talks.own_server("weather")
        # Node looks for packages beside the script.
        script = CACHE / "npm" / "typescript-clients" / TYPESCRIPT.name
        shutil.copyfile(TYPESCRIPT, script)
        said = ["node", str(script), sdk, json.dumps(command)]
        subprocess.run(said, check=True, timeout=talks.PATIENCE, capture_output=True)
        return _last(capture)

    return Peer(f"TypeScript client {sdk}", ("auto",), record)


def _called(name: str, server: calling.Published) -> Peer:
    def record(folder: Path, revision: str) -> list[Frame]:
        command = server.start(folder / "work")
        talk = talks.Talk([*server.calls(folder / "work"), ("nonsense", {})], probing=True)
        return talks.record(folder, command, talk, revision)

    return Peer(name, REVISIONS, record)


def _listed(server: published.Published) -> Peer:
    def record(folder: Path, revision: str) -> list[Frame]:
        talk = talks.Talk([("nonsense", {})], probing=True)
        return talks.record(folder, published.installed(server), talk, revision, dict(server.environment) or None)

    return Peer(server.package, ("auto", HANDSHAKE_REVISIONS[-1]), record)


PEERS = (
    *map(_own, talks.OWN),
    *map(_typescript, ("v1", "legacy", "modern")),
    *(_called(name, server) for name, server in calling.SERVERS.items()),
    *map(_listed, published.SERVERS),
)


def _last(capture: Path) -> list[Frame]:
    (source,) = sources.find("last", locate(str(capture)))
    return list(source.frames())


def judged(book: Book, peer: Peer) -> Iterator[tuple[str, Outcome]]:
    for revision in peer.revisions:
        with tempfile.TemporaryDirectory() as folder:
            try:
                frames = peer.record(Path(folder), revision)
            except (Exception, ExceptionGroup, pytest.skip.Exception) as error:
                print(visible(f"{peer.name}, {revision}: {type(error).__name__}: {error}"), file=sys.stderr)
                continue
        yield revision, comply(frames, book)


def failed(outcome: Outcome, severity: Severity) -> list[Verdict]:
    """The rules that failed as gravely as this, and no more."""
    return [
        verdict
        for verdict in outcome.verdicts
        if verdict.status is Status.FAILED and max(one.severity for one in verdict.findings) is severity
    ]


def unconfirmed(peer: str, outcome: Outcome) -> list[str]:
    """The MUSTs that nobody has read the bytes for, and rules that crashed."""
    crashed = [verdict.rule for verdict in outcome.verdicts if verdict.status is Status.CRASHED]
    musts = [verdict.rule for verdict in failed(outcome, Severity.ERROR)]
    return [*crashed, *(rule for rule in musts if rule not in CONFIRMED.get(peer, ()))]


def row(peer: str, revision: str, outcome: Outcome) -> str:
    count = {status: sum(verdict.status is status for verdict in outcome.verdicts) for status in Status}
    musts, shoulds = (
        " ".join(one.rule for one in failed(outcome, grave)) for grave in (Severity.ERROR, Severity.WARNING)
    )
    crashed = " ".join(one.rule for one in outcome.verdicts if one.status is Status.CRASHED)
    spoken = " ".join(outcome.observed)
    cells = (
        peer, revision, spoken, sum(outcome.revisions.values()), count[Status.PASSED], count[Status.INCONCLUSIVE],
        count[Status.UNTESTED], crashed, musts, shoulds,
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def shown(peer: str, revision: str, outcome: Outcome, severity: Severity) -> Iterator[str]:
    for verdict in failed(outcome, severity):
        yield f"{verdict.rule} ({verdict.failed} of {verdict.checked}) {peer} {revision}"
        for finding in [one for one in verdict.findings if one.severity is severity][:3]:
            where = f"frames {finding.evidence.frames} {finding.evidence.pointer}"
            yield visible(f"    {finding.message} [{where}] {(finding.evidence.excerpt or '')[:600]}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="peers; all of them without any")
    parser.add_argument("--revision", action="append", help="only what the client says in this revision, or auto")
    parser.add_argument("--show", action="store_true", help="print what each failed MUST is about")
    parser.add_argument("--show-should", action="store_true", help="print what each failed SHOULD is about")
    chosen = parser.parse_args(arguments)
    book = Book.load()
    remarks: list[str] = []
    alarms: list[str] = []
    print("| peer | client asks | spoken | messages | passed | inconclusive | untested | crashed | MUST | SHOULD |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for peer in PEERS:
        if chosen.names and peer.name not in chosen.names:
            continue
        if chosen.revision:
            peer = peer._replace(revisions=tuple(one for one in peer.revisions if one in chosen.revision))
        for revision, outcome in judged(book, peer):
            print(row(peer.name, revision, outcome), flush=True)
            alarms += [f"{peer.name}, {revision}: {rule}" for rule in unconfirmed(peer.name, outcome)]
            if chosen.show:
                remarks += shown(peer.name, revision, outcome, Severity.ERROR)
            if chosen.show_should:
                remarks += shown(peer.name, revision, outcome, Severity.WARNING)
    print("\n".join(["", *remarks]) if remarks else "")
    for alarm in alarms:
        print(f"not confirmed: {alarm}", file=sys.stderr)
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
