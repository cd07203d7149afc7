"""Priorities of models lie between 0 and 1, and hints are objects whose name, if any, is a string."""

from mcptest.compliance.kit import Part, Remarks, a, pointer, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.sample._messages import ASKED

ID = "SAMPLE-005"
ON = called("sampling requests with preferences", ASKED)
_PRIORITIES = ("costPriority", "speedPriority", "intelligencePriority")


def applies(question: Part) -> bool:
    return "modelPreferences" in question.members


def check(question: Part) -> Remarks:
    preferences = question.members["modelPreferences"]
    if type(preferences) is not dict:
        yield remark(f"modelPreferences is {a(preferences)}, not an object", "/modelPreferences")
        return
    for key in _PRIORITIES:
        value = preferences.get(key, 0)
        if type(value) not in (int, float) or not 0 <= value <= 1:
            yield remark(f"{key} is no number from 0 to 1", pointer("modelPreferences", key))
    hints = preferences.get("hints", [])
    if type(hints) is not list:
        yield remark(f"hints is {a(hints)}, not an array", "/modelPreferences/hints")
        return
    for number, hint in enumerate(hints):
        if type(hint) is not dict or type(hint.get("name", "")) is not str:
            yield remark("A hint is no object with a string as its name", pointer("modelPreferences", "hints", number))
