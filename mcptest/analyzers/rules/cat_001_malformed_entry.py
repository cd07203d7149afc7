"""Entry in a list is malformed.

A tool, resource, template or prompt without a usable name cannot be called, and a description that is not a string is
dropped or refused by clients, sometimes together with the whole list.
Give each entry the members that the specification demands, with their types.
"""

from collections.abc import Iterator

from mcptest.catalogue import Entry
from mcptest.rules import Remark, Severity, entries

ID = "CAT-001"
SEVERITY = Severity.ERROR
ON = entries


def check(entry: Entry) -> Iterator[Remark]:
    for fault in entry.faults:
        yield Remark(fault.message, fault.within)
