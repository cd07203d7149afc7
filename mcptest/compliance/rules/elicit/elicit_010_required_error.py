"""The error that elicitations are required first lists them, each by URL and with its id."""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, pointer, refusals, remark
from mcptest.compliance.rules.elicit._forms import elicitations_in
from mcptest.protocol import errors

ID = "ELICIT-010"
ON = refusals().of(SERVER)._replace(noun="errors that require elicitations")


def applies(exchange: Exchange) -> bool:
    return exchange.code == errors.URL_ELICITATION_REQUIRED


def check(exchange: Exchange) -> Remarks:
    found = elicitations_in(exchange)
    if not found:
        yield remark("The error does not list the elicitations that are required", "/error/data")
    for at, one in enumerate(found):
        where = pointer("error", "data", "elicitations", at)
        if type(one) is not dict or one.get("mode") != "url":
            yield remark("An elicitation that is required is not one by URL", where)
        elif type(one.get("elicitationId")) is not str:
            yield remark("An elicitation that is required has no elicitationId", where)
