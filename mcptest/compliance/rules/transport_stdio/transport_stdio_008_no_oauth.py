"""The OAuth flow is not used on stdio.

Credentials come from the environment there. Looked at is the envelope only: the names of a message's params, of its
`_meta` and of an error's data. A tool's arguments, its results and the text of resources may hold what they like.
"""

from collections.abc import Iterator
from typing import Any

from mcptest.compliance.kit import Message, Remarks, messages, pointer, remark

ID = "TRANSPORT-STDIO-008"
ON = messages
_CREDENTIALS = {"authorization", "access_token", "accesstoken"}
_CHALLENGES = {"www_authenticate", "wwwauthenticate"}


def check(message: Message) -> Remarks:
    raw = message.raw.lower()
    if b"authorization" not in raw and b"access" not in raw and b"authenticate" not in raw:
        return
    for at, key in _named(message):
        name = key.rpartition("/")[2].lower().replace("-", "_")
        if name in _CREDENTIALS:
            yield remark(f"The message carries credentials in {key[:80]!r}", pointer(*at, key))
        elif name in _CHALLENGES:
            yield remark(f"The message carries a challenge in {key[:80]!r}", pointer(*at, key))


def _named(message: Message) -> Iterator[tuple[tuple[str, ...], str]]:
    places: list[tuple[tuple[str, ...], Any]] = [
        (("params",), message.params),
        (("params", "_meta"), message.params.get("_meta")),
        (("result", "_meta"), message.result.get("_meta")),
        (("error", "data"), message.error.get("data")),
    ]
    for at, value in places:
        for key in value if type(value) is dict else ():
            yield at, key
