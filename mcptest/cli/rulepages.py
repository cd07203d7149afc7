"""The pages of the lint rules in docs/rules, and what their fixtures expect, made from the rules themselves.

python -m mcptest.cli.rulepages           write both anew; look at the difference before you keep it
python -m mcptest.cli.rulepages --check   say which are stale, exit 1 if any
"""

from __future__ import annotations

import sys
from pathlib import Path

from mcptest import rulepages
from mcptest.analyzers import load_rules

HOME = Path(__file__).parents[2]
FIXTURES = HOME / "fixtures" / "lint"
PAGES = HOME / "docs" / "rules"
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
    stale = {path: text for path, text in fresh_pages().items() if _read(path) != text}
    extra = sorted(set(PAGES.glob("*.md")) - set(fresh_pages()))
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
    """Every page as it should be."""
    rules = load_rules()
    pages = {PAGES / "README.md": rulepages.index(rules, "Lint rules", FAMILIES)}
    for rule in rules:
        fixture = FIXTURES / f"{rule.id}.md"
        found = rulepages.cases(fixture.read_text(encoding="utf-8"), fixture.name)
        pages[PAGES / f"{rule.id}.md"] = rulepages.page(rule, found)
    return pages


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
