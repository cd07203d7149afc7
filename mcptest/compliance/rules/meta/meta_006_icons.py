"""An icon has a source that can be trusted, and the rest of it is well typed.

`src` is a string, `mimeType` too, `sizes` an array of strings and `theme` light or dark. A source that is neither https
nor data, and a size that is neither `any` nor like `48x48`, are warned about; http is mentioned.
"""

import re

from mcptest.compliance.kit import Part, Remarks, a, info, pointer, remark, warning
from mcptest.compliance.rules.meta._places import icons

ID = "META-006"
ON = icons
_SIZE = re.compile(r"any|[0-9]+[xX][0-9]+")
_SAFE = ("https", "data")


def check(part: Part) -> Remarks:
    icon = part.value
    if part.where == "list":
        yield f"icons is {a(icon)}, not an array"
        return
    if type(icon) is not dict:
        yield f"An icon is {a(icon)}, not an object"
        return
    if "src" not in icon:
        yield "The icon has no src"
    elif type(icon["src"]) is not str:
        yield remark(f"src is {a(icon['src'])}, not a string", "/src")
    else:
        scheme, colon, _ = icon["src"][:200].partition(":")
        if scheme.lower() == "http":
            yield info("The icon is fetched by http, which clients need not do", "/src")
        elif not colon or scheme.lower() not in _SAFE:
            yield warning(f"The icon's source is neither https nor data: {icon['src'][:80]!r}", "/src")
    if "mimeType" in icon and type(icon["mimeType"]) is not str:
        yield remark(f"mimeType is {a(icon['mimeType'])}, not a string", "/mimeType")
    if "theme" in icon and icon["theme"] not in ("light", "dark"):
        yield remark(f"theme is {str(icon['theme'])[:40]!r}, neither light nor dark", "/theme")
    yield from _sizes(icon)


def _sizes(icon: dict[str, object]) -> Remarks:
    sizes = icon.get("sizes", [])
    if type(sizes) is not list:
        yield remark(f"sizes is {a(sizes)}, not an array", "/sizes")
        return
    for number, size in enumerate(sizes):
        if type(size) is not str:
            yield remark(f"A size is {a(size)}, not a string", pointer("sizes", number))
        elif not _SIZE.fullmatch(size):
            yield warning(f"A size is {size[:40]!r}, neither 'any' nor like '48x48'", pointer("sizes", number))
