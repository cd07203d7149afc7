"""An elicitation by form has a message and a schema of an object with properties.

`expect.modes` are the modes that the revision knows; where it knows none, `mode` is a member like any other, and only
mentioned. Elicitations by URL are judged by ELICIT-005, the fields of a form by ELICIT-003.
"""

from mcptest.compliance.kit import Context, Part, Remarks, info, remark
from mcptest.compliance.rules._asks import called
from mcptest.compliance.rules.elicit._forms import ASKED, by_url, faults_of_form

ID = "ELICIT-002"
ON = called("forms", ASKED)
EXPECT = {"modes"}


def applies(question: Part, context: Context) -> bool:
    return not (by_url(question) and "url" in context.expect["modes"])


def check(question: Part, context: Context) -> Remarks:
    modes = context.expect["modes"]
    if "mode" in question.members and not modes:
        yield info(f"{context.revision} knows no modes of elicitation", "/mode")
    elif "mode" in question.members and question.members["mode"] not in modes:
        yield remark(f"mode is none of {', '.join(modes)}", "/mode")
        return
    for text, at in faults_of_form(question):
        yield remark(text, at)
