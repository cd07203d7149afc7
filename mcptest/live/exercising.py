"""Exercise a live server: ask for what it offers, and for two things that nobody has. No tool is ever called.

Every list is walked to its last page; listed resources are read, prompts got and arguments completed, up to a limit.
What the server answers is for judges to read in the recording; here it only matters for what to ask next.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mcptest.errors import TargetError
from mcptest.live.client import Client, Manner
from mcptest.live.visiting import Keeping, NotOpened, visit
from mcptest.protocol import HANDSHAKE_REVISIONS, LISTS
from mcptest.transport import Lost, Target

MISSING_RESOURCE = "mcptest://no-such-resource"
UNKNOWN_METHOD = "mcptest/no-such-method"
MADE_UP = "example"  # for an argument that a prompt cannot do without
_MOST_SILENT = 2  # requests in a row without an answer, before the server counts as gone
_VARIABLES = re.compile(r"\{[+#./;?&]?([^{}]*)\}")
_OWNER = {"tools/list": "tools", "prompts/list": "prompts"}


class Limits(NamedTuple):
    """How much is asked at most: pages of each list, things of each kind, and seconds for reads, gets and completions
    together."""

    pages: int = 1000
    things: int = 100_000
    reads: int = 50
    prompts: int = 50
    completions: int = 50
    seconds: float = 120.0


class Exercise(NamedTuple):
    """What came of it: the recording, the revision that was spoken (None: no conversation came about), how often each
    method was asked, what was left out, why it ended before its end, and what discovery was refused with."""

    session: str | None
    revision: str | None
    asked: Mapping[str, int]
    left: tuple[str, ...] = ()
    lost: str | None = None
    refused: str | None = None

    @property
    def line(self) -> str:
        """`exercised over 2025-11-25: tools/list 2, ping; left out: 12 of 62 resources`."""
        if self.revision is None:
            return "exercised: nothing, no conversation came about"
        asked = ", ".join(method if number == 1 else f"{method} {number}" for method, number in self.asked.items())
        left = f"; left out: {', '.join(self.left)}" if self.left else ""
        return f"exercised over {self.revision}: {asked or 'nothing'}{left}"


_LIMITS = Limits()


async def exercise(
    target: Target, manner: Manner, *, keeping: Keeping | None = None, limits: Limits = _LIMITS
) -> Exercise:
    """Visit a server and go through all that it offers. That it cannot be reached, dies or falls silent is no exception
    here: what was recorded until then is there to be judged, and `lost` says what happened."""
    try:
        async with visit(target, manner, keeping=keeping, afresh=True) as client:
            return await _Round(client, limits).go()
    except NotOpened as error:
        return Exercise(error.session, None, {}, (), str(error))


class _Gone(Exception):  # noqa: N818
    """The server is not there any more."""


class _Round:
    def __init__(self, client: Client, limits: Limits) -> None:
        self._client, self._limits = client, limits
        self._asked: Counter[str] = Counter()
        self._left: list[str] = []
        self._silent: list[str] = []
        self._until = time.monotonic() + limits.seconds

    async def go(self) -> Exercise:
        lost = None
        try:
            await self._everything()
        except _Gone as gone:
            lost = str(gone)
        opening = self._client.opening
        asked, left = dict(self._asked), tuple(self._left)
        return Exercise(self._client.session, opening.revision, asked, left, lost, opening.refused)

    async def _everything(self) -> None:
        stateless, offered = self._client.opening.is_stateless, self._client.opening.capabilities
        if not stateless:
            await self._ask("ping")
        things = {method: await self._list(method) for method in LISTS if _OWNER.get(method, "resources") in offered}
        resources, prompts = things.get("resources/list", []), things.get("prompts/list", [])
        await self._read(_named(resources, "uri"))
        # The first revision has completion, but no capability to declare it by.
        completes = "completions" in offered or self._client.opening.revision == HANDSHAKE_REVISIONS[0]
        values: dict[tuple[str, str], str] = {}
        if completes:
            values = await self._complete(prompts, things.get("resources/templates/list", []))
        await self._get(prompts, values)
        if "resources" in offered:
            await self._ask("resources/read", {"uri": MISSING_RESOURCE})
        # The last, since there are servers that do not survive it.
        await self._ask(UNKNOWN_METHOD)

    async def _ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result; nothing where there was an error, or no answer."""
        self._asked[method] += 1
        try:
            answer = await self._client.ask(method, params)
        except (TimeoutError, Lost) as error:
            if self._client.is_over:
                raise _Gone(f"{self._client.peer.over} (after {method})") from None
            self._silent.append(f"{method}: {_why(error, self._client.manner.timeout)}")
            if len(self._silent) >= _MOST_SILENT:
                raise _Gone(f"the server does not answer any more: {'; '.join(self._silent)}") from None
            return {}
        self._silent.clear()
        result = answer.body.get("result")
        return result if type(result) is dict else {}

    async def _list(self, method: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(self._limits.pages):
            page = await self._ask(method, None if cursor is None else {"cursor": cursor})
            entries = page.get(LISTS[method].key)
            found += [entry for entry in entries if type(entry) is dict] if type(entries) is list else []
            following = page.get("nextCursor")
            if type(following) is not str or following in seen or (following == "" and not self._modern):
                return found
            if len(found) > self._limits.things:
                break
            seen.add(following)
            cursor = following
        self._left.append(f"{method} from page {len(seen) + 1} on")
        return found

    @property
    def _modern(self) -> bool:
        return self._client.opening.is_stateless

    async def _read(self, uris: list[str]) -> None:
        done = 0
        for uri in uris[: self._limits.reads]:
            if self._late:
                break
            await self._ask("resources/read", {"uri": uri})
            done += 1
        self._leave(done, len(uris), "resources")

    async def _get(self, prompts: list[dict[str, Any]], values: Mapping[tuple[str, str], str]) -> None:
        named = [prompt for prompt in prompts if type(prompt.get("name")) is str]
        done = 0
        for prompt in named[: self._limits.prompts]:
            if self._late:
                break
            name = prompt["name"]
            required = [argument["name"] for argument in _arguments(prompt) if argument.get("required") is True]
            arguments = {argument: values.get((name, argument), MADE_UP) for argument in required}
            await self._ask("prompts/get", {"name": name, **({"arguments": arguments} if arguments else {})})
            done += 1
        self._leave(done, len(named), "prompts")

    async def _complete(
        self, prompts: list[dict[str, Any]], templates: list[dict[str, Any]]
    ) -> dict[tuple[str, str], str]:
        """The first value that completion offers for each argument of each prompt, of those that were asked."""
        values: dict[tuple[str, str], str] = {}
        wanted = [*_completions(prompts, templates)]
        done = 0
        for ref, argument in wanted[: self._limits.completions]:
            if self._late:
                break
            result = await self._ask("completion/complete", {"ref": ref, "argument": {"name": argument, "value": ""}})
            completion = result.get("completion")
            offered = completion.get("values") if type(completion) is dict else None
            if "name" in ref and type(offered) is list and offered and type(offered[0]) is str:
                values[ref["name"], argument] = offered[0]
            done += 1
        self._leave(done, len(wanted), "completions")
        return values

    @property
    def _late(self) -> bool:
        return time.monotonic() > self._until

    def _leave(self, done: int, there: int, what: str) -> None:
        if done < there:
            self._left.append(f"{there - done} of {there} {what}")


def _named(things: list[dict[str, Any]], key: str) -> list[str]:
    return list(dict.fromkeys(thing[key] for thing in things if type(thing.get(key)) is str))


def _arguments(prompt: dict[str, Any]) -> list[dict[str, Any]]:
    given = prompt.get("arguments")
    entries = given if type(given) is list else []
    return [entry for entry in entries if type(entry) is dict and type(entry.get("name")) is str]


def _completions(
    prompts: list[dict[str, Any]], templates: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, str], str]]:
    for prompt in prompts:
        if type(prompt.get("name")) is str:
            for argument in _arguments(prompt):
                yield {"type": "ref/prompt", "name": prompt["name"]}, argument["name"]
    for uri in _named(templates, "uriTemplate"):
        for expression in _VARIABLES.findall(uri):
            for variable in expression.split(","):
                name = re.sub(r"\*$|:\d+$", "", variable)
                if name:
                    yield {"type": "ref/resource", "uri": uri}, name


def _why(error: TimeoutError | TargetError, seconds: float) -> str:
    return f"no answer within {seconds:g} s" if isinstance(error, TimeoutError) else str(error)
