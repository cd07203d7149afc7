"""A list of templates is an array, and each template in it has a URI template and a name.

Both are strings.
"""

from mcptest.compliance.kit import SERVER, Exchange, Part, Remarks, a, results, templates
from mcptest.compliance.rules._results import lacks_list, strings, without_list

ID = "RESTPL-002"
ON = (templates, results("resources/templates/list").of(SERVER))


def applies(subject: Part | Exchange) -> bool:
    return isinstance(subject, Part) or lacks_list(subject, "resourceTemplates")


def check(subject: Part | Exchange) -> Remarks:
    if isinstance(subject, Exchange):
        yield from without_list(subject, "resourceTemplates")
    elif type(subject.value) is not dict:
        yield f"An entry of the list is {a(subject.value)}, not a template"
    else:
        yield from strings(subject.value, ("uriTemplate", "name"), what=f"The template {subject.name[:80]!r}")
