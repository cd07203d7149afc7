"""What was read of a resource, item by item."""

from collections.abc import Iterator

from mcptest.compliance.kit import SERVER, Exchange, Part, inside, pointer, results
from mcptest.compliance.rules._results import complete

READ = results("resources/read").of(SERVER)


def _items(exchange: Exchange) -> Iterator[Part]:
    contents = exchange.result.get("contents")
    if type(contents) is list and complete(exchange):
        for number, value in enumerate(contents):
            yield Part("resource contents", "", value, exchange.place, pointer("result", "contents", number))


items = inside(READ, _items, "items of contents")
