"""Whether a tool can, must or must not be called as a task, and whether a call kept to that."""

from mcptest.compliance.kit import CLIENT, SERVER, Exchange, Message, answers, inside, requests

OPTIONAL, REQUIRED, FORBIDDEN = "optional", "required", "forbidden"


def served(message: Message) -> bool:
    """Is it a call to a server that makes tasks of calls?"""
    known = message.known.server
    if known is None or "tasks" not in known or message.modern:
        return False
    return known.declares("tasks", "requests", "tools", "call")


def _served(message: Message) -> tuple[Message, ...]:
    return (message,) if served(message) else ()


def _answered(exchange: Exchange) -> tuple[Exchange, ...]:
    return (exchange,) if served(exchange.request) and exchange.cancelled is None else ()


CALLS = inside(requests("tools/call").of(CLIENT), _served, "calls")
ANSWERS = inside(answers("tools/call").of(SERVER), _answered, "calls")


def support(message: Message) -> str | None:
    """What the tool's newest definition says; None where there is none, or one that may have changed since."""
    tool = message.known.tools.get(message.params.get("name"))
    if tool is None or message.known.tools.changed is not None:
        return None
    execution = tool.members.get("execution")
    found = execution.get("taskSupport", FORBIDDEN) if type(execution) is dict else FORBIDDEN
    return found if found in (OPTIONAL, REQUIRED) else FORBIDDEN


def broken(message: Message) -> str | None:
    """How a call goes against it: `required` and no task asked for, or `forbidden` and one asked for."""
    found = support(message)
    if found == REQUIRED and "task" not in message.params:
        return REQUIRED
    return FORBIDDEN if found == FORBIDDEN and "task" in message.params else None


def became_task(exchange: Exchange) -> bool:
    return type(exchange.result.get("task")) is dict
