"""Definition carries encoded text.

Base64, hexadecimal or escape sequences that decode to readable text are how instructions get past a reader and still
reach a model, which decodes them without being asked.
Write plain text. Icons and other binary data are not meant.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from mcptest.analyzers.prose import prose, shown
from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "SEC-004"
SEVERITY = Severity.ERROR
ON = entries

_LONGEST = 4096  # of one run; what it decodes to is visible from its beginning
_RUN = re.compile(r"[A-Za-z0-9+/_-]{32,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){20,}")
_ESCAPES = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}){8,}|(?:\\u[0-9a-fA-F]{4}){6,}|(?:%[0-9a-fA-F]{2}){10,}|(?:&#x?[0-9a-fA-F]{2,6};){6,}"
    r"|(?:\b[01]{8}\b\s?){8,}"
)
_WORDS = re.compile(rb"[A-Za-z]{2,}[ ,.:;/_-]+[A-Za-z]{2,}")


def check(entry: Entry) -> Iterator[Remark]:
    texts = prose(entry)
    for text in texts.texts:
        found = next(_encoded(text.text), None)
        if found:
            how, sample = found
            yield Remark(f"carries text encoded as {how}: {shown(sample)}", text.within)
    texts.finish()


def _encoded(text: str) -> Iterator[tuple[str, str]]:
    if len(text) < 32:
        return
    match = _ESCAPES.search(text)
    if match:
        yield "escape sequences", match[0]
    for match in _RUN.finditer(text):
        run = match[0][:_LONGEST]
        if _HEX.fullmatch(run):
            decoded, how = bytes.fromhex(run), "hexadecimal"
        else:
            decoded, how = _from_base64(run), "base64"
        if _is_prose(decoded):
            yield how, decoded[:200].decode("utf-8", "replace")


def _from_base64(run: str) -> bytes:
    run = run.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    run = run[: len(run) // 4 * 4]
    try:
        return base64.b64decode(run)
    except binascii.Error:
        return b""


def _is_prose(data: bytes) -> bool:
    """Readable characters only, but for a cut character at the end, and at least two words."""
    if len(data) < 16 or data.startswith(b'{"'):  # a JSON Web Token is a secret, another rule's business
        return False
    odd = sum(byte < 9 or 13 < byte < 32 or byte > 126 for byte in data)
    return odd <= len(data) // 50 and _WORDS.search(data) is not None
