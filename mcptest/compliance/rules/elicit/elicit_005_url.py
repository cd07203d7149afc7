"""An elicitation by URL has a message and a valid URL.

`expect.id` says whether it also has an `elicitationId` (`required`), or whether that is gone (`removed`) and only
mentioned. A URL that the recorder made unreadable proves nothing.
"""

from mcptest.compliance.kit import Context, Inconclusive, Part, Remarks, info, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, fault_of_url

ID = "ELICIT-005"
ON = called("elicitations by URL", ASKED)
EXPECT = {"id"}


def applies(question: Part) -> bool:
    return by_url(question)


def check(question: Part, context: Context) -> Remarks:
    params = question.members
    if type(params.get("message")) is not str:
        yield remark("message is not a string" if "message" in params else "message is missing", "/message")
    identity = params.get("elicitationId")
    if context.expect["id"] == "required" and (type(identity) is not str or not identity):
        yield remark("elicitationId is missing or no string", "/elicitationId")
    elif context.expect["id"] == "removed" and "elicitationId" in params:
        yield info(f"{context.revision} knows no elicitationId", "/elicitationId")
    if "url" not in params:
        yield remark("url is missing", "/url")
        return
    fault = fault_of_url(params["url"])
    if fault is not None:
        if question.message.redacted:
            raise Inconclusive("parts of the message are redacted")
        yield remark(f"url {fault}", "/url")
