"""A list of resources is an array, and each resource in it has a URI and a name.

Both are strings. Optional members are for RES-019, the URI's own form is for RES-003.
"""

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, a, resources, results
from mcptest.compliance.rules._results import lacks_list, strings, without_list

ID = "RES-002"
ON = (resources, results("resources/list").of(SERVER))


def applies(subject: Part | Exchange) -> bool:
    return isinstance(subject, Part) or lacks_list(subject, "resources")


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        yield from without_list(subject, "resources")
    elif type(subject.value) is not dict:
        yield f"An entry of the list is {a(subject.value)}, not a resource"
    else:
        yield from strings(subject.value, ("uri", "name"), what=f"The resource {subject.name[:80]!r}")
