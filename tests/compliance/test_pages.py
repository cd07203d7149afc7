"""The page of a rule: what is demanded, how it is judged, and an example of either kind."""

from __future__ import annotations

import pytest

from mcptest.compliance import Book, rule_page, rules_index
from mcptest.errors import UsageError

BOOK = Book.load()
FIXTURE = """# X

## It fires

session: 2026-07-28
expect: warning 1 of 1

```
x< result {}
```

## It is silent

session: 2025-11-25, 2026-07-28
expect: untested
2026-07-28: passed 1

```
< result {}
```
"""


def test_a_page_has_the_demand_of_each_revision_and_an_example_of_either_kind():
    page = rule_page(BOOK, "TASKS-018", FIXTURE)
    assert page.startswith("# TASKS-018: A tool that reports an error")
    assert '| should | both | checked, given the stimulus | `state: "failed"` |' in page
    assert '| must | server | checked, given the stimulus | `state: "completed"` |' in page
    assert (
        "## Where it fires\n\nIt fires:\n\n```text\nsession: 2026-07-28\nexpect: warning 1 of 1\n\nx< result {}\n```"
        in page
    )
    assert "## Where it is silent\n\nIt is silent:" in page


def test_a_rule_that_needs_a_probe_says_so():
    page = rule_page(BOOK, "CACHE-008", None)
    assert "| needs a probe |" in page
    assert "Not checked from a capture: it needs a probe: other parameters" in page
    assert "## Where it fires" not in page


def test_an_extension_has_its_pages_elsewhere():
    page = rule_page(BOOK, "TASKS-101", None)
    assert "(https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/" in page


def test_a_fixture_without_a_case_is_refused():
    with pytest.raises(UsageError, match="MRTR-001 has no case"):
        rule_page(BOOK, "MRTR-001", "# nothing")


def test_the_index_has_every_rule():
    text = rules_index(BOOK)
    rules = {rule for corpus in BOOK.corpora for rule in corpus.demands}
    assert all(f"[{rule}]({rule}.md)" in text for rule in rules)
