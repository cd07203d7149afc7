"""Content blocks are of types that the revision knows, for the place they stand in.

A prompt's message has one block, and before 2025-11-25 so has a message of sampling; an array there is refused. Blocks
without a type are for CONTENT-007. `expect.results` and `expect.sampling` are the types for results of tools and
prompts, and for sampling; `expect.arrays` says whether sampling may have several blocks.
"""

from mcptest.compliance.kit import Context, Part, Remarks, remark
from mcptest.compliance.rules.content._blocks import ASKED, PROMPT, everywhere

ID = "CONTENT-001"
ON = everywhere
EXPECT = {"results", "sampling", "arrays"}


def applies(block: Part) -> bool:
    return bool(block.name) or (block.where == PROMPT and type(block.value) is list)


def check(block: Part, context: Context) -> Remarks:
    if not block.name:
        yield "The content of a prompt's message is an array, not one block"
        return
    sampling = block.where.startswith("sampling")
    if sampling and not context.expect["arrays"] and block.at.endswith("/content/0"):
        what = "message" if block.where == ASKED else "result"
        yield f"The content of a sampling {what} is an array, not one block"
    allowed = context.expect["sampling" if sampling else "results"]
    if block.name not in allowed:
        text = f"A {block.where} has a block of the type {block.name[:40]!r}; allowed is: {', '.join(allowed)}"
        yield remark(text, "/type")
