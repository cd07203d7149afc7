"""HTTP+SSE gives way to Streamable HTTP.

Judged on what was recorded over HTTP; servers may keep the old way for old clients.
"""

from mcptest.compliance.kit import History, Remarks, sessions

ID = "DEPR-006"
ON = sessions


def applies(history: History) -> bool:
    return history.transport in ("sse", "streamable-http")


def check(history: History) -> Remarks:
    if history.transport == "sse":
        yield "The session goes over HTTP+SSE, which is deprecated"
