"""-32021 names capabilities that the request did not declare.

`data.requiredCapabilities` is an object that is not empty, and at least one of the capabilities in it is missing in the
request. `elicitation` without members stands for `elicitation.form`. That a server uses a capability which was not
declared is judged by other rules.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from mcptest.compliance.kit import SERVER, Exchange, Remarks, refusals, remark
from mcptest.protocol import errors

ID = "PROTO-041"
ON = refusals().of(SERVER)._replace(noun="errors about missing capabilities")
_DEEPEST = 8


def applies(exchange: Exchange) -> bool:
    return exchange.modern and exchange.code == errors.MISSING_CLIENT_CAPABILITY


def check(exchange: Exchange) -> Remarks:
    data = exchange.error.get("data")
    required = data.get("requiredCapabilities") if type(data) is dict else None
    if type(required) is not dict or not required:
        yield remark("-32021 does not say in data.requiredCapabilities what is missing", "/error")
        return
    declared = exchange.request.client_capabilities
    if declared is not None and set(_paths(required)) <= _with_prefixes(_paths(declared)):
        names = ", ".join(sorted(".".join(path) for path in _paths(required)))
        yield remark(f"The request declared all that -32021 asks for: {names[:120]}", "/error/data")


def _paths(members: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in members.items():
        here = (*path, name)
        if value is None or value is False:
            continue
        if here == ("elicitation",) and value == {}:
            yield ("elicitation", "form")
        elif type(value) is dict and value and len(here) < _DEEPEST:
            yield from _paths(value, here)
        else:
            yield here


def _with_prefixes(paths: Iterator[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Who declares `sampling.tools` declares `sampling` with it."""
    return {path[:length] for path in paths for length in range(1, len(path) + 1)}
