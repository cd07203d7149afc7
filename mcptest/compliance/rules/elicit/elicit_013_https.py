"""The URLs of elicitations are HTTPS. On the machine itself plain HTTP is fine."""

import re

from mcptest.compliance.kit import Part, Remarks, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import URLS, by_url, split_url

ID = "ELICIT-013"
ON = called("elicitations by URL", URLS)
_LOOPBACK = re.compile(r"(?:.*\.)?localhost|127\.[\d.]+|::1|0\.0\.0\.0")


def applies(question: Part) -> bool:
    return by_url(question) and split_url(question.members.get("url")) is not None


def check(question: Part) -> Remarks:
    split = split_url(question.members["url"])
    assert split is not None
    if split.scheme == "http" and not _LOOPBACK.fullmatch(split.hostname or ""):
        yield remark("The user is sent to a page without HTTPS", "/url")
