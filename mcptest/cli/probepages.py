"""The pages of the probes in docs/probes, made from the probes themselves.

python -m mcptest.cli.probepages           write them anew
python -m mcptest.cli.probepages --check   say which are stale, exit 1 if any
"""

from __future__ import annotations

import sys
from pathlib import Path

from mcptest.probes import fresh_pages

PAGES = Path(__file__).parents[2] / "docs" / "probes"


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    stale = stale_pages()
    for path, text in stale.items():
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{'stale' if check else 'written'}: {path}")
    return 1 if check and stale else 0


def stale_pages() -> dict[Path, str]:
    """The pages whose text differs from what the probes say now, with their new text."""
    fresh = {PAGES / name: text for name, text in fresh_pages().items()}
    return {path: text for path, text in fresh.items() if not path.exists() or path.read_text("utf-8") != text}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
