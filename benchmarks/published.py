"""What the lint says about published servers: `python -m benchmarks.published [NAME…] [--show RULE]`.

Each server is installed from its registry into a folder of its own under `.cache/published`, started over stdio, and
asked for its lists with the SDK's client. Printed are counts only; with --show also the findings of some rules, to be
read and judged by a person. Nothing of the servers' text is kept in the project.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anyio

from mcptest import catalogue
from mcptest.analyzers import lint, load_rules, score
from mcptest.catalogue import Catalogue
from mcptest.findings import Verdict
from mcptest.visible import visible

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "published"
INSTALLING, TALKING = 600, 120  # seconds


class Published(NamedTuple):
    """`run` is the program that the package installs; `environment` holds made-up keys where one has to be there."""

    package: str
    registry: str
    run: str
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


def pypi(package: str, run: str | None = None, *arguments: str, **environment: str) -> Published:
    return Published(package, "PyPI", run or package, arguments, tuple(environment.items()))


def npm(package: str, run: str, *arguments: str, **environment: str) -> Published:
    return Published(package, "npm", run, arguments, tuple(environment.items()))


SERVERS = (
    pypi("mcp-server-time"),
    pypi("mcp-server-fetch"),
    pypi("mcp-server-git"),
    pypi("mcp-server-calculator"),
    pypi("duckduckgo-mcp-server"),
    pypi("arxiv-mcp-server", None, "--storage-path", "{folder}"),
    pypi("wikipedia-mcp"),
    pypi("excel-mcp-server", None, "stdio"),
    pypi("awslabs.aws-documentation-mcp-server"),
    npm("@modelcontextprotocol/server-everything", "mcp-server-everything"),
    npm("@modelcontextprotocol/server-filesystem", "mcp-server-filesystem", "{folder}"),
    npm("@modelcontextprotocol/server-memory", "mcp-server-memory"),
    npm("@modelcontextprotocol/server-sequential-thinking", "mcp-server-sequential-thinking"),
    npm("@upstash/context7-mcp", "context7-mcp"),
    npm("@playwright/mcp", "playwright-mcp"),
    npm("chrome-devtools-mcp", "chrome-devtools-mcp"),
    npm("tavily-mcp", "tavily-mcp", TAVILY_API_KEY="made-up"),
    npm("firecrawl-mcp", "firecrawl-mcp", FIRECRAWL_API_KEY="made-up"),
    npm("@antv/mcp-server-chart", "mcp-server-chart"),
    npm("@notionhq/notion-mcp-server", "notion-mcp-server"),
)


def installed(server: Published) -> list[str]:
    """The command that starts the server, installed on first use."""
    folder = CACHE / server.package.replace("/", "_")
    done = folder / ".installed"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if server.registry == "PyPI":
            venv.create(folder / "venv", with_pip=True)
            command = [str(folder / "venv" / "bin" / "pip"), "install", "--quiet", server.package]
        else:
            command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), server.package]
        subprocess.run(command, check=True, timeout=INSTALLING, stdin=subprocess.DEVNULL, capture_output=True)
        done.touch()
    place = folder / "venv" / "bin" if server.registry == "PyPI" else folder / "node_modules" / ".bin"
    work = folder / "work"
    work.mkdir(exist_ok=True)
    return [str(place / server.run), *(argument.format(folder=work) for argument in server.arguments)]


async def lists(server: Published) -> dict[str, Any]:
    """What the server lists, as it came over the wire."""
    from mcp import Client, StdioServerParameters

    command = installed(server)
    started = StdioServerParameters(command=command[0], args=command[1:], env=dict(server.environment) or None)
    found: dict[str, Any] = {}
    with anyio.fail_after(TALKING):
        async with Client(started) as client:
            asked = {"tools": client.list_tools, "resources": client.list_resources, "prompts": client.list_prompts}
            for key, ask in asked.items():
                if getattr(client.server_capabilities, key, None) is None:
                    continue
                listed = await ask()
                found[key] = listed.model_dump(mode="json", by_alias=True, exclude_none=True)[key]
    return found


def judged(server: Published) -> tuple[Catalogue, tuple[Verdict, ...]]:
    found = anyio.run(lists, server)
    read = catalogue.read(json.dumps(found, indent=1), server.package)
    return read, lint(read, load_rules())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="packages; all of them without any")
    parser.add_argument("--show", action="append", default=[], metavar="RULE", help="print these rules' findings")
    chosen = parser.parse_args(arguments)
    families = ("CAT", "SCH", "DESC", "ANN", "SEC")
    totals: dict[str, int] = {}
    shown: list[str] = []
    print(f"| server | registry | tools | {' | '.join(families)} | mean score |")
    print("|---|---|---|" + "---|" * (len(families) + 1))
    for server in SERVERS:
        if chosen.names and server.package not in chosen.names:
            continue
        try:
            read, verdicts = judged(server)
        except Exception as error:
            print(f"{server.package}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        findings = [finding for verdict in verdicts for finding in verdict.findings]
        counts = [str(sum(finding.rule.startswith(family) for finding in findings)) for family in families]
        mean = score(read, verdicts).mean_score
        print(f"| {server.package} | {server.registry} | {len(read.tools)} | {' | '.join(counts)} | {mean or 0:.2f} |")
        sys.stdout.flush()
        for finding in findings:
            totals[finding.rule] = totals.get(finding.rule, 0) + 1
            if any(finding.rule.startswith(name) for name in chosen.show):
                where = f"{server.package}: {finding.subject} {finding.within}"
                shown.append(visible(f"{finding.rule} {where}: {finding.message}"))
    print()
    print("| rule | findings |\n|---|---|")
    for rule in load_rules():
        print(f"| {rule.id} {rule.summary} | {totals.get(rule.id, 0)} |")
    print("\n".join(["", *shown]) if shown else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
