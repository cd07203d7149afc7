from __future__ import annotations

import pytest

from mcptest.suites.proposing import kind, outline, propose


def result(**content):
    return {"jsonrpc": "2.0", "id": 1, "result": {"content": [], **content}}


def text(words, **more):
    return result(content=[{"type": "text", "text": words}], **more)


def proposals(*answers, schema=None, again=False):
    return [(one.target, one.matcher) for one in propose(answers, schema, again=again)]


FINE = ("result.isError", {"not": {"exact": True}})


def test_a_text_that_stays_is_expected_as_it_is():
    assert proposals(text("a"), text("a")) == [FINE, ("result.content[0].text", {"exact": "a"})]


def test_of_a_long_text_one_line_is_expected():
    long = "short\n" + "a longer line of it\n" + "x " * 400
    (_, (target, matcher)) = proposals(text(long), text(long))
    assert (target, list(matcher)) == ("result.content[0].text", ["contains"])
    assert matcher["contains"] in long


def test_a_text_that_varies_is_only_expected_to_be_there():
    there = ("result.content[0].text", {"schema": {"type": "string", "minLength": 1}})
    assert proposals(text("a"), text("b")) == [FINE, there]


def test_what_was_seen_once_is_not_expected_to_stay():
    there = ("result.content[0].text", {"schema": {"type": "string", "minLength": 1}})
    assert proposals(text("a")) == [FINE, there]


def test_structured_content_that_stays_is_expected_and_its_text_is_not_expected_twice():
    answer = text('{"a": 1}', structuredContent={"a": 1})
    assert proposals(answer, answer) == [FINE, ("result.structuredContent", {"exact": {"a": 1}})]


def test_of_structured_content_that_varies_the_members_that_stay_are_expected():
    one, two = result(structuredContent={"a": 1, "at": 1}), result(structuredContent={"a": 1, "at": 2})
    shape = {
        "type": "object",
        "required": ["a", "at"],
        "properties": {"a": {"type": "number"}, "at": {"type": "number"}},
    }
    assert proposals(one, two) == [
        FINE,
        ("result.structuredContent.a", {"exact": 1}),
        ("result.structuredContent", {"schema": shape}),
    ]


def test_the_output_schema_is_expected_unless_it_stands_there_already():
    answer, schema = result(structuredContent={"a": 1}), {"type": "object", "required": ["a"]}
    assert ("result.structuredContent", {"schema": schema}) in proposals(answer, answer, schema=schema)
    assert ("result.structuredContent", {"schema": schema}) not in proposals(answer, answer, schema=schema, again=True)
    assert ("result.structuredContent", {"schema": schema}) in proposals(answer, schema=schema, again=True)


@pytest.mark.parametrize("schema", [{"type": "object", "required": ["b"]}, {"type": "nonsense"}, {"$ref": "http://x"}])
def test_an_output_schema_that_the_answers_do_not_fit_is_not_expected(schema):
    answer = result(structuredContent={"a": 1})
    assert all(matcher != {"schema": schema} for _, matcher in proposals(answer, answer, schema=schema))


def test_of_an_error_its_code_is_expected():
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "at 12:00"}}
    assert proposals(error, error) == [("error.code", {"exact": -32602})]


def test_of_a_tools_error_the_flag_and_the_text_are_expected():
    answer = text("no", isError=True)
    assert proposals(answer, answer) == [
        ("result.isError", {"exact": True}),
        ("result.content[0].text", {"exact": "no"}),
    ]


def test_resources_and_prompts_are_expected_by_their_texts():
    resource = {"result": {"contents": [{"uri": "x", "text": "a"}]}}
    prompt = {"result": {"messages": [{"role": "user", "content": {"type": "text", "text": "b"}}]}}
    assert proposals(resource, resource) == [("result.contents[0].text", {"exact": "a"})]
    assert proposals(prompt, prompt) == [("result.messages[0].content.text", {"exact": "b"})]


def test_of_pictures_their_kind_is_expected():
    answer = result(content=[{"type": "image", "data": "x", "mimeType": "image/png"}])
    assert proposals(answer, answer)[1:] == [
        ("result.content[0].type", {"exact": "image"}),
        ("result.content[0].mimeType", {"exact": "image/png"}),
    ]


@pytest.mark.parametrize("answer", [{}, {"result": None}, {"result": []}, {"result": {"content": 3}}, {"error": 5}])
def test_answers_of_any_shape_are_taken(answer):
    assert isinstance(proposals(answer, answer), list)


def test_an_answer_is_named_by_what_it_is():
    assert [kind({"error": {}}), kind(result()), kind(result(isError=True)), kind({})] == [
        "an error",
        "a result",
        "a tool's error",
        "a result",
    ]


def test_an_outline_says_what_all_values_share():
    said = outline([{"a": 1, "b": "x"}, {"a": None, "c": 1}])
    assert said == {"type": "object", "required": ["a"], "properties": {"a": {"type": ["number", "null"]}}}
