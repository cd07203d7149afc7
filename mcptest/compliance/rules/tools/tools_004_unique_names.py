"""Tool names are unique within the server.

Judged on whole lists, over all their pages. Where the server announced a change while the list was read, the same tool
on two pages proves nothing.
"""

from mcptest.compliance.kit import Inconclusive, Listing, Part, Remarks, listings, remark

ID = "TOOLS-004"
ON = listings("tools/list")


def check(listing: Listing) -> Remarks:
    seen: dict[str, Part] = {}
    for tool in listing:
        first = seen.setdefault(tool.name, tool)
        if not tool.name or first is tool:
            continue
        if first.message is not tool.message and listing.pages[-1].known.tools.changed is not None:
            raise Inconclusive("the list changed while it was read")
        yield remark(f"Two tools are called {tool.name[:80]!r}", tool.at, of=tool.message)
