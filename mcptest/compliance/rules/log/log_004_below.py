"""Once a level is set, nothing below it is sent.

Judged by the newest level that the server confirmed, and not right after it: messages may have been on their way. While
the level is being set anew, nothing is judged.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, later, remark, results
from mcptest.compliance.rules.log._levels import LEVELS, LOGS, is_level, rank

ID = "LOG-004"
ON = LOGS
WATCH = results("logging/setLevel").of(SERVER)


class MEMORY:
    def __init__(self) -> None:
        self.newest: Exchange | None = None


def watch(exchange: Exchange, context: Context) -> None:
    context.memory.newest = exchange


def applies(message: Message, context: Context) -> bool:
    newest = context.memory.newest
    if newest is None or not is_level(newest.params.get("level")) or not is_level(message.params.get("level")):
        return False
    return not any(exchange.method == "logging/setLevel" for exchange in context.history.in_flight(CLIENT))


def check(message: Message, context: Context) -> Remarks:
    newest = context.memory.newest
    least, level = rank(newest.params["level"]), rank(message.params["level"])
    if level < least and later(newest.place, message):
        yield remark(f"{LEVELS[level]} is below the level that was set, {LEVELS[least]}", "/params/level")
