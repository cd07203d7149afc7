"""A request that asks for log messages names one of the eight levels.

The level stands in `io.modelcontextprotocol/logLevel` of its `_meta`. Its letters are small.
"""

from mcptest.compliance.kit import Message, Remarks, a, pointer, remark
from mcptest.compliance.rules.log._levels import ASKING, is_level
from mcptest.protocol import LOG_LEVEL

ID = "LOG-011"
ON = ASKING._replace(noun="requests with a level")


def applies(message: Message) -> bool:
    return LOG_LEVEL in message.meta and message.modern


def check(message: Message) -> Remarks:
    level = message.meta[LOG_LEVEL]
    if not is_level(level):
        said = repr(level[:40]) if type(level) is str else a(level)
        yield remark(f"{said} is no level", pointer("params", "_meta", LOG_LEVEL))
