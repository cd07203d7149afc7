"""A missing resource is not answered with empty contents.

Judged on URIs that are nowhere in what the server listed, resources and templates alike, and lie below nothing that is
listed. That it does not exist is likely then, but not proven: a warning at most.
"""

from mcptest.compliance.kit import SERVER, Context, Exchange, Remarks, answers, remark
from mcptest.compliance.rules._results import complete
from mcptest.compliance.rules._uris import not_offered

ID = "RES-008"
ON = answers("resources/read").of(SERVER)._replace(noun="reads of missing resources")


def applies(exchange: Exchange, context: Context) -> bool:
    if exchange.cancelled is not None or (exchange.modern and not context.history.modern_server):
        return False
    return bool(exchange.error or complete(exchange)) and not_offered(exchange)


def check(exchange: Exchange) -> Remarks:
    if not exchange.error and exchange.result.get("contents") == []:
        uri = exchange.params["uri"][:80]
        yield remark(f"{uri!r} is not listed, and reading it gave empty contents, not an error", "/result/contents")
