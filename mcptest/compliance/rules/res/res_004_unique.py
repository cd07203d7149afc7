"""A URI stands for one resource of a list.

Judged on whole lists, over all their pages. Where the server announced a change while the list was read, the same
resource on two pages proves nothing.
"""

from mcptest.compliance.kit import Inconclusive, Listing, Part, Remarks, listings, remark

ID = "RES-004"
ON = listings("resources/list")


def check(listing: Listing) -> Remarks:
    seen: dict[str, Part] = {}
    for resource in listing:
        first = seen.setdefault(resource.name, resource)
        if not resource.name or first is resource:
            continue
        if first.message is not resource.message and listing.pages[-1].known.resources.changed is not None:
            raise Inconclusive("the list changed while it was read")
        yield remark(f"Two resources have the URI {resource.name[:80]!r}", resource.at, of=resource.message)
