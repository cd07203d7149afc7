"""Names of prompts are unique within the server.

Judged on whole lists, over all their pages. Where the server announced a change while the list was read, the same
prompt on two pages proves nothing.
"""

from mcptest.compliance.kit import Inconclusive, Listing, Part, Remarks, listings, remark

ID = "PROMPT-010"
ON = listings("prompts/list")


def check(listing: Listing) -> Remarks:
    seen: dict[str, Part] = {}
    for prompt in listing:
        first = seen.setdefault(prompt.name, prompt)
        if not prompt.name or first is prompt:
            continue
        if first.message is not prompt.message and listing.pages[-1].known.prompts.changed is not None:
            raise Inconclusive("the list changed while it was read")
        yield remark(f"Two prompts are called {prompt.name[:80]!r}", prompt.at, of=prompt.message)
