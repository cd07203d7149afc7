"""A template has a MIME type only if all that is read by it has that type.

Judged on reads of URIs that come of one listed template only and are not listed themselves, by the item that has the
URI which was asked for. Parameters of the types, such as a charset, are left out.
"""

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, pointer, remark, results
from mcptest.compliance.rules._results import complete
from mcptest.compliance.rules._uris import may_fit, origins

ID = "RESTPL-004"
ON = results("resources/read").of(SERVER)._replace(noun="reads by a template with a MIME type")


def _template(exchange: Exchange) -> Part | None:
    known = exchange.known.templates
    found = next(origins(exchange), None)
    if found is None or known.changed is not None:
        return None
    uri = exchange.params["uri"]
    return None if any(text != found and may_fit(text, uri) for text in known.entries) else known.get(found)


def _items(exchange: Exchange) -> list[tuple[int, str]]:
    contents = exchange.result.get("contents")
    return [
        (number, item["mimeType"])
        for number, item in enumerate(contents if type(contents) is list else ())
        if type(item) is dict and item.get("uri") == exchange.params["uri"] and type(item.get("mimeType")) is str
    ]


def _plain(mime_type: str) -> str:
    return mime_type.partition(";")[0].strip().lower()


def applies(exchange: Exchange) -> bool:
    template = _template(exchange) if complete(exchange) else None
    return template is not None and type(template.members.get("mimeType")) is str and bool(_items(exchange))


def check(exchange: Exchange) -> Remarks:
    template = _template(exchange)
    assert template is not None
    promised: str = template.members["mimeType"]
    for number, given in _items(exchange):
        if _plain(given) != _plain(promised):
            text = f"The template says {promised[:80]!r}, and what was read by it is {given[:80]!r}"
            yield remark(text, pointer("result", "contents", number, "mimeType"))
