"""Write a report in some format. A format is a module in `formats/` with a function `render`."""

from mcptest.report.rendering import format_names, render, suffix_format
from mcptest.report.results import from_json, to_json

__all__ = ["format_names", "from_json", "render", "suffix_format", "to_json"]
