"""A tool's annotations are well typed.

The hints are booleans and the title is a string. That a tool which only reads is also called destructive or idempotent
says nothing, and is mentioned. `expect.hints` are the names of the hints.
"""

from mcptest.compliance.kit import Context, Part, Remarks, a, info, pointer, remark, tools

ID = "TOOLS-018"
ON = tools
EXPECT = {"hints"}


def applies(tool: Part) -> bool:
    return "annotations" in tool.members


def check(tool: Part, context: Context) -> Remarks:
    annotations = tool.members["annotations"]
    if type(annotations) is not dict:
        yield remark(f"annotations is {a(annotations)}, not an object", "/annotations")
        return
    for hint in context.expect["hints"]:
        if hint in annotations and type(annotations[hint]) is not bool:
            yield remark(f"{hint} is {a(annotations[hint])}, not a boolean", pointer("annotations", hint))
    if "title" in annotations and type(annotations["title"]) is not str:
        yield remark(f"title is {a(annotations['title'])}, not a string", "/annotations/title")
    if annotations.get("readOnlyHint") is True:
        for hint in ("destructiveHint", "idempotentHint"):
            if hint in annotations:
                yield info(f"{hint} has no meaning for a tool that only reads", pointer("annotations", hint))
