"""An embedded resource has a URI, and a text or a blob.

In a prompt it also has a MIME type and its URI a scheme. In a tool's result a URI without a scheme is warned about and
a missing MIME type mentioned. Text and blob at once are warned about. That there is a `resource` at all is for
CONTENT-007.
"""

import re

from mcptest.compliance.kit import Part, Remarks, a, info, remark, warning
from mcptest.compliance.rules.content._blocks import PROMPT, TOOL, embedded, everywhere

ID = "CONTENT-004"
ON = tuple(on._replace(noun="embedded resources") for on in everywhere)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def applies(block: Part) -> bool:
    return embedded(block) is not None and block.where in (TOOL, PROMPT)


def check(block: Part) -> Remarks:
    found = embedded(block)
    assert found is not None
    prompt = block.where == PROMPT
    uri = found.get("uri")
    if "uri" not in found:
        yield remark("The embedded resource has no uri", "/resource")
    elif type(uri) is not str:
        yield remark(f"uri is {a(uri)}, not a string", "/resource/uri")
    elif not _SCHEME.match(uri):
        yield (remark if prompt else warning)(f"The uri {uri[:80]!r} has no scheme", "/resource/uri")
    if "text" not in found and "blob" not in found:
        yield remark("The embedded resource has neither text nor blob", "/resource")
    elif "text" in found and "blob" in found:
        yield warning("The embedded resource has both text and blob", "/resource")
    if "mimeType" not in found:
        yield (remark if prompt else info)("The embedded resource has no mimeType", "/resource")
