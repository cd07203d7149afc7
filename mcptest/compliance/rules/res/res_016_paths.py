"""URIs are validated: a path with `..` in it does not lead out of what the server offers.

Judged on reads of such URIs, also with the dots or slashes encoded, once the server has listed its resources. To refuse
is fine, and so is a path that leads to something listed, to a template or below a root. What the server may serve
beyond its lists does not show: a warning at most, and the full proof needs a probe.
"""

from urllib.parse import unquote

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Inconclusive, Remarks, answers, remark, results
from mcptest.compliance.rules._results import complete
from mcptest.compliance.rules._uris import covered, key, offered

ID = "RES-016"
ON = answers("resources/read").of(SERVER)._replace(noun="reads of paths with dots")
WATCH = results("roots/list").of(CLIENT)
MEMORY = set[str]


def watch(exchange: Exchange, context: Context) -> None:
    roots = exchange.result.get("roots")
    for root in roots if type(roots) is list else ():
        if type(root) is dict and type(root.get("uri")) is str:
            context.memory.add(key(root["uri"]))


def _path(exchange: Exchange) -> tuple[str, list[str]]:
    """Scheme and segments of the URI, decoded as often as somebody might."""
    scheme, _, path = unquote(unquote(str(exchange.params.get("uri", "")))).partition("://")
    return scheme, path.replace("\\", "/").partition("?")[0].split("/")


def applies(exchange: Exchange) -> bool:
    return ".." in _path(exchange)[1] and bool(exchange.error or complete(exchange))


def check(exchange: Exchange, context: Context) -> Remarks:
    if exchange.error or not exchange.result.get("contents"):
        return
    scheme, segments = _path(exchange)
    kept: list[str] = []
    beyond = False
    for segment in segments:
        if segment != "..":
            kept += [segment] if segment != "." else []
        elif kept and kept != [""]:
            kept.pop()
        else:
            beyond = True
    uri = f"{scheme}://{'/'.join(kept)}"
    inside = offered(exchange, uri) or covered(uri, context.memory)
    if inside and not (beyond and scheme != "file"):
        return
    if not beyond and not (exchange.known.resources.complete and exchange.known.templates.complete):
        raise Inconclusive("what the server offers was not listed")
    yield remark(f"A path with '..' was read, and leads to {uri[:80]!r}, which is nothing that the server offers")
