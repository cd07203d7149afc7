"""List in a result is not an array.

A client that expects an array of tools, resources, templates or prompts sees none of them, or fails.
Answer each list request with an array, an empty one if there is nothing to offer.
"""

from collections.abc import Iterator

from mcptest.catalogue import Catalogue
from mcptest.rules import Remark, Severity, catalogues

ID = "CAT-002"
SEVERITY = Severity.ERROR
ON = catalogues


def check(catalogue: Catalogue) -> Iterator[Remark]:
    for fault in catalogue.faults:
        yield Remark(fault.message, fault.within)
