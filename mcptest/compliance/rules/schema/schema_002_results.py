"""Results have the shape that their revision gives to answers of that method.

Since 2026-07-28 `resultType` says which shape: what was asked for, or a question back; others belong to extensions and
are not judged. Not judged either: tasks, results that are no object (JSONRPC-012), versions that are not known here,
and servers of the older era that are asked in the newer one.
"""

from mcptest.compliance import shapes
from mcptest.compliance.kit import Context, Exchange, Remarks, results
from mcptest.compliance.rules.schema._shapes import ASK_BACK, misfits, of_known_version, of_this_era

ID = "SCHEMA-002"
ON = results()


def applies(exchange: Exchange, context: Context) -> bool:
    answer = exchange.answer
    assert answer is not None
    assert answer.body is not None
    result = answer.body["result"]
    if type(result) is not dict or not of_known_version(answer) or not of_this_era(answer, context):
        return False
    if exchange.modern:
        kind = result.get("resultType", "complete")
        if kind != "complete" and not (kind == "input_required" and exchange.method in ASK_BACK):
            return False
    elif "task" in exchange.params and type(result.get("task")) is dict:
        return False
    return shapes.knows(answer.revision, answer.sender, exchange.method, shapes.RESULT)


def check(exchange: Exchange) -> Remarks:
    assert exchange.answer is not None
    yield from misfits(exchange.answer, exchange.method, shapes.RESULT)
