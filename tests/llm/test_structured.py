"""Answers of a given form: validated, repaired once, enlarged once, else unavailable."""

from __future__ import annotations

import json

import pytest

from futura.errors import ModelUnavailable
from futura.llm.models import ModelCall
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wire")]
STAGE = "tool_selection"


def ask(llm):
    return llm.structured(STAGE, HELLO, Verdict, prompt_version="2")


def refused_with(llm, reason):
    with pytest.raises(ModelUnavailable) as caught:
        ask(llm)
    return caught.value.reason == reason


def test_a_good_answer_is_an_object(scripted, llm):
    scripted.on(STAGE).json(GOOD, usage={"input": 10, "output": 5})
    assert ask(llm) == Verdict(word="bake", certainty="high", note=None)
    call = ModelCall.objects.get()
    assert (call.outcome, call.input_tokens, call.prompt_version) == ("ok", 10, "2")


@pytest.mark.parametrize("opening", ["<think>", "Well, "])
def test_thoughts_with_braces_before_the_object_are_no_part_of_it(scripted, llm, opening):
    scripted.on(STAGE).text(f"{opening}{{word}}? {{bake}}!\n</think>\n{json.dumps(GOOD)}")
    assert ask(llm).word == "bake"
    assert outcomes() == ["ok"]


def test_an_object_may_write_of_the_tag_whatever_came_before(scripted, llm):
    answers = scripted.on(STAGE).text(f"Well.\n</think>\n{json.dumps(GOOD)}")
    answers.json({**GOOD, "note": "Ends in </think> then."})
    assert [ask(llm).note, ask(llm).note] == [None, "Ends in </think> then."]


def test_the_schema_asked_for_is_strict(scripted, llm, wire):
    scripted.on(STAGE).json(GOOD)
    ask(llm)
    [request] = scripted.requests
    given = request.format if wire == "responses" else request.format["json_schema"]
    assert (request.format["type"], given["strict"], given["name"]) == (
        "json_schema",
        True,
        "Verdict",
    )
    assert given["schema"]["required"] == ["word", "certainty", "note"]
    assert given["schema"]["additionalProperties"] is False


def test_a_wrong_form_is_repaired_once_with_what_was_wrong(scripted, llm):
    scripted.on(STAGE).json({"word": "bake", "certainty": "perhaps"}).json(GOOD)
    assert ask(llm).word == "bake"
    assert outcomes() == ["wrong_schema", "ok"]
    second = scripted.requests[1]
    assert "certainty: literal_error" in second.last_user
    assert second.messages[-2]["role"] == "assistant"
    first = ModelCall.objects.earliest("id")
    assert first.output_tokens is not None, "usage is kept before the answer is judged"
    assert "perhaps" not in first.error


def test_a_form_that_stays_wrong_gives_way_to_the_rules(scripted, llm):
    scripted.on(STAGE).json({"certainty": "high"})
    assert refused_with(llm, "wrong_schema")
    assert outcomes() == ["wrong_schema", "wrong_schema"]


def test_broken_off_json_is_repaired_once(scripted, llm):
    scripted.on(STAGE).truncated_json(GOOD).json(GOOD)
    assert ask(llm).certainty == "high"
    assert outcomes() == ["wrong_schema", "ok"]


def test_a_truncated_answer_gets_one_larger_attempt(scripted, llm, wire):
    scripted.on(STAGE).incomplete(after=1, text=json.dumps(GOOD)).json(GOOD)
    assert ask(llm).word == "bake"
    assert outcomes() == ["truncated", "ok"]
    name = "max_output_tokens" if wire == "responses" else "max_tokens"
    assert [request.body[name] for request in scripted.requests] == [1000, 4000]


def test_what_will_be_long_is_asked_for_at_length_at_once(scripted, llm, wire):
    scripted.on(STAGE).incomplete(after=1, text=json.dumps(GOOD))
    with pytest.raises(ModelUnavailable):
        llm.structured(STAGE, HELLO, Verdict, is_long=True)
    name = "max_output_tokens" if wire == "responses" else "max_tokens"
    assert [request.body[name] for request in scripted.requests] == [4000]


def test_an_answer_that_stays_truncated_gives_way_to_the_rules(scripted, llm):
    scripted.on(STAGE).incomplete(after=1)
    assert refused_with(llm, "truncated")
    assert outcomes() == ["truncated", "truncated"]


def test_a_refusal_gives_way_to_the_rules(scripted, llm):
    scripted.on(STAGE).refuse()
    assert refused_with(llm, "refused")
    assert outcomes() == ["refused"]


def test_an_empty_answer_gives_way_to_the_rules(scripted, llm):
    scripted.on(STAGE).empty()
    assert refused_with(llm, "empty")


def test_a_reported_failure_is_tried_again(scripted, llm):
    scripted.on(STAGE).failed().json(GOOD)
    assert ask(llm).word == "bake"
    assert outcomes() == ["failed", "ok"]


def test_two_megabytes_are_not_an_answer(scripted, llm):
    scripted.on(STAGE).huge()
    assert refused_with(llm, "too_large")
    assert outcomes() == ["too_large"]


def test_two_megabytes_around_no_words_are_not_an_answer(scripted, llm):
    scripted.on(STAGE).blanks(2_000_000)
    assert refused_with(llm, "too_large")


def test_bytes_that_are_no_text_are_tried_again_and_given_up(scripted, llm):
    scripted.on(STAGE).invalid_utf8()
    assert refused_with(llm, "malformed")
    assert outcomes() == ["malformed"] * 3


def test_a_torn_connection_is_tried_again(scripted, llm):
    scripted.on(STAGE).cut().json(GOOD)
    assert ask(llm).word == "bake"
    assert outcomes() == ["cut", "ok"]


@pytest.mark.parametrize(
    ("refused", "formats"),
    [
        (["json_schema"], ["json_schema", "json_object", "json_object"]),
        (["format"], ["json_schema", "json_object", None, None]),
    ],
)
def test_a_server_without_structured_output_gets_the_schema_in_words(
    scripted, llm, refused, formats
):
    for name in refused:
        scripted.refuses_parameter(name)
    scripted.on(STAGE).text(f"Here you are:\n```json\n{json.dumps(GOOD)}\n```")
    assert ask(llm).word == "bake"
    assert ask(llm).word == "bake"
    assert [(request.format or {}).get("type") for request in scripted.requests] == formats
    assert '"certainty"' in scripted.requests[-1].messages[0]["content"]
    assert outcomes()[-2:] == ["ok", "ok"]
    assert set(outcomes()[:-2]) == {"unsupported"}


def test_the_old_name_of_the_token_limit_is_replaced_when_refused(scripted, llm, wire):
    scripted.refuses_parameter("max_tokens")
    scripted.on(STAGE).json(GOOD)
    assert ask(llm).word == "bake"
    if wire == "chat":
        assert scripted.requests[-1].body["max_completion_tokens"] == 1000
        assert outcomes() == ["unsupported", "ok"]
