"""Messages are UTF-8.

Bytes that are no UTF-8 fail, and so does text in UTF-16 or UTF-32, which shows by its zero bytes. A byte order mark is
warned about.
"""

from mcptest.compliance.kit import Line, Remarks, lines, warning

ID = "JSONRPC-022"
ON = lines
_MARK = b"\xef\xbb\xbf"


def applies(line: Line) -> bool:
    return bool(line.data.strip())


def check(line: Line) -> Remarks:
    data = line.data
    if data.startswith(_MARK):
        yield warning("The message starts with a byte order mark")
    elif not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"The message is no UTF-8 at byte {error.start}"
    elif line.reason is not None and data.count(b"\0") * 3 >= len(data):
        yield "The message seems to be UTF-16 or UTF-32: every other byte is zero"
