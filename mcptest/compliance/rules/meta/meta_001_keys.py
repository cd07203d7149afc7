"""Keys of `_meta` are written as the specification wants them.

A key may have a prefix of labels with dots between them and a slash at the end, then a name. A label starts with a
letter, ends with a letter or a digit and may have hyphens; a name starts and ends with a letter or a digit and may have
hyphens, underscores and dots, or it is empty. Only `_meta` where the specification has one is looked at.
"""

from mcptest.compliance.kit import Part, Remarks, pointer, remark
from mcptest.compliance.rules.meta._keys import improper
from mcptest.compliance.rules.meta._places import metas

ID = "META-001"
ON = metas


def applies(part: Part) -> bool:
    return bool(part.members)


def check(part: Part) -> Remarks:
    for key in improper(tuple(part.members)):
        yield remark(f"{key[:80]!r} is no proper key for _meta", pointer(key))
