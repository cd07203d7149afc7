"""Structured content is repeated as JSON in a text block, for clients that know no other.

Some text block should parse to the same value. Since 2026-07-28 what is not an object may be told in prose, which is
only mentioned. Results with `isError` are not judged.
"""

from typing import Any

import orjson

from mcptest.compliance.kit import SERVER, Exchange, Inconclusive, Remarks, info, remark, results, same
from mcptest.compliance.rules.tools._calls import given

ID = "TOOLS-012"
ON = results("tools/call").of(SERVER)


def applies(exchange: Exchange) -> bool:
    result = exchange.result
    return "structuredContent" in result and result.get("isError") is not True and given(exchange)


def check(exchange: Exchange) -> Remarks:
    content, value = exchange.result.get("content"), exchange.result["structuredContent"]
    texts = [block.get("text") for block in content if type(block) is dict] if type(content) is list else []
    if any(_says(text, value) for text in texts):
        return
    if exchange.place.redacted:
        raise Inconclusive("a part of the message was redacted")
    say = info if exchange.modern and type(value) is not dict else remark
    yield say(
        "No text block holds structuredContent as JSON", "/result/content" if type(content) is list else "/result"
    )


def _says(text: Any, value: Any) -> bool:
    if type(text) is not str:
        return False
    try:
        return same(orjson.loads(text), value)
    except ValueError:
        return False
