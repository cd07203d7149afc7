"""Reading a resource gives an array of contents, each with a URI and a text or a blob.

Text and blob at once are warned about. The URIs may differ from the one that was asked for: a directory gives its
files. A question back to the client and an error are no contents.
"""

from mcptest.compliance.kit import Exchange, Part, Remarks, a, remark, warning
from mcptest.compliance.rules._results import lacks_list, strings, without_list
from mcptest.compliance.rules.res._contents import READ, items

ID = "RES-005"
ON = (items, READ)


def applies(subject: Part | Exchange) -> bool:
    return isinstance(subject, Part) or lacks_list(subject, "contents")


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        yield from without_list(subject, "contents")
        return
    item = subject.value
    if type(item) is not dict:
        yield f"An item of contents is {a(item)}, not an object"
        return
    yield from strings(item, ("uri",), what="An item of contents")
    found = [key for key in ("text", "blob") if key in item]
    if not found:
        yield "An item of contents has neither text nor blob"
    elif len(found) == 2:
        yield warning("An item of contents has both text and blob")
    if found and not any(type(item[key]) is str for key in found):
        yield remark(f"{found[0]} is {a(item[found[0]])}, not a string", f"/{found[0]}")
