"""A list of tools is an array, and each tool in it has a name and an input schema.

`name` is a string and `inputSchema` an object; `title` and `description` are strings where they are there. A tool
without a description is legal, but of little use to a model, so it is warned about.
"""

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, a, remark, results, tools, warning

ID = "TOOLS-002"
ON = (tools, results("tools/list").of(SERVER))


def applies(subject: Part | Exchange) -> bool:
    if isinstance(subject, Part):
        return True
    assert subject.answer is not None
    assert subject.answer.body is not None
    result = subject.answer.body["result"]
    return (
        type(result) is dict
        and type(result.get("tools")) is not list
        and result.get("resultType", "complete") == "complete"
    )


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        found = subject.result
        said = f"tools is {a(found['tools'])}, not an array" if "tools" in found else "The result has no tools"
        yield remark(said, "/result/tools" if "tools" in found else "/result")
        return
    tool = subject.value
    if type(tool) is not dict:
        yield f"An entry of the list is {a(tool)}, not a tool"
        return
    for key, kind, wanted in (("name", str, "a string"), ("inputSchema", dict, "an object")):
        if key not in tool:
            yield f"The tool {subject.name[:80]!r} has no {key}"
        elif type(tool[key]) is not kind:
            yield remark(f"{key} is {a(tool[key])}, not {wanted}", f"/{key}")
    for key in ("title", "description"):
        if key in tool and type(tool[key]) is not str:
            yield remark(f"{key} is {a(tool[key])}, not a string", f"/{key}")
    if "description" not in tool:
        yield warning(f"The tool {subject.name[:80]!r} has no description")
