"""Schema breaks the rules of JSON Schema.

A misspelt type, a `required` that is not a list, a negative length: validators refuse such a schema or read it in
ways that its author did not mean, and then check nothing.
Validate the schema against the dialect that `$schema` names. Where it names none, 2020-12 counts, and draft-07 is
accepted too, since that is what older servers write.
"""

from collections.abc import Iterator
from typing import Any

from mcptest import schemas
from mcptest.analyzers.outline import outline
from mcptest.analyzers.prose import shown
from mcptest.analyzers.schema import Schema
from mcptest.catalogue import Tool
from mcptest.rules import Inconclusive, Remark, Severity, tools

ID = "CAT-004"
SEVERITY = Severity.ERROR
ON = tools

_OLDER = "http://json-schema.org/draft-07/schema"


def check(tool: Tool) -> Iterator[Remark]:
    if isinstance(tool.input_schema, dict):
        yield from _judge(outline(tool).schema, "/inputSchema")
    if isinstance(tool.output_schema, dict):
        yield from _judge(Schema(tool.output_schema), "/outputSchema")


def _judge(document: Schema, where: str) -> Iterator[Remark]:
    if document.over:
        raise Inconclusive(document.over)
    schema: dict[str, Any] = document.root
    dialect = schemas.dialect(schema)
    if dialect is None:
        yield Remark(f"$schema names no known dialect: {shown(str(schema['$schema']))}", where + "/$schema")
        return
    accepted = [dialect] if "$schema" in schema else [dialect, _OLDER]
    if not any(schemas.meta(name).is_valid(schema) for name in accepted):
        for problem in schemas.meta(dialect).problems(schema):
            yield Remark(f"not valid JSON Schema: {problem.message[:200]}", where + problem.pointer)
