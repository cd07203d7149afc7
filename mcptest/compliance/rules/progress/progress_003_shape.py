"""A progress notification has the token and a number.

`expect.members` are the members it may have besides, each with its JSON type.
"""

from mcptest.compliance.kit import Context, Message, Remarks, a, json_type, pointer, remark
from mcptest.compliance.rules.progress._tokens import PROGRESSES, is_token
from mcptest.protocol import PROGRESS_TOKEN

ID = "PROGRESS-003"
ON = PROGRESSES
EXPECT = {"members"}


def check(message: Message, context: Context) -> Remarks:
    params = message.params
    for key in (PROGRESS_TOKEN, "progress"):
        if key not in params:
            yield remark(f"{key} is missing", pointer("params", key))
    if PROGRESS_TOKEN in params and not is_token(params[PROGRESS_TOKEN]):
        yield remark("The progress token is neither a string nor a whole number", pointer("params", PROGRESS_TOKEN))
    for key, wanted in {"progress": "number", **context.expect["members"]}.items():
        if key in params and json_type(params[key]) != wanted:
            yield remark(f"{key} is {a(params[key])}, not a {wanted}", pointer("params", key))
