"""Each elicitation by URL has an id of its own.

The same id with the same URL is the same elicitation. With another URL it is taken twice: after the first was completed
that is certain, before that it is warned about.
"""

from mcptest.compliance.kit import Context, Inconclusive, Message, Part, Remarks, notifications, remark, warning
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import URLS, by_url

ID = "ELICIT-020"
ON = called("elicitations by URL", URLS)
WATCH = notifications("notifications/elicitation/complete")
_MOST = 100_000


class MEMORY:
    def __init__(self) -> None:
        self.urls: dict[str, int] = {}  # each id's, as a digest
        self.completed: set[str] = set()


def watch(message: Message, context: Context) -> None:
    identity = message.params.get("elicitationId")
    if type(identity) is str and identity in context.memory.urls:
        context.memory.completed.add(identity)


def applies(question: Part) -> bool:
    params = question.members
    return by_url(question) and type(params.get("elicitationId")) is str and type(params.get("url")) is str


def check(question: Part, context: Context) -> Remarks:
    memory, identity, url = context.memory, question.members["elicitationId"], hash(question.members["url"])
    known = memory.urls.setdefault(identity, url) if len(memory.urls) < _MOST else memory.urls.get(identity, url)
    if known == url:
        return
    if question.message.redacted:
        raise Inconclusive("parts of the message are redacted")
    say = remark if identity in memory.completed else warning
    yield say("The elicitationId was used before with another URL", "/elicitationId")
