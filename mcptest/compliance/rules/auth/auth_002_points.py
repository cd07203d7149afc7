"""The 401 leads to the metadata of the protected resource.

Until 2025-06-18 only the challenge can: WWW-Authenticate has `resource_metadata`. Later the document at its well-known
address will do, too; whether it is there shows only if the client looked for it.
"""

from mcptest.compliance.kit import Context, HttpExchange, Inconclusive, Remarks
from mcptest.compliance.rules.auth._flow import RESOURCE, challenge, flow_of, protected, unauthorized

ID = "AUTH-002"
ON = unauthorized
PROVIDED = protected
EXPECT = {"well_known"}


def check(exchange: HttpExchange, context: Context) -> Remarks:
    if "resource_metadata" in challenge(exchange):
        return
    if not context.expect["well_known"]:
        yield "The 401 has no WWW-Authenticate with resource_metadata"
        return
    asked = {one.path.rstrip("/"): one.status for one in flow_of(context.history).resources}
    path = exchange.path.rstrip("/")
    wanted = [RESOURCE + path, RESOURCE] if path else [RESOURCE]
    if any(status == 200 for status in asked.values()):
        return
    if any(not 400 <= (asked.get(one) or 0) < 500 for one in wanted):
        raise Inconclusive("the challenge names no metadata, and its well-known addresses were not all asked for")
    yield "Neither the challenge nor a well-known address leads to the protected resource's metadata"
