"""Between text and bytes, without ever failing."""

from __future__ import annotations


def encoded(text: str) -> bytes:
    """As it came: bytes that were no UTF-8 are themselves again, half surrogate pairs stay what they are."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
