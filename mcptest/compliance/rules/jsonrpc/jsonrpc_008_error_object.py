"""An error has a whole number as its code and a string as its message.

`data` may be anything.
"""

from mcptest.compliance.kit import Message, Remarks, a, remark, responses

ID = "JSONRPC-008"
ON = responses._replace(noun="errors")


def applies(message: Message) -> bool:
    assert message.body is not None
    # An error that is null beside a result is judged by JSONRPC-007.
    return "error" in message.body and not (message.body["error"] is None and "result" in message.body)


def check(message: Message) -> Remarks:
    assert message.body is not None
    error = message.body["error"]
    if type(error) is not dict:
        yield remark(f"error is {a(error)}, not an object", "/error")
        return
    for key, kind, wanted in (("code", int, "a whole number"), ("message", str, "a string")):
        if key not in error:
            yield remark(f"The error has no {key}", "/error")
        elif type(error[key]) is not kind:
            yield remark(f"The error's {key} is {a(error[key])}, not {wanted}", f"/error/{key}")
