"""What HTTP does not carry as it is goes into a header in base64, between `=?base64?` and `?=`.

That is text with other than plain ASCII characters, with white space around it, and text that looks encoded itself. To
encode what has no need of it does no harm. Judged are `Mcp-Name` and the `Mcp-Param-` headers of listed tools.
"""

from mcptest.compliance.kit import HttpExchange, Remarks, http_requests
from mcptest.compliance.rules.transport_http._mirrors import (
    NAME,
    PARAM,
    decode,
    is_encoded,
    needs_encoding,
    rely_on_text,
    request_of,
    shown_values,
    wanted_by,
)

ID = "TRANSPORT-HTTP-030"
ON = http_requests("POST")
_OURS = (NAME.lower().encode(), PARAM.lower().encode())


def applies(exchange: HttpExchange) -> bool:
    return request_of(exchange) is not None and any(
        name.lower().startswith(_OURS) for name, _ in exchange.request.headers
    )


def check(exchange: HttpExchange) -> Remarks:
    request = request_of(exchange)
    assert request is not None
    for name, value in exchange.request.headers:
        if name.lower().startswith(_OURS) and any(not (0x20 <= byte <= 0x7E or byte == 0x09) for byte in value):
            yield f"{name.decode('latin-1')[:80]} has bytes that no plain header has: {value[:40]!r}"
            return
    for header, text, _ in shown_values(request, wanted_by(request) or []):
        given = exchange.header(header)
        if given is None:
            continue
        if is_encoded(given):
            if decode(given) is None:
                yield f"{header[:80]} is {given[:80]!r}, which holds no UTF-8 in base64"
            elif decode(given) != text and needs_encoding(text):
                rely_on_text(decode(given), text)
                yield f"{header[:80]} decodes to {str(decode(given))[:80]!r}, and the body says {text[:80]!r}"
        elif needs_encoding(text):
            rely_on_text(given, text)
            yield f"{header[:80]} is {given[:80]!r}, and the body's {text[:80]!r} has to be encoded"
