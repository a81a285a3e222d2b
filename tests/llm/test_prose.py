"""A reply is words: what is only JSON is held back, and everything else comes as it is said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from futura.errors import ModelUnavailable
from futura.llm.gates import Prose, may_be_json
from futura.llm.tools import Tool
from tests.llm.conftest import HELLO, Verdict, outcomes
from tests.llm.test_tools import Find, Shed
from tests.scripted import ScriptedCall

TEXTS = st.text(max_size=8)
LEAVES = st.none() | st.booleans() | st.integers() | TEXTS
JSON = st.dictionaries(TEXTS, LEAVES | st.lists(LEAVES, max_size=3), max_size=3) | st.lists(
    LEAVES | st.dictionaries(TEXTS, LEAVES, max_size=3), max_size=3
)
WORDS = (
    "[1] As of May.",
    "[a link](/x) and more",
    "{name}, hello",
    "- [ ] to do",
    "[ ] to do",
    "[]?",
)


@given(JSON, st.sampled_from([None, 2]), st.integers(0, 100))
def test_no_beginning_of_json_is_shown(value, indent, cut):
    text = json.dumps(value, indent=indent)
    assert may_be_json(text)
    assert may_be_json(text[:cut])
    assert Prose().feed(text[:cut]) == ""


@given(st.text(), st.integers(1, 5))
def test_what_is_shown_is_what_was_said(text, size):
    gate = Prose()
    shown = "".join(gate.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert text.startswith(shown)
    assert shown == text or may_be_json(text)


@pytest.mark.parametrize("words", WORDS)
def test_words_that_begin_like_json_are_shown(words):
    gate = Prose()
    assert "".join(gate.feed(letter) for letter in words) == words


@pytest.mark.django_db
@pytest.mark.usefixtures("either_wire")
class TestThroughTheGateway:
    def test_json_in_the_place_of_words_is_no_answer(self, scripted, llm):
        scripted.on("response").text(' {"unexpected": true}\n')
        with pytest.raises(ModelUnavailable) as caught:
            list(llm.stream_text("response", HELLO))
        assert caught.value.reason == "wrong_schema"
        assert outcomes() == ["wrong_schema"]

    def test_nor_is_it_the_end_of_a_loop_with_tools(self, scripted, llm):
        shed = Shed()
        tool = Tool("find", "Finds.", Find, shed.find)
        call = ScriptedCall("find", {"words": "bread"})
        scripted.on("response").calls(call, text='{"thought": 1}').text('["done"]')
        events = []
        loop = llm.run_tools("response", HELLO, [tool])
        with pytest.raises(ModelUnavailable):
            events.extend(loop)
        assert not [event for event in events if isinstance(event, str)]
        assert shed.done == ["bread"], "JSON beside a call takes nothing from the call"

    def test_nor_is_it_the_words_of_a_field(self, scripted, llm):
        scripted.on("portfolio_answer").json({"word": '{"a": 1}', "certainty": "high", "note": ""})
        with pytest.raises(ModelUnavailable):
            list(llm.stream_structured("portfolio_answer", HELLO, Verdict, field="word"))
        assert set(outcomes()) == {"wrong_schema"}

    def test_a_list_of_sources_before_the_words_is_shown_whole(self, scripted, llm):
        scripted.on("response").text("[1] As of May, [2] bread.")
        assert "".join(llm.stream_text("response", HELLO)) == "[1] As of May, [2] bread."
