"""An error's message is one short sentence.

It is shown to people in a line; details belong into `data`. `expect.longest` is how many characters it may have.
"""

from mcptest.compliance.kit import Context, Message, Remarks, remark, responses

ID = "JSONRPC-023"
ON = responses._replace(noun="errors")
EXPECT = {"longest"}


def applies(message: Message) -> bool:
    return type(message.error.get("message")) is str


def check(message: Message, context: Context) -> Remarks:
    text: str = message.error["message"]
    if len(text) > context.expect["longest"]:
        yield remark(f"The error's message has {len(text)} characters", "/error/message")
    elif "\n" in text.strip():
        yield remark("The error's message has several lines", "/error/message")
