"""What is said about a task is a complete result, and no task itself.

Judged on `tasks/get`, `tasks/update` and `tasks/cancel`; a result without any `resultType` is for PROTO-038.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, a, remark, results

ID = "TASKS-102"
ON = results("tasks/get", "tasks/update", "tasks/cancel").of(SERVER)


def applies(exchange: Exchange) -> bool:
    return exchange.modern and "resultType" in exchange.result


def check(exchange: Exchange) -> Remarks:
    kind = exchange.result["resultType"]
    if kind != "complete":
        said = repr(kind[:40]) if type(kind) is str else a(kind)
        yield remark(f"resultType is {said}, not 'complete'", "/result/resultType")
