"""What may be done with which class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptest.policy import Context, Decision, Policy, ToolClass

E, ONCE, GENERATE, REFUSE = Decision.EXECUTE, Decision.EXECUTE_ONCE, Decision.GENERATE_ONLY, Decision.REFUSE


@pytest.mark.parametrize(
    ("tool_class", "can_emit", "needs_live", "with_override"),
    [
        (ToolClass.READ_ONLY, E, E, E),
        (ToolClass.READ_ONLY_PRESUMED, E, E, E),
        (ToolClass.MUTATING, ONCE, ONCE, ONCE),
        (ToolClass.DESTRUCTIVE, GENERATE, REFUSE, ONCE),
    ],
)
def test_the_table_of_the_specification(tool_class, can_emit, needs_live, with_override):
    assert Policy().decide(tool_class, Context.CAN_EMIT_TEST) is can_emit
    assert Policy().decide(tool_class, Context.NEEDS_LIVE_CALL) is needs_live
    for context in Context:
        assert Policy(execute_destructive=True).decide(tool_class, context) is with_override


def test_the_defaults_are_those_of_the_specification():
    assert Policy()[:4] == (False, None, 2, 0.1)


@given(st.sampled_from(ToolClass), st.sampled_from(Context), st.booleans(), st.booleans())
def test_nothing_that_changes_data_is_ever_free_to_run_twice(tool_class, context, override, repeat):
    policy = Policy(execute_destructive=override, repeat_mutating=repeat)
    if policy.decide(tool_class, context) is Decision.EXECUTE:
        assert tool_class in (ToolClass.READ_ONLY, ToolClass.READ_ONLY_PRESUMED)
