"""Method names, and the keys inside their messages that say who is speaking and about what."""

from typing import NamedTuple

INITIALIZE = "initialize"
DISCOVER = "server/discover"
LISTEN = "subscriptions/listen"
CALL_TOOL = "tools/call"
CANCELLED = "notifications/cancelled"
PROGRESS = "notifications/progress"

# Keys of `_meta`; the prefixed ones came with the stateless revisions.
PROGRESS_TOKEN = "progressToken"  # noqa: S105  (no secret)
PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

# The parameter that names what a request is about.
NAMES = {
    CALL_TOOL: "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
}


class Listing(NamedTuple):
    """A method that lists things in pages: what a thing is called, and the result's key that holds a page of them."""

    kind: str
    key: str


LISTS = {
    "tools/list": Listing("tool", "tools"),
    "resources/list": Listing("resource", "resources"),
    "resources/templates/list": Listing("template", "resourceTemplates"),
    "prompts/list": Listing("prompt", "prompts"),
}
