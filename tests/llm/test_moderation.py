"""Moderation: flagged or not, and what happens where a server has none."""

from __future__ import annotations

import pytest

from futura.errors import ModelUnavailable
from futura.llm import media
from futura.llm.models import ModelCall
from tests.llm.conftest import outcomes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unknown_servers():
    media.forget()


def test_a_harmless_text_passes(scripted, llm):
    assert not llm.moderate("I bake bread.")
    call = ModelCall.objects.get()
    assert (call.stage, call.wire, call.outcome) == ("moderation", "moderations", "ok")
    assert call.cost_usd == 0


def test_a_flagged_text_is_told(scripted, llm):
    scripted.on("moderation").json({"violence": "axe", "harassment": "idiot"})
    assert llm.moderate("I will take my axe.")


def test_a_long_text_is_checked_to_its_end_in_one_request(scripted, llm):
    scripted.on("moderation").json({"violence": "axe"})
    assert llm.moderate("bread " * 5000 + "axe")
    [request] = scripted.requests
    assert "".join(request.body["input"]).endswith("axe")
    assert max(map(len, request.body["input"])) <= media.PIECE_CHARS


@pytest.mark.parametrize(("verdict", "words"), [(False, 5000), (None, 1)])
def test_a_piece_without_a_verdict_is_no_permission(scripted, llm, verdict, words):
    scripted.on("moderation").json([{"flagged": verdict}])
    with pytest.raises(ModelUnavailable):
        llm.moderate("bread " * words)


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_moderation_lets_pass_unchecked_and_is_not_asked_again(
    scripted, llm, status, caplog
):
    scripted.on("moderation").status(status)
    for _ in range(3):
        assert not llm.moderate("I bake bread.")
    assert len(scripted.requests) == 1
    assert "no moderation" in caplog.text


def test_a_failing_endpoint_is_no_permission(scripted, llm):
    scripted.on("moderation").status(500)
    with pytest.raises(ModelUnavailable):
        llm.moderate("I bake bread.")
    assert outcomes() == ["server_error"] * 2


def test_a_passing_failure_is_tried_again(scripted, llm):
    scripted.on("moderation").status(503).json({"violence": "axe"})
    assert llm.moderate("axe")


def test_without_words_nothing_is_asked(scripted, llm):
    assert not llm.moderate("  \n")
    assert scripted.requests == []


def test_without_a_model_the_caller_is_told(settings, llm):
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    with pytest.raises(ModelUnavailable) as caught:
        llm.moderate("I bake bread.")
    assert caught.value.reason == "not_configured"
