"""A prompt that lacks a required argument is refused with -32602.

Required is what the newest list marks so. A question back to the client is fine too. Refusals for other reasons (the
version, permissions, load) are left alone.
"""

from mcptest.compliance.kit import SERVER, Exchange, Remarks, answers, remark
from mcptest.compliance.rules._results import complete, refused_for_other_reasons
from mcptest.protocol import errors

ID = "PROMPT-007"
ON = answers("prompts/get").of(SERVER)._replace(noun="requests without a required argument")


def _left_out(exchange: Exchange) -> list[str]:
    prompt = exchange.known.prompts.get(exchange.params.get("name"))
    given = exchange.params.get("arguments", {})
    if prompt is None or exchange.known.prompts.changed is not None or type(given) is not dict:
        return []
    arguments = prompt.members.get("arguments")
    return [
        argument["name"]
        for argument in (arguments if type(arguments) is list else ())
        if type(argument) is dict
        and argument.get("required") is True
        and type(argument.get("name")) is str
        and argument["name"] not in given
    ]


def applies(exchange: Exchange) -> bool:
    if exchange.cancelled is not None or not _left_out(exchange):
        return False
    return not (exchange.error and refused_for_other_reasons(exchange))


def check(exchange: Exchange) -> Remarks:
    name = _left_out(exchange)[0][:80]
    if exchange.error:
        if exchange.code != errors.INVALID_PARAMS:
            code = exchange.error.get("code")
            text = f"A prompt without its required argument {name!r} was refused with {code}, not with -32602"
            yield remark(text, "/error/code")
    elif complete(exchange):
        yield f"A prompt was given although its required argument {name!r} was left out"
