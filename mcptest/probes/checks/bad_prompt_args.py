"""Asks for a prompt that does not exist, and for prompts without their required arguments.

The server must refuse each with an error (-32602). A prompt that was made all the same is an acceptance.
"""

from typing import Any

from mcptest.errors import TargetError
from mcptest.probes.check import Scope
from mcptest.probes.subject import Skip
from mcptest.probes.talk import Seen, Talk, worst

TAXONOMY = "FAULT-PROMPT-BAD-ARGUMENTS"
SCOPE = Scope.SERVER
NOBODY = "mcptest_no_such_prompt"
_MOST_PROMPTS = 5


async def converse(talk: Talk) -> Seen:
    if "prompts" not in talk.capabilities:
        raise Skip("the server declares no prompts")
    seen = [await _get(talk, NOBODY, f"the prompt {NOBODY!r}")]
    try:
        prompts = await talk.client.listed("prompts/list")
    except TargetError:
        prompts = []
    needy = [prompt for prompt in prompts if type(prompt.get("name")) is str and _requires(prompt)]
    for prompt in needy[:_MOST_PROMPTS]:
        if not seen[-1].verdict.failed:
            seen.append(await _get(talk, prompt["name"], f"the prompt {prompt['name']!r} without its arguments"))
    return worst(seen)


def _requires(prompt: dict[str, Any]) -> bool:
    arguments = prompt.get("arguments")
    return type(arguments) is list and any(type(one) is dict and one.get("required") is True for one in arguments)


async def _get(talk: Talk, name: str, what: str) -> Seen:
    return talk.seen(await talk.ask("prompts/get", {"name": name, "arguments": {}}), what, method="prompts/get")
