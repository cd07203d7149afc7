"""Secrets that are known before the first byte passes: in the child's environment."""

from __future__ import annotations

from mcptest.wire.redaction.encoding import encoded
from mcptest.wire.redaction.literals import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDERS = ("PWD", "OLDPWD")  # in every environment; without them the rules need not be loaded


def environment_secrets(environ: Mapping[str, str]) -> list[str]:
    """The values of variables with a secret's name, and the passwords in URLs; none that could be an ordinary word."""
    found: dict[str, None] = {}
    for name, value in environ.items():
        if name in _FOLDERS:
            continue
        value = value.strip()
        if "://" in value and "@" in value:
            found.update(dict.fromkeys(_passwords(value)))
        raw_name = encoded(name)
        lowered = raw_name.lower() + b"="
        if any(literal in lowered for literal in NAMES) and _is_secret(raw_name, value):
            found[value] = None
    return list(found)


def _passwords(value: str) -> list[str]:
    import re

    from mcptest.wire.redaction.values import is_distinctive

    urls = re.finditer(r"[A-Za-z][A-Za-z0-9+.-]{0,31}://[^\s/?#@:]{0,256}:([^\s/?#]{1,1024})@", value)
    return [url[1] for url in urls if is_distinctive(url[1])]


def _is_secret(name: bytes, value: str) -> bool:
    from mcptest.wire.redaction.names import Names
    from mcptest.wire.redaction.values import is_distinctive, is_path, is_secret

    kind = Names().kind(name)
    if kind is None or not is_distinctive(value) or is_path(value):
        return False
    return is_secret(encoded(value), kind, name)
