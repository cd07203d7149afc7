"""The pages of the rules in docs/rules, the table of what is checked, and what the fixtures of the lint rules expect,
made from the rules themselves.

python -m mcptest.cli.rulepages           write all anew; look at the difference before you keep it
python -m mcptest.cli.rulepages --check   say which are stale, exit 1 if any
"""

from __future__ import annotations

import sys
from pathlib import Path

from mcptest import rulepages
from mcptest.analyzers import load_rules
from mcptest.cli import coverage_view
from mcptest.compliance import Book, coverage, rule_page, rules_index

HOME = Path(__file__).parents[2]
FIXTURES = HOME / "fixtures" / "lint"
PAGES = HOME / "docs" / "rules"
SESSIONS = HOME / "fixtures" / "compliance"
COMPLIANCE = PAGES / "compliance"
COVERAGE = HOME / "docs" / "compliance-coverage.md"
_COVERAGE = """# What is checked, revision by revision

This page is made by `python -m mcptest.cli.rulepages`; `mcptest compliance coverage` prints the counts.

"""
FAMILIES = {
    "ANN": "annotations",
    "CAT": "the shape of the catalogue",
    "DESC": "descriptions",
    "SCH": "input schemas",
    "SEC": "poisoning",
}


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    fresh = {} if check else fresh_fixtures()
    for path, text in fresh.items():
        path.write_text(text, encoding="utf-8")
    pages = {**fresh_pages(), **fresh_compliance_pages()}
    stale = {path: text for path, text in pages.items() if _read(path) != text}
    extra = sorted({*PAGES.glob("*.md"), *COMPLIANCE.glob("*.md")} - set(pages))
    for path, text in stale.items():
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{'stale' if check else 'written'}: {path}")
    for path in extra:
        print(f"belongs to no rule: {path}")
    return 1 if check and (stale or extra) else 0


def fresh_fixtures() -> dict[Path, str]:
    """The fixtures whose expectations differ from what the rules say now."""
    found = {}
    for rule in load_rules():
        path = FIXTURES / f"{rule.id}.md"
        text = rulepages.refresh(path.read_text(encoding="utf-8"), rule, path.name)
        if text != _read(path):
            found[path] = text
    return found


def fresh_pages() -> dict[Path, str]:
    """Every page of the lint rules as it should be."""
    rules = load_rules()
    pages = {PAGES / "README.md": rulepages.index(rules, "Lint rules", FAMILIES)}
    for rule in rules:
        fixture = FIXTURES / f"{rule.id}.md"
        found = rulepages.cases(fixture.read_text(encoding="utf-8"), fixture.name)
        pages[PAGES / f"{rule.id}.md"] = rulepages.page(rule, found)
    return pages


def fresh_compliance_pages() -> dict[Path, str]:
    """Every page of the compliance rules as it should be, their list, and the table of what is checked."""
    book = Book.load()
    covered = coverage(book)
    table = "\n".join(coverage_view.markdown(covered, "rules/compliance/"))
    pages = {COMPLIANCE / "README.md": rules_index(book), COVERAGE: _COVERAGE + table + "\n"}
    for line in covered.lines:
        fixture = _read(SESSIONS / line.family / f"{line.rule}.md") if line.rule in book.rules else None
        pages[COMPLIANCE / f"{line.rule}.md"] = rule_page(book, line.rule, fixture)
    return pages


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
