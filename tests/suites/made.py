"""Suites made of text, and runs of them against real servers."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from mcptest import suites, yamltext
from mcptest.capture import Place, locate
from mcptest.live import Recorder
from mcptest.policy import Policy
from mcptest.suites import loading
from mcptest.transport import connect
from mcptest.transport.target import command
from tests.replay.recorded import User

SERVERS = Path(__file__).parents[2] / "fixtures" / "servers"
PLAIN = f"server: {{command: ['{sys.executable}', '{SERVERS / 'plain.py'}']}}\n"
STRICT = """
mock_server:
  name: records
  tools:
    - name: search
      description: Finds records by a query.
      annotations: {readOnlyHint: true}
      input_schema:
        type: object
        properties: {query: {type: string, maxLength: 100}}
        required: [query]
        additionalProperties: false
      response: "found ${args.query}"
    - name: delete_record
      response: deleted
  resources: [{uri: "records://all", text: everything}]
  prompts: [{name: sum, arguments: [{name: topic, required: true}], response: "Sum up ${args.topic}."}]
"""


def read(text: str, folder: Path = Path(), **environment: str) -> suites.Suite:
    return loading.read(yamltext.read(text, "suite.yml"), folder / "suite.yml", environment)


def mistakes(text: str, folder: Path = Path(), **environment: str) -> list[str]:
    """What is wrong in a suite, each as `line:column: text`."""
    try:
        read(text, folder, **environment)
    except suites.Mistakes as error:
        return [str(one).removeprefix("suite.yml:") for one in error.found]
    return []


def place_in(folder: Path) -> Place:
    return locate(folder / "capture")


def run(text: str, folder: Path, *, filters: tuple[str, ...] = (), **options: Any) -> suites.Run:
    policy = options.pop("policy", Policy(call_delay=0))
    suite = read(text, folder, **options.pop("environment", {}))
    setting = suites.Setting(policy, options.pop("place", None), options.pop("update", False))
    return asyncio.run(suites.run(suite, suites.select(suite, filters), setting))


def statuses(done: suites.Run) -> dict[str, str]:
    return {result.entry.id: result.status.value for result in done.results}


def failures(done: suites.Run) -> list[str]:
    return [failure.message for result in done.results for failure in result.failures]


def record(folder: Path, talk: Any, server: list[str]) -> Path:
    """Talk to a server and keep what was said as a session; the capture that holds it."""
    place, target = place_in(folder), command(server)

    async def scene() -> None:
        recorder = Recorder(place, target)
        async with connect(target, ears=User(), tap=recorder) as peer:
            await talk(peer)
        recorder.close()

    asyncio.run(scene())
    return place.database
