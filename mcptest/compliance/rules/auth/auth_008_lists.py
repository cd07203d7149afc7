"""The protected resource's metadata names at least one authorization server."""

from mcptest.compliance.kit import HttpExchange, Inconclusive, Remarks, a
from mcptest.compliance.rules.auth._flow import resource_documents

ID = "AUTH-008"
ON = resource_documents


def check(exchange: HttpExchange) -> Remarks:
    if not exchange.whole_answer:
        raise Inconclusive("the document is not captured to its end")
    found = exchange.answer_json
    if type(found) is not dict:
        yield "The protected resource's metadata is no JSON object"
        return
    servers = found.get("authorization_servers")
    if type(servers) is not list or not servers:
        yield f"authorization_servers is {a(servers) if servers != [] else 'empty'}, not a list of at least one"
