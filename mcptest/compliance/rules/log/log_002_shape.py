"""A log message has one of the eight levels, and data.

The levels are those of syslog: debug, info, notice, warning, error, critical, alert, emergency. `data` may be anything,
null included; `logger`, where it is there, is a string.
"""

from mcptest.compliance.kit import Message, Remarks, a, remark
from mcptest.compliance.rules.log._levels import LOGS, is_level

ID = "LOG-002"
ON = LOGS


def check(message: Message) -> Remarks:
    params = message.params
    where = "/params" if params else ""
    level = params.get("level")
    if "level" not in params:
        yield remark("The log message has no level", where)
    elif not is_level(level):
        yield remark(f"{repr(level[:40]) if type(level) is str else a(level)} is no level", "/params/level")
    if "data" not in params:
        yield remark("The log message has no data", where)
    if "logger" in params and type(params["logger"]) is not str:
        yield remark(f"logger is {a(params['logger'])}, not a string", "/params/logger")
