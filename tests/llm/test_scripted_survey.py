"""The scripted model plays every stage of the survey against the product's own prompts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
import uuid

import pytest

from chat.guides import Utterance
from onet.candidates import ActivityGroup
from tasks.coding import prompts as pipeline
from tasks.coding.records import SourceTurn
from tasks.interview import prompts
from tasks.interview.state import Card, SurveyState, Tool

pytestmark = pytest.mark.django_db

SAID = "I bake bread for the shop, clean the ovens and I train apprentices. I don't sell anything."


@pytest.fixture
def model(scripted):
    return scripted.default_survey()


@pytest.fixture
def state():
    return SurveyState(job_title="Baker", turn_count=1)


@pytest.fixture
def history():
    return [
        Utterance("assistant", "What does a week look like?", uuid.uuid4()),
        Utterance("user", SAID, uuid.uuid4()),
    ]


@pytest.mark.usefixtures("model")
def test_a_message_is_analysed_by_what_it_says(llm):
    messages = prompts.analysis_messages(
        job_title="Baker",
        message=SAID,
        question="What does a week look like?",
        is_offered=False,
    )
    found = llm.structured("message_analysis", messages, prompts.MessageAnalysis)
    assert found.new_activities == [
        "bake bread for the shop",
        "clean the ovens",
        "train apprentices",
    ]
    assert (found.engagement, found.wants_to_stop) == ("high", False)
    assert ActivityGroup.INTERACTING in found.levels()


@pytest.mark.usefixtures("model")
def test_the_tools_vary_and_end_in_an_offer(llm, state, history):
    def choice(turn, tasks):
        state.turn_count = turn
        messages = prompts.selection_messages(state, history)
        messages[1]["content"] = re.sub(
            r"about \d+ tasks", f"about {tasks} tasks", messages[1]["content"]
        )
        return llm.structured("tool_selection", messages, prompts.ToolChoice).tool

    assert [choice(turn, 3) for turn in (1, 2, 3)] == [
        "encourage_more",
        "custom_question",
        "show_suggestions",
    ]
    assert choice(6, 12) == "offer_to_proceed"


@pytest.mark.usefixtures("model")
def test_gap_questions_do_not_repeat_and_the_reply_asks_what_it_should(llm, state, history):
    asked: list[str] = []
    for _ in range(6):
        messages = prompts.gap_messages(state, history, occupation="Bakers", reference=[])
        messages[1]["content"] += "\n" + "\n".join(f"- {question}" for question in asked)
        gap = llm.structured("gap_analysis", messages, prompts.GapAnalysis)
        asked.append(gap.suggested_question)
    assert len(set(asked)) == 6
    reply = prompts.reply_messages(Tool.CUSTOM, state, history, question=asked[-1])
    text = "".join(llm.stream_text("response", reply))
    assert asked[-1] in text
    assert text.count("?") == 1
    closing = prompts.reply_messages(Tool.PROCEED, state, history)
    assert "?" not in "".join(llm.stream_text("response", closing))


@pytest.mark.usefixtures("model")
def test_five_varied_cards_leave_out_those_that_were_shown(llm, state, history):
    asked = prompts.suggestion_messages(state, history, reference=[], count=5)
    first = llm.structured("suggestions", asked, prompts.SuggestedTasks).suggestions
    state.cards = [
        Card(id=str(number), statement=card.statement, group=ActivityGroup(card.gwa_category))
        for number, card in enumerate(first)
    ]
    asked = prompts.suggestion_messages(state, history, reference=[], count=5)
    second = llm.structured("suggestions", asked, prompts.SuggestedTasks).suggestions
    assert (len(first), len(second)) == (5, 5)
    assert {card.gwa_category for card in first} == {group.value for group in ActivityGroup}
    assert not {card.statement for card in first} & {card.statement for card in second}


@pytest.mark.usefixtures("model")
def test_the_pipeline_finds_words_and_merges_tasks(llm):
    lines = [
        SourceTurn("assistant", "What do you do?", uuid.uuid4()),
        SourceTurn("user", SAID, uuid.uuid4()),
        SourceTurn("assistant", "Anything else?", uuid.uuid4()),
        SourceTurn("user", "Cleaning the ovens, as I said.", uuid.uuid4()),
    ]
    found = llm.structured(
        "extraction", pipeline.extraction_messages("Baker", lines), pipeline.ExtractionAnswer
    ).extracted_tasks
    assert [task.task for task in found][:3] == [
        "bake bread for the shop",
        "clean the ovens",
        "train apprentices",
    ]
    assert {task.message for task in found} == {2, 4}
    assert all(task.quote in (SAID if task.message == 2 else lines[3].text) for task in found)
    worded = llm.structured(
        "normalisation",
        pipeline.normalisation_messages([task.task for task in found]),
        pipeline.NormalisationAnswer,
    ).normalized_tasks
    assert [task.number for task in worded] == [1, 2, 3, 4]
    statements = [task.normalized for task in worded]
    assert statements[:2] == ["Bake bread for the shop", "Clean the ovens"]
    merged = llm.structured(
        "deduplication",
        pipeline.deduplication_messages([*statements, statements[0]]),
        pipeline.DeduplicationAnswer,
    ).deduplicated_tasks
    assert merged[0].merged_from == [1, 5]


def test_it_runs_as_a_process_and_ends_when_asked():
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.scripted", "--port", "0", "--chunk-delay-ms", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip().removeprefix("OPENAI_BASE_URL=")
        with urllib.request.urlopen(f"{address}/models", timeout=10) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        process.stdout.close()
