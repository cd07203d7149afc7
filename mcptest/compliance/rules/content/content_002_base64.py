"""Binary data is base64.

`data` of images and audio, and `blob` of resources, embedded or read. White space, missing padding and the alphabet for
URLs are warned about, since many decoders take them; what no decoder takes fails. Open where the capture was redacted.
"""

import binascii
import re
from typing import Any

from mcptest.compliance.kit import Inconclusive, Part, Remarks, a, remark, warning
from mcptest.compliance.rules.content._blocks import contents, embedded, everywhere

ID = "CONTENT-002"
ON = (*(on._replace(noun="payloads") for on in everywhere), contents)
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_FOR_URLS = str.maketrans("-_", "+/")


def _payload(block: Part) -> tuple[Any, str] | None:
    """The value, and where it is."""
    if block.name in ("image", "audio"):
        return (block.members["data"], "/data") if "data" in block.members else None
    holder, at = (block.members, "/blob") if block.where == "resource" else (embedded(block), "/resource/blob")
    return (holder["blob"], at) if holder is not None and "blob" in holder else None


def applies(block: Part) -> bool:
    return _payload(block) is not None


def check(block: Part) -> Remarks:
    found = _payload(block)
    assert found is not None
    value, at = found
    if type(value) is not str:
        yield remark(f"{at[1:]} is {a(value)}, not a base64 string", at)
    elif not _decodes(value):
        if block.message.redacted:
            raise Inconclusive("a part of the message was redacted")
        tidy = _SPACE.sub("", value)
        padded = tidy + "=" * (-len(tidy) % 4)
        if _decodes(tidy):
            yield warning("The base64 has white space in it", at)
        elif _decodes(padded):
            yield warning("The base64 lacks its padding", at)
        elif _decodes(padded.translate(_FOR_URLS)):
            yield warning("The base64 uses the alphabet for URLs", at)
        else:
            yield remark(f"{at.rpartition('/')[2]} is no base64", at)


def _decodes(text: str) -> bool:
    try:
        binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return False
    return True
