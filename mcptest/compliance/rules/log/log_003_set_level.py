"""Who sets the level names one of the eight, and gets an empty result.

Members of the result are mentioned.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Exchange, Message, Remarks, a, info, remark, requests, results
from mcptest.compliance.rules.log._levels import is_level

ID = "LOG-003"
ON = (
    requests("logging/setLevel").of(CLIENT)._replace(noun="requests and results"),
    results("logging/setLevel").of(SERVER),
)


def check(subject: Message | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        if extra := subject.result.keys() - {"_meta", "resultType"}:
            yield info(f"The result should be empty, but has {min(extra)[:80]!r}", "/result")
        return
    level = subject.params.get("level")
    if "level" not in subject.params:
        yield remark("The request has no level", "/params" if subject.params else "")
    elif not is_level(level):
        yield remark(f"{repr(level[:40]) if type(level) is str else a(level)} is no level", "/params/level")
