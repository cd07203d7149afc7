"""A content block is an object with a type, and with what its type demands.

Text has `text`; images and audio have `data` and `mimeType`; an embedded resource has `resource`. Unknown types are for
CONTENT-001, links for CONTENT-005, the use of tools in sampling for the family SAMPLE. An empty text is a text.
"""

from mcptest.compliance.kit import Part, Remarks, a, remark
from mcptest.compliance.rules.content._blocks import PROMPT, everywhere

ID = "CONTENT-007"
ON = everywhere
_MEMBERS: dict[str, tuple[tuple[str, type, str], ...]] = {
    "text": (("text", str, "a string"),),
    "image": (("data", str, "a string"), ("mimeType", str, "a string")),
    "audio": (("data", str, "a string"), ("mimeType", str, "a string")),
    "resource": (("resource", dict, "an object"),),
}


def applies(block: Part) -> bool:
    # Several blocks where one is due: that is for CONTENT-001.
    return not (block.where == PROMPT and type(block.value) is list)


def check(block: Part) -> Remarks:
    if type(block.value) is not dict:
        yield f"The content block is {a(block.value)}, not an object"
    elif "type" not in block.members:
        yield "The content block has no type"
    elif type(block.members["type"]) is not str:
        yield remark(f"type is {a(block.members['type'])}, not a string", "/type")
    for key, kind, wanted in _MEMBERS.get(block.name, ()):
        if key not in block.members:
            yield f"The block of type {block.name} has no {key}"
        elif type(block.members[key]) is not kind:
            yield remark(f"{key} is {a(block.members[key])}, not {wanted}", f"/{key}")
