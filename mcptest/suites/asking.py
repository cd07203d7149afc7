"""Ask a server one thing and take the answer apart into what targets lead into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcptest.errors import TargetError
from mcptest.schemas import Validator
from mcptest.suites.expecting import Expectation
from mcptest.suites.matchers.exact import Exact
from mcptest.suites.matchers.not_ import Not
from mcptest.suites.matchers.schema import Fits
from mcptest.suites.nouns import Entry
from mcptest.suites.showing import shown
from mcptest.suites.targets import Vocabulary, parse
from mcptest.suites.world import World
from mcptest.transport import Answer

VOCABULARY = Vocabulary(("duration_ms",), ("result", "error"))
NO_ERROR = Expectation(parse("error"), Not(Fits(Validator(True)), "no error at all"))
NO_TOOL_ERROR = Expectation(parse("result.isError"), Not(Exact(True), "no error of the tool"))


class NoAnswer(TargetError):  # noqa: N818
    """A request was not answered: the server died, or hangs."""


async def ask(world: World, entry: Entry, method: str, params: dict[str, Any]) -> Answer:
    assert entry.server is not None
    timeout = world.timeout(entry.server, entry.timeout)
    client = await world.client(entry.server)
    try:
        return await client.ask(method, params, timeout=timeout)
    except TimeoutError:
        world.give_up(entry.server, client)
        raise NoAnswer(f"{method} was not answered within {timeout:g} s") from None


def values(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {key: answer.body[key] for key in ("result", "error") if key in answer.body}
    return {**found, "duration_ms": round(answer.duration / 1e6, 3)}


def excerpt(values: Mapping[str, Any]) -> list[str]:
    """What the server said, short; nothing where it was not asked anything."""
    error = values.get("error")
    if isinstance(error, dict):
        return [f"the server answered with error {shown(error.get('code'))}: {shown(error.get('message'))}"]
    return [f"the server answered {shown(values['result'])}"] if "result" in values else []
