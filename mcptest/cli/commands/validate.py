"""Check a suite without running it: each mistake with its line, its column and what was probably meant.

Nothing is started and nothing is called. Exit code: 0 if the suite can be run, 2 if not.
"""

from __future__ import annotations

from mcptest.cli import output
from mcptest.cli.commands.run import SuiteArgument
from mcptest.cli.terminal import escape
from mcptest.errors import EXIT_FINE, EXIT_USAGE


def run(suite: SuiteArgument = None) -> int:
    from mcptest import suites

    path = suites.find(suite)
    try:
        found = suites.load(path)
    except suites.Mistakes as mistakes:
        with output.stdout() as sink:
            sink.write("".join(f"{escape(str(one))}\n" for one in mistakes.found))
        return EXIT_USAGE
    tests, servers = len(found.entries), len(found.servers)
    with output.stdout() as sink:
        sink.write(
            f"{escape(str(path))}: {tests} {'test' if tests == 1 else 'tests'} on "
            f"{servers} {'server' if servers == 1 else 'servers'}, no mistakes\n"
        )
    return EXIT_FINE
