"""What cannot be completed is refused with the code for it.

-32601 by a server that declares no completions; -32602 for a prompt that is in no list, where a whole list was read and
is still valid. No values for such a prompt, instead of an error, are mentioned. Refusals for other reasons (the
version, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, answers, info, remark
from mcptest.compliance.rules._results import refused_for_other_reasons
from mcptest.compliance.rules.complete._completions import values
from mcptest.protocol import errors

ID = "COMPLETE-006"
ON = answers("completion/complete").of(SERVER)._replace(noun="requests that cannot be served")


def _due(exchange: Exchange) -> int | None:
    """The code that is due, where the request cannot be served."""
    declared = exchange.place.server_capabilities
    if declared is None:
        return None
    if not declared.declares("completions"):
        return errors.METHOD_NOT_FOUND if exchange.error else None
    ref = exchange.params.get("ref")
    if type(ref) is not dict or ref.get("type") != "ref/prompt" or type(ref.get("name")) is not str:
        return None
    return errors.INVALID_PARAMS if exchange.known.prompts.lacks(ref["name"]) else None


def applies(exchange: Exchange) -> bool:
    if exchange.cancelled is not None or _due(exchange) is None:
        return False
    return not refused_for_other_reasons(exchange) if exchange.error else values(exchange) == []


def check(exchange: Exchange) -> Remarks:
    if not exchange.error:
        yield info("An argument of an unknown prompt was completed with no values, not refused")
        return
    due = _due(exchange)
    if exchange.code != due:
        text = f"A completion that cannot be served was refused with {exchange.error.get('code')}, not with {due}"
        yield remark(text, "/error/code")
