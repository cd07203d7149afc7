"""Images and audio say their MIME type, and it is one of that kind.

It must be there and be written as a MIME type. That an image is no `image/…`, or starts like a file of another type, is
warned about.
"""

import binascii
import re

from mcptest.compliance.kit import Part, Remarks, a, remark, warning
from mcptest.compliance.rules.content._blocks import everywhere

ID = "CONTENT-003"
ON = tuple(on._replace(noun="images and audio") for on in everywhere)
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MIME = re.compile(rf'{_WORD}/{_WORD}(\s*;\s*({_WORD}=({_WORD}|"([^"\\]|\\.)*"))?)*\s*')
# How files of a type start, and what else the type is called.
_SIGNATURES = (
    (
        re.compile(rb"\x89PNG\r\n\x1a\n"),
        "image/png",
        {"image/png", "image/x-png", "image/apng", "image/vnd.mozilla.apng"},
    ),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg", {"image/jpeg", "image/jpg", "image/pjpeg"}),
    (re.compile(rb"GIF8[79]a"), "image/gif", {"image/gif"}),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp", {"image/webp"}),
    (
        re.compile(rb"RIFF....WAVE", re.DOTALL),
        "audio/wav",
        {"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"},
    ),
)


def applies(block: Part) -> bool:
    return block.name in ("image", "audio")


def check(block: Part) -> Remarks:
    if "mimeType" not in block.members:
        yield f"The block of type {block.name} has no mimeType"
        return
    given = block.members["mimeType"]
    if type(given) is not str:
        yield remark(f"mimeType is {a(given)}, not a string", "/mimeType")
    elif not _MIME.fullmatch(given):
        yield remark(f"{given[:80]!r} is no MIME type", "/mimeType")
    elif not given.lower().startswith(block.name + "/"):
        yield warning(f"The block of type {block.name} has the MIME type {given[:80]!r}", "/mimeType")
    else:
        start, named = _start(block), given.partition(";")[0].strip().lower()
        for signature, usual, names in _SIGNATURES:
            if signature.match(start) and named not in names:
                yield warning(f"The data starts like {usual}, but the MIME type is {named[:80]!r}", "/mimeType")


def _start(block: Part) -> bytes:
    data = block.members.get("data")
    try:
        return binascii.a2b_base64(data[:24]) if type(data) is str else b""
    except ValueError:
        return b""
