"""The order of a prompt's parts, and the key under which providers keep its beginning."""

from __future__ import annotations

import uuid

import pytest

from futura.llm.client import ChatMessage, Llm
from futura.llm.order import Changes, shared_share, stable_first
from tests.llm.conftest import GOOD, HELLO, Verdict, outcomes


def said(role, text) -> ChatMessage:
    return {"role": role, "content": text}


def parts(turn):
    return [
        (Changes.ALWAYS, said("system", f"Turn {turn}, three tasks so far.")),
        (Changes.NEVER, said("system", "You interview people about their work." * 20)),
        *((Changes.GROWS, said("user", f"Message {number}. " * 10)) for number in range(turn)),
        (Changes.SELDOM, said("system", "The person is a baker.")),
        (Changes.SELDOM, said("system", "  ")),
        (Changes.ALWAYS, said("user", f"Message {turn}.")),
    ]


def test_what_changes_least_comes_first_and_the_rest_keeps_its_order():
    texts = [message["content"][:12] for message in stable_first(parts(2))]
    assert texts == [
        "You intervie",
        "The person i",
        "Message 0. M",
        "Message 1. M",
        "Turn 2, thre",
        "Message 2.",
    ]


def test_so_most_of_a_prompt_is_the_same_as_the_turn_before():
    ordered = shared_share(stable_first(parts(8)), stable_first(parts(9)))
    unordered = shared_share([m for _, m in parts(8)], [m for _, m in parts(9)])
    assert ordered > 0.8
    assert unordered < 0.1


@pytest.mark.django_db
@pytest.mark.usefixtures("wire")
def test_turns_of_one_conversation_share_a_key_and_others_do_not(scripted):
    session = uuid.uuid4()
    scripted.on("response").text("Yes.")
    for one in (session, session, uuid.uuid4()):
        list(Llm(session_id=one).stream_text("response", HELLO))
    keys = [request.body["prompt_cache_key"] for request in scripted.requests]
    assert keys[0] == keys[1] != keys[2]
    assert str(session) not in keys[0]


@pytest.mark.django_db
@pytest.mark.usefixtures("wire")
def test_a_server_that_does_not_know_the_key_is_asked_without_it(scripted, llm):
    scripted.refuses_parameter("prompt_cache_key")
    scripted.on("tool_selection").json(GOOD)
    assert llm.structured("tool_selection", HELLO, Verdict).word == "bake"
    assert outcomes() == ["unsupported", "ok"]
    assert "prompt_cache_key" not in scripted.requests[-1].body
