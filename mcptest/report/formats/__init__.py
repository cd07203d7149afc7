"""The formats, one module each: `render(report) -> str`, and `SUFFIXES` of the files that it is for."""
