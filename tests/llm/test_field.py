"""One field of a structured answer, streamed; and the whole that follows it."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from hypothesis import given, settings, strategies
from pydantic import BaseModel, Field

from futura.characters import clean
from futura.errors import ModelUnavailable
from futura.llm.gates import FieldGate, may_be_json
from tests.extent import examples
from tests.llm.conftest import HELLO, outcomes

STAGE = "response"


class Reply(BaseModel):
    """An answer with text for the person and something for the program."""

    tone: str
    answer: str = Field(alias="theAnswer", min_length=3)
    sources: list[int] = []


WHOLE = {"tone": "calm", "theAnswer": 'They "bake" bread.\nEvery day – 🙂.', "sources": [1, 2]}


@pytest.fixture
def play(llm):
    def stream():
        return list(llm.stream_structured(STAGE, HELLO, Reply, field="answer"))

    return stream


@pytest.mark.django_db
@pytest.mark.usefixtures("either_wire")
class TestStreaming:
    """Through the scripted server, on both wires."""

    def test_the_field_comes_in_pieces_and_the_whole_comes_last(self, scripted, llm):
        has_begun = threading.Event()
        scripted.on(STAGE).text(json.dumps(WHOLE), chunk_delay_s=0.1, hurry=has_begun)
        texts: list[Any] = []
        for text in llm.stream_structured(STAGE, HELLO, Reply, field="answer"):
            texts.append(text)
            has_begun.set()
        whole = texts.pop()
        assert "".join(texts) == WHOLE["theAnswer"]
        assert len(texts) > 1
        assert whole == Reply.model_validate(WHOLE)
        assert scripted.requests[0].is_stream
        assert scripted.requests[0].format["type"] == "json_schema"
        assert outcomes() == ["ok"]

    def test_a_code_fence_does_no_harm(self, scripted, play):
        scripted.on(STAGE).text(f"Here:\n```json\n{json.dumps(WHOLE)}\n```")
        *texts, whole = play()
        assert "".join(texts) == whole.answer

    def test_an_unusable_answer_is_repaired_while_nothing_was_shown(self, scripted, play):
        scripted.on(STAGE).json({"tone": "calm"}).json(WHOLE)
        assert play()[-1].tone == "calm"
        assert outcomes() == ["wrong_schema", "ok"]

    def test_an_unusable_answer_is_the_end_once_something_was_shown(self, scripted, llm):
        scripted.on(STAGE).json({"theAnswer": "No tone."}).json(WHOLE)
        got: list[object] = []
        with pytest.raises(ModelUnavailable) as caught:
            got.extend(llm.stream_structured(STAGE, HELLO, Reply, field="answer"))
        assert caught.value.reason == "wrong_schema"
        assert "".join(map(str, got)) == "No tone."
        assert outcomes() == ["wrong_schema"]

    def test_a_truncated_answer_is_enlarged_only_before_the_field(self, scripted, play):
        scripted.on(STAGE).incomplete(after=1, text=json.dumps(WHOLE)).json(WHOLE)
        assert play()[-1].sources == [1, 2]
        assert outcomes() == ["truncated", "ok"]

    def test_a_cut_within_the_field_raises(self, scripted, llm):
        text = json.dumps({**WHOLE, "theAnswer": "one two three four five"})
        scripted.on(STAGE).cut(after=6, text=text).json(WHOLE)
        with pytest.raises(ModelUnavailable) as caught:
            list(llm.stream_structured(STAGE, HELLO, Reply, field="answer"))
        assert caught.value.reason == "cut"
        assert outcomes() == ["cut"]

    def test_a_cut_before_the_field_is_tried_again(self, scripted, play):
        scripted.on(STAGE).cut(after=1, text=json.dumps(WHOLE)).json(WHOLE)
        assert play()[-1].tone == "calm"
        assert outcomes() == ["cut", "ok"]

    def test_a_refusal_gives_way_to_the_rules(self, scripted, play):
        scripted.on(STAGE).refuse()
        with pytest.raises(ModelUnavailable) as caught:
            play()
        assert caught.value.reason == "refused"


@pytest.mark.django_db
def test_a_field_that_the_schema_does_not_have_is_a_programming_error(scripted, llm):
    with pytest.raises(KeyError):
        next(llm.stream_structured(STAGE, HELLO, Reply, field="anwser"))


@settings(max_examples=examples(60), deadline=None)
@given(
    text=strategies.text(max_size=40),
    before=strategies.dictionaries(strategies.sampled_from("abc"), strategies.text(max_size=8)),
    plain=strategies.booleans(),
    size=strategies.integers(1, 7),
)
def test_whatever_the_text_and_the_pieces_the_gate_gives_exactly_the_text(
    text, before, plain, size
):
    raw = json.dumps(
        {**before, "it": text, "deep": {"it": "not this"}, "list": ["it"]}, ensure_ascii=plain
    )
    gate, said = FieldGate("it"), clean(text)
    shown = "".join(gate.feed(raw[at : at + size]) for at in range(0, len(raw), size))
    assert said == shown or (not shown and may_be_json(said))
