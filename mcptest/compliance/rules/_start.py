"""What a capture can say about what was not seen before."""

from mcptest.compliance.kit import Context, Inconclusive


def rely_on_start(context: Context) -> None:
    """`context.rely_on_past()` for the stateless era, in which every request looks like an opening: only the start of
    the server's process shows that nothing came before."""
    context.rely_on_past()
    if context.history.event("spawn") is None:
        raise Inconclusive("the capture does not have the start of the server, so something may have come before")
