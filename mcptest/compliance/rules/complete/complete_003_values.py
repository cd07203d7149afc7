"""A completion is an array of strings, and not too many.

`expect.most` is how many values there may be.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, a, pointer, remark, results
from mcptest.compliance.rules._results import complete

ID = "COMPLETE-003"
ON = results("completion/complete").of(SERVER)
EXPECT = {"most"}


def applies(exchange: Exchange) -> bool:
    return complete(exchange)


def check(exchange: Exchange, context: Context) -> Remarks:
    found = exchange.result.get("completion")
    if type(found) is not dict:
        has = "completion" in exchange.result
        yield remark(f"completion is {a(found)}, not an object" if has else "The result has no completion", "/result")
        return
    values, at = found.get("values"), pointer("result", "completion", "values")
    if "values" not in found:
        yield remark("The completion has no values", "/result/completion")
    elif type(values) is not list:
        yield remark(f"values is {a(values)}, not an array", at)
    else:
        most = context.expect["most"]
        if len(values) > most:
            yield remark(f"There are {len(values)} values, more than {most}", at)
        for number, value in enumerate(values):
            if type(value) is not str:
                yield remark(f"A value is {a(value)}, not a string", f"{at}/{number}")
                break
