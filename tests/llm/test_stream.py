"""Streamed answers: what the caller gets of good and bad ones, and what the ledger keeps."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from futura.errors import ModelUnavailable
from futura.llm import quirks, stages
from futura.llm.models import ModelCall
from futura.llm.outcomes import CallFailed, Outcome, retry_after
from futura.llm.protocols.chat import BEGUN, CHAT, in_turn
from futura.llm.protocols.responses import RESPONSES
from futura.llm.protocols.shapes import Answer
from tests.llm.conftest import HELLO, outcomes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wire")]


@pytest.fixture
def put(monkeypatch):
    """Gives a field of the stage another value, as the environment does."""

    def one(field: str, value: str) -> None:
        monkeypatch.setenv(f"FUTURA_STAGE_RESPONSE_{field}", value)
        stages.all_stages.cache_clear()

    yield one
    monkeypatch.undo()
    stages.all_stages.cache_clear()


def say(llm, stage="response"):
    return "".join(llm.stream_text(stage, HELLO, prompt_version="3"))


def test_text_comes_in_order_and_the_ledger_keeps_the_attempt(scripted, llm, wire):
    scripted.on("response").text(
        "Bakers bake bread.", usage={"input": 1000, "cached": 400, "output": 50, "reasoning": 10}
    )
    assert say(llm) == "Bakers bake bread."
    call = ModelCall.objects.get()
    assert (call.stage, call.attempt, call.wire, call.outcome) == ("response", 1, wire, "ok")
    assert (call.model_asked, call.model_returned) == ("gpt-4o", "gpt-4o")
    assert (call.input_tokens, call.cached_input_tokens) == (1000, 400)
    assert (call.output_tokens, call.reasoning_tokens) == (50, 10)
    assert call.cost_usd == Decimal("0.0025")
    assert call.ttft_ms is not None
    assert call.ttft_ms <= call.latency_ms
    assert call.request_id.startswith("req_")
    assert (call.session_id, call.run_id) == (llm.session_id, llm.run_id)
    assert call.prompt_version == "3"


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (
            ("<thi", "nk>\nThey say {hel", "lo}.</th", "ink>", "\n", "\nHello", " <think>."),
            "Hello <think>.",
        ),
        (("<think></think>Hello",), "Hello"),
        (("\n<", "thin", " ice>"), "\n<thin ice>"),
        (("I <think> so.",), "I <think> so."),
        (("<",), "<"),
    ],
)
def test_thoughts_in_a_tag_before_the_words_are_no_words(scripted, llm, pieces, words):
    scripted.on("response").text("".join(pieces), pieces=pieces)
    assert say(llm) == words
    assert outcomes() == ["ok"]


def test_thoughts_whose_opening_tag_the_server_cuts_are_seen_once_at_most(scripted, llm):
    pieces = "They say hel", "lo.\n</think>", "\n\n", "Hello."
    scripted.on("response").text("".join(pieces), pieces=pieces)
    assert say(llm).endswith("Hello.")
    assert say(llm) == "Hello."
    scripted.on("response").text("No thoughts.", pieces=("No tho", "ughts."))
    assert say(llm) == "No thoughts."
    about = "Write them so:\n<think>\nWhy?\n</think>\nThen answer."
    scripted.on("response").text(about, pieces=(about[:20], about[20:]))
    assert say(llm) == about


def test_an_answer_that_shows_both_tags_is_whole_and_tells_nothing_of_its_server(scripted, llm):
    about = "Write them so:\n<think>\nWhy?\n</think>\nThen answer."
    scripted.on("response").text(about)
    assert [say(llm), say(llm)] == [about, about]
    assert not quirks.refused_by(stages.stage("response").model)


@pytest.mark.parametrize(
    "about",
    [
        "The closing one is:\n```xml\n</think>\n```\nNothing follows.",
        "Indent it:\n\n    </think>\n\nNothing follows.",
        "<p>\n</think>\n</p>",
        "Put </think>\nat the end.",
    ],
)
def test_an_answer_that_shows_a_closing_tag_is_whole(scripted, llm, about):
    scripted.on("response").text(about)
    assert [say(llm), say(llm)] == [about, about]
    assert not quirks.refused_by(stages.stage("response").model)


def test_a_model_that_answers_without_thoughts_is_heard_as_it_writes_again(scripted, llm):
    scripted.on("response").text("Repeat this.\n</think>\n\nHello.").text("One. Two.")
    assert [say(llm), say(llm)] == ["Repeat this.\n</think>\n\nHello.", "One. Two."]
    assert not quirks.refused_by(stages.stage("response").model)


def test_thoughts_without_an_opening_tag_that_break_off_are_no_words(scripted, llm):
    scripted.on("response").text("\n</think>\n\nHello.")
    assert say(llm).endswith("Hello.")
    broken = scripted.on("response").failed(after=2, text="What could they mean?")
    broken.text("Why?\n</think>\n\nHello.")
    assert say(llm) == "Hello."
    scripted.on("response").incomplete(text="What could they mean?")
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "incomplete"
    assert quirks.refused_by(stages.stage("response").model)


def test_thoughts_alone_are_no_answer(scripted, llm):
    scripted.on("response").text("<think>What could they mean?")
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "empty"


def test_the_request_carries_the_stage_and_its_settings(scripted, llm, wire):
    scripted.on("response").text("Yes.")
    say(llm)
    [request] = scripted.requests
    assert (request.wire, request.stage, request.model) == (wire, "response", "gpt-4o")
    assert request.body["temperature"] == 0.7
    assert request.body["max_output_tokens" if wire == "responses" else "max_tokens"] == 500
    assert request.messages == HELLO


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_passing_error_before_the_first_text_is_tried_again(scripted, llm, status):
    scripted.on("response").status(status).text("There you are.")
    assert say(llm) == "There you are."
    bad = "rate_limited" if status == 429 else "server_error"
    assert outcomes() == [bad, "ok"]
    assert list(ModelCall.objects.order_by("id").values_list("attempt", flat=True)) == [1, 2]


def test_three_attempts_are_all(scripted, llm):
    scripted.on("response").status(500)
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "server_error"
    assert outcomes() == ["server_error"] * 3
    assert len(scripted.requests) == 3


def test_a_short_retry_after_is_honoured_and_spread(scripted, llm, settings):
    settings.LLM_BACKOFF_S = 0.2  # of which half or more, as chance has it, comes on top
    scripted.on("response").status(429, retry_after=0.1).text("Now.")
    assert say(llm) == "Now."
    first, second = ModelCall.objects.order_by("id")
    assert (second.created_at - first.created_at).total_seconds() >= 0.2


def test_a_long_retry_after_is_not_waited_for(scripted, llm):
    scripted.on("response").status(429, retry_after=60).text("Too late.")
    with pytest.raises(ModelUnavailable):
        say(llm)
    assert outcomes() == ["rate_limited"]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(401, "unauthorised"), (403, "unauthorised"), (400, "bad_request"), (404, "not_found")],
)
def test_an_error_that_will_not_pass_is_not_tried_again(scripted, llm, status, outcome):
    scripted.on("response").status(status)
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == outcome
    assert outcomes() == [outcome]


def test_a_used_up_quota_is_not_tried_again(scripted, llm):
    scripted.on("response").status(429, code="insufficient_quota")
    with pytest.raises(ModelUnavailable):
        say(llm)
    assert outcomes() == ["out_of_quota"]


def test_a_refused_connection_is_tried_again_and_then_given_up(scripted, llm):
    scripted.refuse_connections()
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "unreachable"
    assert outcomes() == ["unreachable"] * 3


def test_what_came_before_the_connection_broke_is_kept(scripted, llm):
    scripted.chunk_delay_s = 0.003  # after the first word the stream rests until long after the end
    scripted.on("response").cut(after=4, text="One two three four five six.")
    received = []
    with pytest.raises(ModelUnavailable) as caught:
        received.extend(llm.stream_text("response", HELLO))
    assert caught.value.reason == "cut"
    assert "".join(received) == "One two three four"
    assert len(received) < 4, "it was read word by word, and nothing had gathered"


def test_more_than_fits_into_one_reading_comes_whole_and_in_order(scripted, llm):
    said = " ".join(f"no{number}" for number in range(800))
    scripted.on("response").text(said)
    received = list(llm.stream_text("response", HELLO))
    assert "".join(received) == said
    assert len(received) < 200, "each reading is one stretch"


def test_an_answer_that_fills_its_limit_is_whole_though_its_end_repeats_it(scripted, llm):
    scripted.chunk_delay_s = 0.05  # the end comes by itself, after the text has been read
    said = " ".join("x" * 1_249 for _ in range(4))  # with its blanks 4,999 of 5,000 characters
    scripted.on("response").text(said)
    assert say(llm) == said


@pytest.mark.parametrize("is_clean", [True, False])
def test_a_cut_after_the_first_text_raises_and_is_never_tried_again(scripted, llm, is_clean):
    scripted.on("response").cut(after=2, text="One two three four.", is_clean=is_clean).text("No.")
    received = []
    with pytest.raises(ModelUnavailable) as caught:
        received.extend(llm.stream_text("response", HELLO))
    assert caught.value.reason == "cut"
    assert "".join(received) == "One two"
    assert outcomes() == ["cut"]


@pytest.mark.parametrize("is_clean", [True, False])
def test_a_cut_before_the_first_text_is_tried_again(scripted, llm, is_clean):
    scripted.on("response").cut(after=0, is_clean=is_clean).text("Whole.")
    assert say(llm) == "Whole."
    assert outcomes() == ["cut", "ok"]


def test_a_reported_failure_before_the_first_text_is_tried_again(scripted, llm):
    scripted.on("response").failed(after=0).text("Recovered.")
    assert say(llm) == "Recovered."
    assert outcomes() == ["failed", "ok"]


def test_a_reported_failure_after_the_first_text_raises(scripted, llm):
    scripted.on("response").failed(after=1).text("No.")
    with pytest.raises(ModelUnavailable):
        say(llm)
    assert outcomes() == ["failed"]


@pytest.mark.parametrize(
    ("reason", "outcome"), [("max_output_tokens", "incomplete"), ("content_filter", "refused")]
)
def test_an_incomplete_answer_is_an_error_not_a_short_answer(scripted, llm, reason, outcome):
    scripted.on("response").incomplete(after=2, reason=reason)
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == outcome
    call = ModelCall.objects.get()
    assert call.outcome == outcome
    assert call.output_tokens is not None, "a broken-off answer has been paid for"


def test_a_refusal_is_not_shown_as_text(scripted, llm):
    scripted.on("response").refuse()
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "refused"
    assert outcomes() == ["refused"]


def test_an_empty_answer_is_an_error(scripted, llm):
    scripted.on("response").empty()
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "empty"
    assert outcomes() == ["empty"]


def test_two_megabytes_are_not_an_answer(scripted, llm):
    scripted.on("response").huge(2_000_000)
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "too_large"
    assert outcomes() == ["too_large"]


def test_bytes_that_are_no_text_are_an_error(scripted, llm):
    scripted.on("response").invalid_utf8()
    with pytest.raises(ModelUnavailable) as caught:
        say(llm)
    assert caught.value.reason == "malformed"
    assert outcomes() == ["malformed"] * 3


def test_an_unsupported_temperature_is_left_out_and_remembered(scripted, llm):
    scripted.refuses_parameter("temperature")
    scripted.on("response").text("Fine.")
    assert say(llm) == "Fine."
    assert say(llm) == "Fine."
    assert outcomes() == ["unsupported", "ok", "ok"]
    assert ["temperature" in r.body for r in scripted.requests] == [True, False, False]


def test_how_long_a_model_reasons_is_said_per_stage_and_left_out_where_it_is_refused(
    scripted, llm, wire, put
):
    scripted.on("response").text("Fine.")
    say(llm)
    put("REASONING", "low")
    say(llm)
    name = "reasoning" if wire == "responses" else "reasoning_effort"
    sent = {"effort": "low"} if wire == "responses" else "low"
    assert [request.body.get(name) for request in scripted.requests] == [None, sent]
    param = "reasoning.effort" if wire == "responses" else name
    scripted.on("response").status(400, code="unsupported_parameter", param=param).text("Fine.")
    assert say(llm) == "Fine."
    assert [name in request.body for request in scripted.requests[2:]] == [True, False]


@pytest.mark.parametrize("status", [400, 500])
def test_a_model_that_wants_people_and_assistant_in_turn_is_asked_so(
    scripted, llm, settings, status
):
    settings.LLM_WIRE = "chat"
    says = "Conversation roles must alternate user/assistant/user/assistant/..."
    scripted.on("response").status(status, message=says).text("Gladly.")
    talk = [
        ("system", "You help."), ("assistant", "Welcome."), ("assistant", "What is it?"),
        ("user", "A cake."), ("user", "With cherries."),
    ]  # fmt: skip
    messages = [{"role": role, "content": text} for role, text in talk]
    assert "".join(llm.stream_text("response", messages)) == "Gladly."
    assert outcomes() == ["unsupported", "ok"]
    first, second = scripted.requests
    assert first.messages == messages
    assert [(item["role"], item["content"]) for item in second.messages] == [
        ("system", "You help."),
        ("user", BEGUN),
        ("assistant", "Welcome.\n\nWhat is it?"),
        ("user", "A cake.\n\nWith cherries."),
    ]


def test_calls_side_by_side_learn_of_turns_each_from_its_own_refusal():
    failure = CallFailed(Outcome.BAD_REQUEST, status=400, server_says="roles must alternate")
    refused = {"model": "m", "messages": [{"role": "assistant", "content": "Welcome."}]}
    assert quirks.learn(failure, refused)
    assert quirks.learn(failure, refused), "the other had gone out before this was known"
    assert not quirks.learn(failure, {**refused, "messages": in_turn(refused["messages"])})


def test_in_turn_a_picture_and_what_follows_a_tool_stay_whole():
    picture = {"type": "image_url", "image_url": {"url": "data:"}}
    look, there = ({"type": "text", "text": text} for text in ("Look.", "There."))
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    assert in_turn(
        [
            {"role": "user", "content": "Look."},
            {"role": "user", "content": [picture, there]},
            call,
            {"role": "tool", "tool_call_id": "1", "content": "Seen."},
            {"role": "user", "content": "Go on."},
        ]
    ) == [
        {"role": "user", "content": [look, picture, there]},
        call,
        {"role": "tool", "tool_call_id": "1", "content": "Seen.\n\nGo on."},
    ]


def test_letters_of_several_bytes_survive_any_chunking(scripted, llm):
    scripted.on("response").text(
        "Größe – naïve 日本 🙂 end.", pieces=tuple("Größe – naïve 日本 🙂 end.")
    )
    assert say(llm) == "Größe – naïve 日本 🙂 end."


def test_a_fallback_model_answers_when_the_first_is_gone(scripted, llm, put):
    put("FALLBACKS", "gpt-4.1,gpt-4o-mini")
    scripted.on("response").status(404, code="model_not_found").text("From the second.")
    assert say(llm) == "From the second."
    assert [request.model for request in scripted.requests] == ["gpt-4o", "gpt-4.1"]
    assert outcomes() == ["not_found", "ok"]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0.05", 0.05),
        ("3", 3),
        ("-3", 0),
        ("", None),
        ("soon", None),
        ("Wed, 21 Oct 2026 07:28:00 -0000", None),
    ],
)
def test_a_server_says_when_to_come_again_in_seconds(header, seconds):
    assert retry_after(header) == seconds


def test_words_that_a_server_gives_in_parts_are_read_without_its_thoughts():
    thoughts = {"type": "thinking", "thinking": [{"type": "text", "text": "Who asks?"}]}
    parts = [thoughts, {"type": "text", "text": "We bake"}, {"type": "text", "text": " bread."}]
    chunk = {"choices": [{"delta": {"content": parts}}]}
    assert CHAT.read(json.dumps(chunk).encode(), Answer()) == "We bake bread."
    event = {"type": "response.output_text.delta", "delta": {"no": "text"}}
    assert RESPONSES.read(json.dumps(event).encode(), Answer()) == ""
