"""`execution.taskSupport` is one of the words that the revision knows.

`expect.values` are those words.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, remark, tools

ID = "TOOLS-025"
ON = tools
EXPECT = {"values"}


def applies(tool: Part) -> bool:
    return "execution" in tool.members


def check(tool: Part, context: Context) -> Remarks:
    execution = tool.members["execution"]
    if type(execution) is not dict:
        yield remark(f"execution is {a(execution)}, not an object", "/execution")
    elif "taskSupport" in execution and execution["taskSupport"] not in context.expect["values"]:
        given = execution["taskSupport"]
        said = repr(given[:40]) if type(given) is str else a(given)
        allowed = ", ".join(context.expect["values"])
        yield remark(f"taskSupport is {said}; allowed is: {allowed}", "/execution/taskSupport")
