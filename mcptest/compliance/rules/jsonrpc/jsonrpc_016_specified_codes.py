"""The error codes from -32099 to -32020 mean what the specification says.

Only -32020, -32021 and -32022 are in use, each with the data that belongs to it; -32002 and -32042 are retired.
-32020 is about HTTP headers and has no place on stdio. Judged only if the server has shown that it knows the
stateless era.
"""

from mcptest.compliance.kit import Context, Exchange, Remarks, modern_server, refusals, remark
from mcptest.protocol import errors

ID = "JSONRPC-016"
ON = refusals()
PROVIDED = modern_server


def applies(exchange: Exchange) -> bool:
    return exchange.code is not None


def check(exchange: Exchange, context: Context) -> Remarks:
    code = exchange.code
    data = exchange.error.get("data")
    members = data if type(data) is dict else {}
    if code in (errors.RESOURCE_NOT_FOUND, errors.URL_ELICITATION_REQUIRED):
        yield remark(f"The error code {code} is retired", "/error/code")
    elif code in errors.SPECIFIED and code not in errors.STATELESS:
        yield remark(f"The error code {code} is kept for the specification, which does not define it", "/error/code")
    elif code == errors.HEADER_MISMATCH and context.history.transport == "stdio":
        yield remark(f"{code} is about HTTP headers, and this is stdio", "/error/code")
    elif code == errors.MISSING_CLIENT_CAPABILITY:
        if type(members.get("requiredCapabilities")) is not dict:
            yield remark(f"{code} comes without the object data.requiredCapabilities", "/error")
    elif code == errors.UNSUPPORTED_PROTOCOL_VERSION:
        supported = members.get("supported")
        if type(supported) is not list or not all(type(version) is str for version in supported):
            yield remark(f"{code} comes without data.supported, a list of strings", "/error")
        if type(members.get("requested")) is not str:
            yield remark(f"{code} comes without the string data.requested", "/error")
