"""The loop with tools: what is called, what the model is told, when it ends."""

from __future__ import annotations

import json
import threading
import time
import uuid
from dataclasses import replace

import pytest
from django.utils import timezone, translation
from pydantic import BaseModel

from futura.errors import ModelUnavailable, NotFound, Unavailable
from futura.llm.client import Cancelled, Llm
from futura.llm.models import ModelCall
from futura.llm.protocols.responses import RESPONSES
from futura.llm.protocols.shapes import Answer
from futura.llm.tools import (
    CallDrafted,
    CallFinished,
    Tool,
    ToolRejected,
)
from tests.extent import some
from tests.llm.conftest import HELLO, outcomes
from tests.scripted import ScriptedCall

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wire")]
STAGE = "response"


class Find(BaseModel):
    """Arguments of a search."""

    words: str
    most: int = 5


class Nothing(BaseModel):
    """A tool without arguments."""


class Shed:
    """Tools for tests, with a note of every call that reached them."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.call_ids: list[str] = []
        self.gate = threading.Event()
        self.entered = threading.Event()

    def find(self, given, call_id):
        self.done.append(given.words)
        self.call_ids.append(call_id)
        return {"found": [given.words] * given.most}

    def place(self, given, call_id):
        return f"{translation.get_language()} {timezone.get_current_timezone_name()}"

    def note(self, given, call_id):
        self.done.append(f"noted {given.words}")
        return "Noted."

    def reject(self, given, call_id):
        self.done.append("asked")
        raise ToolRejected("There is no project of that name.")

    def missing(self, given, call_id):
        raise NotFound

    def broken(self, given, call_id):
        self.done.append("tried")
        raise RuntimeError("secret of the machine room")

    def away(self, given, call_id):
        raise Unavailable

    def long(self, given, call_id):
        return "x" * 50_000

    def strange(self, given, call_id):
        return {"set": {2, 3}, "id": uuid.UUID(int=7), "model": Find(words="a")}

    def slow(self, given, call_id):
        self.entered.set()
        self.gate.wait(20)
        return "At last."

    def tool(self, name, *, writes=False, timeout_s=10.0, arguments=Find, result_chars=8000):
        return Tool(
            name,
            f"Can {name}.",
            arguments,
            getattr(self, name),
            timeout_s=timeout_s,
            writes=writes,
            result_chars=result_chars,
        )


@pytest.fixture
def shed():
    shed = Shed()
    yield shed
    shed.gate.set()


def play(llm, *tools):
    return list(llm.run_tools(STAGE, HELLO, tools, prompt_version="4"))


def finished(events):
    return [event for event in events if isinstance(event, CallFinished)]


def said(events):
    return "".join(event for event in events if isinstance(event, str))


def test_without_calls_it_is_a_streamed_answer(scripted, llm, shed):
    scripted.on(STAGE).text("Bakers bake.")
    events = play(llm, shed.tool("find"))
    assert said(events) == "Bakers bake."
    assert finished(events) == []
    assert scripted.requests[0].tools == ["find"]


def test_a_call_is_made_and_its_result_told_to_the_model(scripted, llm, shed, wire):
    scripted.on(STAGE).calls(
        ScriptedCall("find", {"words": "bread", "most": 2}, id="call_one"), text="Let me look."
    ).text("Two loaves.")
    events = play(llm, shed.tool("find"))
    assert said(events) == "Let me look.\n\nTwo loaves."
    [call] = finished(events)
    assert (call.status, call.is_error, call.result) == (
        "done",
        False,
        '{"found":["bread","bread"]}',
    )
    assert call.call.arguments == Find(words="bread", most=2)
    second = scripted.requests[1]
    assert second.tool_results == {"call_one": call.result}
    assert second.asked_calls == {"call_one": '{"words": "bread", "most": 2}'}
    assert second.messages[-1] == {"role": "assistant", "content": "Let me look."}
    rows = ModelCall.objects.all()
    assert {(row.stage, row.run_id, row.prompt_version) for row in rows} == {
        (STAGE, llm.run_id, "4")
    }
    assert outcomes() == ["ok", "ok"]


@pytest.mark.parametrize("first", ["Let me look.\n", "A"])
def test_words_before_and_after_a_call_are_parted_once(scripted, llm, shed, first):
    scripted.on(STAGE).calls(ScriptedCall("find", {"words": "bread"}), text=first).text("Two.")
    parted = first if first[-1].isspace() else f"{first}\n\n"
    assert said(play(llm, shed.tool("find"))) == f"{parted}Two."


def test_a_tool_speaks_and_counts_days_as_its_turn_does(scripted, llm, shed):
    scripted.on(STAGE).calls(ScriptedCall("place", {})).text("There.")
    tool = shed.tool("place", arguments=Nothing)
    with translation.override("de"), timezone.override("Asia/Tokyo"):
        [call] = finished(play(llm, tool))
    assert call.result == "de Asia/Tokyo"


def test_calls_that_come_with_the_whole_response_only_are_read():
    answer = Answer()
    call = {"type": "function_call", "call_id": "call_one", "name": "find", "arguments": "{}"}
    response = {"status": "completed", "output": [call]}
    RESPONSES.read(
        json.dumps({"type": "response.completed", "response": response}).encode(), answer
    )
    assert [(each.id, each.name) for each in answer.calls] == [("call_one", "find")]


def test_several_calls_of_one_answer_are_made_in_their_order(scripted, llm, shed):
    scripted.on(STAGE).calls(
        ScriptedCall("find", {"words": "one"}),
        ScriptedCall("note", {"words": "two"}),
        ScriptedCall("find", {"words": "three"}),
    ).text("All done.")
    play(llm, shed.tool("find"), shed.tool("note", writes=True))
    assert shed.done == ["one", "noted two", "three"]
    assert len(scripted.requests[1].tool_results) == 3


def test_tools_may_have_no_arguments_and_give_anything_that_json_can_hold(scripted, llm, shed):
    scripted.on(STAGE).call("strange", "").text("Odd.")
    [call] = finished(play(llm, shed.tool("strange", arguments=Nothing)))
    assert call.status == "done"
    assert json.loads(call.result) == {
        "set": [2, 3],
        "id": str(uuid.UUID(int=7)),
        "model": {"words": "a", "most": 5},
    }


def test_ids_are_unique_even_where_a_server_repeats_them(scripted, llm, shed):
    again = ScriptedCall("find", {"words": "a"}, id="call_0")
    scripted.on(STAGE).calls(again, again).calls(again).text("Done.")
    first = finished(play(llm, shed.tool("find")))
    scripted.on(STAGE).calls(again).text("Done.")
    second = finished(play(llm, shed.tool("find")))
    ids = [item.call.id for item in (*first, *second)]
    assert ids[0] == "call_0"
    assert len(set(ids)) == 4
    assert shed.call_ids == ids
    assert set(scripted.requests[-1].tool_results) == {ids[-1]}


def test_a_call_is_told_while_it_is_written_where_its_tool_wants_it(scripted, llm, shed):
    call, seen = ScriptedCall("find", {"words": "bread and butter"}), threading.Event()
    scripted.on(STAGE).calls(
        call, ScriptedCall("note", {"words": "a"}), chunk_delay_s=0.001, hurry=seen
    ).text("There.")
    drafted = replace(shed.tool("find"), is_drafted=True)
    grown = []
    for event in llm.run_tools(STAGE, HELLO, [drafted, shed.tool("note")]):
        if isinstance(event, CallDrafted):
            grown.append(event)
            seen.set()
    assert {item.name for item in grown} == {"find"}
    assert len({item.key for item in grown}) == 1
    assert len(grown) > 1
    assert all(call.written.startswith(item.arguments) for item in grown)
    assert grown[-1].arguments == call.written
    assert shed.done == ["bread and butter", "noted a"]


def test_an_unknown_tool_goes_back_to_the_model(scripted, llm, shed):
    scripted.on(STAGE).call("fly", {"to": "moon"}).text("I cannot fly.")
    events = play(llm, shed.tool("find"))
    [call] = finished(events)
    assert (call.status, call.result) == (
        "unknown_tool",
        "There is no tool of that name. There are: find.",
    )
    assert said(events) == "I cannot fly."
    assert outcomes() == ["bad_call", "ok"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    some(
        [
            ({"most": 3}, "words: missing"),
            ({"words": "a", "most": "many"}, "most: int_parsing"),
            ({"words": "a", "most": 10**30}, "most: int_parsing_size"),
            ('{"words": "a", "most": 1e999}', "json_invalid"),
            ('{"words": "bre', "json_invalid"),
            ("[]", "model_type"),
        ],
        2,
    ),
)
def test_bad_arguments_go_back_to_the_model(scripted, llm, shed, arguments, fault):
    scripted.on(STAGE).call("find", arguments).call("find", {"words": "bread"}).text("There.")
    events = play(llm, shed.tool("find"))
    bad, good = finished(events)
    assert (bad.status, good.status) == ("bad_arguments", "done")
    assert fault in bad.result
    assert shed.done == ["bread"]
    assert outcomes() == ["bad_call", "ok", "ok"]


def test_a_tool_may_say_not_like_this_and_be_tried_again(scripted, llm, shed):
    scripted.on(STAGE).call("reject", {"words": "a"}).call("reject", {"words": "b"}).call(
        "missing", {"words": "c"}
    ).text("Which one?")
    calls = finished(play(llm, shed.tool("reject"), shed.tool("missing")))
    assert [call.status for call in calls] == ["rejected"] * 3
    assert calls[0].result == "There is no project of that name."
    assert shed.done == ["asked", "asked"]


@pytest.mark.parametrize("name", ["broken", "away"])
def test_a_tool_that_failed_for_good_is_not_called_again(scripted, llm, shed, name, caplog):
    scripted.on(STAGE).call(name, {"words": "a"}).call(name, {"words": "b"}).text("It is broken.")
    calls = finished(play(llm, shed.tool(name)))
    assert [call.status for call in calls] == ["failed", "latched"]
    assert "secret" not in "".join(call.result for call in calls)
    assert f"tool {name} failed" in caplog.text
    assert shed.done == (["tried"] if name == "broken" else [])


def test_a_tool_that_gives_no_answer_in_time_is_left_alone(scripted, llm, shed):
    scripted.on(STAGE).call("slow", {"words": "a"}).call("slow", {"words": "b"}).text("Too slow.")
    began = time.monotonic()
    calls = finished(play(llm, shed.tool("slow", timeout_s=0.1)))
    assert [call.status for call in calls] == ["timed_out", "latched"]
    assert time.monotonic() - began < 5


def test_a_late_write_is_said_to_be_of_unknown_outcome(scripted, llm, shed):
    scripted.on(STAGE).call("slow", {"words": "a"}).text("I do not know.")
    [call] = finished(play(llm, shed.tool("slow", timeout_s=0.05, writes=True)))
    assert "Whether it was done is not known" in call.result


def test_long_results_are_cut_with_a_mark(scripted, llm, shed):
    scripted.on(STAGE).call("long", {"words": "a"}).text("Long.")
    [call] = finished(play(llm, shed.tool("long", result_chars=100)))
    assert call.result == "x" * 100 + "… [cut here: 100 of 50,000 characters]"


def test_an_endless_loop_ends_after_six_answers(scripted, llm, shed, wire):
    scripted.on(STAGE).call("find", {"words": "more"})
    with pytest.raises(ModelUnavailable) as caught:
        play(llm, shed.tool("find"))
    assert caught.value.reason == "tool_limit"
    assert len(scripted.requests) == 6
    assert len(shed.done) == 5
    assert [request.body["tool_choice"] for request in scripted.requests] == ["auto"] * 5 + ["none"]
    assert outcomes() == ["ok"] * 5 + ["bad_call"]


def test_the_last_answer_may_not_call_and_closes(scripted, llm, shed):
    def answer(request):
        return "That is all I found."

    script = scripted.on(STAGE)
    for _ in range(5):
        script.call("find", {"words": "more"})
    script.text(answer)
    events = play(llm, shed.tool("find"))
    assert len(scripted.requests) == 6
    assert said(events) == "That is all I found."


def test_twelve_calls_are_all(scripted, llm, shed):
    many = [ScriptedCall("find", {"words": str(number)}) for number in range(20)]
    scripted.on(STAGE).calls(*many).text("Enough.")
    calls = finished(play(llm, shed.tool("find")))
    assert len(shed.done) == 12
    assert [call.status for call in calls] == ["done"] * 12 + ["over_limit"] * 8
    assert scripted.requests[1].body["tool_choice"] == "none"


def test_a_failure_before_anything_is_seen_is_tried_again(scripted, llm, shed):
    scripted.on(STAGE).status(503).call("find", {"words": "a"}).status(503).text("Fine.")
    assert said(play(llm, shed.tool("find"))) == "Fine."
    assert outcomes() == ["server_error", "ok", "server_error", "ok"]
    assert shed.done == ["a"]


def test_a_cut_within_a_call_is_tried_again_and_never_half_made(scripted, llm, shed):
    call = ScriptedCall("note", {"words": "a"})
    scripted.on(STAGE).calls(call, cut=True).calls(call).text("Noted.")
    play(llm, shed.tool("note", writes=True))
    assert shed.done == ["noted a"]
    assert outcomes() == ["cut", "ok", "ok"]


@pytest.mark.parametrize("cut", ["", '{"words": "all of'])
def test_a_call_that_reaches_the_limit_is_not_made_and_gets_more_room(scripted, llm, shed, cut):
    """Without its arguments it might pass for a call that needs none."""
    first = shed.tool("note") if cut else shed.tool("place", arguments=Nothing)
    tools = {tool.name: tool for tool in (first, shed.tool("note"))}
    whole = ScriptedCall("note", {"words": "all of it"})
    script = scripted.on(STAGE)
    for _time in range(2):
        script.calls(ScriptedCall(first.name, cut), is_too_long=True)
    script.calls(whole).text("Noted.")
    events = play(llm, *tools.values())
    assert said(events) == "Noted."
    assert [call.status for call in finished(events)] == ["bad_arguments"] * 2 + ["done"]
    assert shed.done == ["noted all of it"]
    usual, larger, largest, last = (_room(request) for request in scripted.requests)
    assert (larger, largest) == (4 * usual, 16 * usual)
    assert last == usual


def _room(request):
    return request.body.get("max_output_tokens") or request.body["max_tokens"]


@pytest.mark.parametrize("cause", ["text", "write"])
def test_nothing_is_asked_again_after_a_word_or_a_write(scripted, llm, shed, cause):
    script = scripted.on(STAGE)
    if cause == "text":
        script.calls(ScriptedCall("find", {"words": "a"}), text="A moment.")
    else:
        script.call("note", {"words": "a"})
    script.status(503).text("Never asked for.")
    events: list[object] = []
    with pytest.raises(ModelUnavailable) as caught:
        play_into(events, llm, shed.tool("find"), shed.tool("note", writes=True))
    assert caught.value.reason == "server_error"
    assert len(scripted.requests) == 2
    assert [item.status for item in finished(events)] == ["done"], "what was done is known"


def play_into(events, llm, *tools, stop_at=None):
    """Collects events until the end or the error; Stop comes with the first of a kind."""
    for event in llm.run_tools(STAGE, HELLO, tools):
        events.append(event)
        if stop_at is not None and isinstance(event, stop_at):
            llm.cancel.cancel()


def test_a_refused_parameter_is_left_out_even_after_a_write(scripted, llm, shed):
    scripted.refuses_parameter("temperature")
    scripted.on(STAGE).call("note", {"words": "a"}).text("Noted.")
    assert said(play(llm, shed.tool("note", writes=True))) == "Noted."


def test_stop_between_calls_lets_none_follow(scripted, llm, shed):
    scripted.on(STAGE).calls(*(ScriptedCall("find", {"words": word}) for word in "abc"))
    with pytest.raises(Cancelled):
        play_into([], llm, shed.tool("find"), stop_at=CallFinished)
    assert shed.done == ["a"]
    assert len(scripted.requests) == 1


def test_stop_within_a_call_ends_the_waiting_at_once(scripted, llm, shed):
    scripted.on(STAGE).call("slow", {"words": "a"})
    stop_when(shed.entered, llm)
    began = time.monotonic()
    with pytest.raises(Cancelled):
        play(llm, shed.tool("slow"))
    assert time.monotonic() - began < 5


def test_stop_within_a_write_waits_for_its_end_and_tells_it(scripted, llm, shed):
    scripted.on(STAGE).call("slow", {"words": "a"})
    stop_when(shed.entered, llm)
    events: list[object] = []
    with pytest.raises(Cancelled), llm.cancel.calling(shed.gate.set):
        play_into(events, llm, shed.tool("slow", writes=True))
    assert [item.status for item in finished(events)] == ["done"]


def stop_when(event, llm):
    threading.Thread(target=lambda: (event.wait(60), llm.cancel.cancel())).start()


def test_stop_within_the_models_words_closes_the_stream(scripted, shed):
    llm = Llm()
    scripted.on(STAGE).stall(after=1, text="One two")
    with pytest.raises(Cancelled):
        play_into([], llm, shed.tool("find"), stop_at=str)
    assert scripted.wait_for_hang_ups(1)


def test_closing_the_iterator_closes_the_stream(scripted, llm, shed):
    scripted.on(STAGE).stall(after=1, text="One two")
    events = llm.run_tools(STAGE, HELLO, [shed.tool("find")])
    next(events)
    events.close()
    assert scripted.wait_for_hang_ups(1)
    assert outcomes() == ["cancelled"]


def test_two_tools_of_one_name_are_a_programming_error(scripted, llm, shed):
    with pytest.raises(ValueError, match="same name"):
        play(llm, shed.tool("find"), shed.tool("find"))


def test_thoughts_of_a_reasoning_model_come_along(scripted, llm, shed, wire, monkeypatch):
    from futura.llm import stages

    monkeypatch.setenv("FUTURA_STAGE_RESPONSE_MODEL", "gpt-5-mini")
    stages.all_stages.cache_clear()
    try:
        scripted.on(STAGE).call("find", {"words": "a"}).text("Fine.")
        play(llm, shed.tool("find"))
    finally:
        monkeypatch.undo()
        stages.all_stages.cache_clear()
    asked = scripted.requests[0].body.get("include")
    assert asked == (["reasoning.encrypted_content"] if wire == "responses" else None)
