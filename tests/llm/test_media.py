"""Vectors and recordings."""

from __future__ import annotations

import numpy as np
import pytest

from futura.errors import ModelUnavailable
from futura.llm import media
from futura.llm.models import ModelCall
from tests.llm.conftest import outcomes

pytestmark = pytest.mark.django_db


def test_vectors_have_unit_length_and_follow_the_order_of_the_texts(scripted, llm):
    vectors = llm.embed(["bake bread", "sell bread", "bake bread"], model="text-embedding-3-small")
    assert vectors.shape == (3, 256)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] @ vectors[1] < 0.999
    call = ModelCall.objects.get()
    assert (call.stage, call.wire, call.outcome) == ("embedding", "embeddings", "ok")
    assert call.cost_usd is not None


def test_many_texts_go_in_batches(scripted, llm):
    vectors = llm.embed([f"text {n}" for n in range(600)], model="some-model")
    assert vectors.shape == (600, 256)
    assert [len(request.body["input"]) for request in scripted.requests] == [256, 256, 88]
    assert {call.cost_usd for call in ModelCall.objects.all()} == {None}, "an unknown price"


def test_long_texts_fill_a_batch_sooner():
    long = "x" * (media.BATCH_CHARS // 2)
    assert [len(batch) for batch in media.batches([long] * 5)] == [2, 2, 1]


def test_no_texts_need_no_call(scripted, llm):
    assert llm.embed([], model="m").shape == (0, 0)
    assert scripted.requests == []


def test_a_passing_error_is_tried_again(scripted, llm):
    scripted.on("embedding").status(503).text("")
    assert llm.embed(["a"], model="m").shape == (1, 256)
    assert outcomes() == ["server_error", "ok"]


@pytest.mark.parametrize("vector", [[], [[]], 7, [1e39, 0.5], ["a"], None])
def test_what_is_no_vector_is_not_taken(scripted, llm, vector):
    scripted.on("embedding").json({"data": [{"index": 0, "embedding": vector}]})
    with pytest.raises(ModelUnavailable):
        llm.embed(["a"], model="m")
    assert set(outcomes()) == {"malformed"}


def test_a_recording_becomes_words(scripted, llm):
    scripted.on("transcription").text("I bake bread.")
    assert llm.transcribe(b"OggS....", filename="voice.webm") == "I bake bread."
    [request] = scripted.requests
    assert b'filename="voice.webm"' in request.raw
    assert ModelCall.objects.get().stage == "transcription"


def test_a_recording_without_words_is_no_answer(scripted, llm):
    scripted.on("transcription").text("")
    with pytest.raises(ModelUnavailable):
        llm.transcribe(b"OggS....", filename="voice.webm")
