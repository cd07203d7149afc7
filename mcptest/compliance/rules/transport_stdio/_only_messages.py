"""What TRANSPORT-STDIO-002 and -003 share."""

from mcptest.compliance.kit import Context, Line, Remarks, info, warning
from mcptest.compliance.rules._foreign import foreign, marked, shown


def only_messages(line: Line, context: Context, where: str) -> Remarks:
    if not line.data.strip():
        if "blank" not in context.memory:
            context.memory.add("blank")
            yield info(f"There are blank lines on {where}")
        return
    reason = foreign(line, context)
    if reason is not None:
        text = f"A line on {where} is no message but {shown(line)} ({reason})"
        yield warning(text) if marked(line) else text
