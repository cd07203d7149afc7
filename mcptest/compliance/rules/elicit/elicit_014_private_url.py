"""The URL of an elicitation tells nothing about the user and opens nothing by itself.

Told by the names in it, so never more than a warning: a user and a password before the host, parameters that are called
as secrets, sessions or addresses are, and values that are e-mail addresses.
"""

import re
from urllib.parse import parse_qsl

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import URLS, by_url, split_url

ID = "ELICIT-014"
ON = called("elicitations by URL", URLS)
_TELLING = re.compile(
    r"(access|id|refresh|auth|session)?token|bearer|jwt|password|passwd|pwd|secret|apikey|session(id)?|e?mail|ssn|phone"
)
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}")


def applies(question: Part) -> bool:
    return by_url(question) and split_url(question.members.get("url")) is not None


def check(question: Part) -> Remarks:
    split = split_url(question.members["url"])
    assert split is not None
    if split.scheme in ("http", "https") and split.username:
        yield remark("The URL names a user before its host", "/url")
    for name, value in parse_qsl(split.query):
        if _TELLING.fullmatch(re.sub(r"[^a-z]", "", name.lower())) or _ADDRESS.fullmatch(value):
            yield remark(f"The URL carries {name[:40]!r}, which may tell of the user or let others in", "/url")
