"""An update or a cancellation of a task is answered with an empty result."""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, pointer, remark, results

ID = "TASKS-106"
ON = results("tasks/update", "tasks/cancel").of(SERVER)


def applies(exchange: Exchange) -> bool:
    return exchange.modern


def check(exchange: Exchange) -> Remarks:
    for key in exchange.result.keys() - {"resultType", "_meta"}:
        yield remark(f"The result has {key[:80]!r} where it should be empty", pointer("result", key))
        return
