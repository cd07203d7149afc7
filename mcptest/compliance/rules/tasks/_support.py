"""Whether a tool can, must or must not be called as a task, and whether a call kept to that."""

from mcptest.compliance.kit import SERVER, Exchange, Message
from mcptest.compliance.rules.tasks._tasks import declares

OPTIONAL, REQUIRED, FORBIDDEN = "optional", "required", "forbidden"


def served(message: Message) -> bool:
    """Is it a call to a server that makes tasks of calls?"""
    return not message.modern and declares(message, SERVER, "tasks", "requests", "tools", "call") is True


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
