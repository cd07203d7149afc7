"""The execution safety policy: the single layer that everything which calls a live server's tools consults.

`mcptest.policy.words` holds the two lists of words, and how names are taken apart.
"""

from mcptest.policy.budget import CallBudget
from mcptest.policy.classes import HINTS, Classified, ToolClass, classify, graver, well_formed
from mcptest.policy.decisions import REVIEW_MARKER, Context, Decision, Policy
from mcptest.policy.gate import Gate
from mcptest.policy.refusals import BudgetExhausted, Reason, Refused

__all__ = [
    "HINTS",
    "REVIEW_MARKER",
    "BudgetExhausted",
    "CallBudget",
    "Classified",
    "Context",
    "Decision",
    "Gate",
    "Policy",
    "Reason",
    "Refused",
    "ToolClass",
    "classify",
    "graver",
    "well_formed",
]
