from __future__ import annotations

import pytest

from mcptest.cli.probepages import stale_pages
from mcptest.errors import UsageError
from mcptest.probes import CHECKS, known

DEFAULT = {
    "unknown_tool": "FAULT-PROTO-UNKNOWN-METHOD",
    "missing_required": "FAULT-SCHEMA-MISSING-REQUIRED",
    "wrong_type": "FAULT-SCHEMA-TYPE-MISMATCH",
    "extra_field": "FAULT-SCHEMA-UNEXPECTED-FIELD",
    "oversized": "FAULT-INPUT-OVERSIZED",
}
OPTIONAL = {
    "null_argument", "boundary_number", "bad_enum", "deep_nesting", "malformed_json", "wrong_jsonrpc", "duplicate_id",
    "unknown_method", "bad_cursor", "missing_resource", "bad_prompt_args", "cancel_midway", "wrong_protocol_version",
    "bad_origin", "missing_session",
}  # fmt: skip


def test_five_probes_run_by_default_under_the_ids_of_the_taxonomies():
    assert {check.name: check.taxonomy for check in known(None)} == DEFAULT
    assert list(CHECKS)[:5] == list(DEFAULT)


def test_the_others_run_when_they_are_named():
    assert {check.name for check in CHECKS.values() if not check.default} == OPTIONAL
    assert [check.name for check in known(["bad_enum", "unknown_tool", "bad_enum"])] == ["unknown_tool", "bad_enum"]


@pytest.mark.parametrize(("name", "near"), [("wrong_types", "wrong_type"), ("Missing-Required", "missing_required")])
def test_an_unknown_name_is_refused_with_the_nearest(name, near):
    with pytest.raises(UsageError, match=f"did you mean {near}"):
        known([name])


def test_a_name_that_is_near_to_none_is_refused_with_all_of_them():
    with pytest.raises(UsageError, match=r"the probes are unknown_tool, .*wrong_protocol_version"):
        known(["xyz"])


def test_every_probe_has_a_manual_and_its_page_is_fresh():
    assert all(check.summary and check.help for check in CHECKS.values())
    assert stale_pages() == {}
