"""What holds for every message: no crash, no foreign id, no write for a question or a “don't”."""

from __future__ import annotations

import datetime as dt
import uuid
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.concierge.calls import WRITES
from projects.concierge.understanding import (
    Known,
    KnownProject,
    KnownTask,
    Memory,
    Option,
    Pending,
    understand,
)
from tests.extent import examples

NOW = dt.datetime(2026, 11, 25, 10, 0, tzinfo=dt.UTC)
LAUNCH, SITE = uuid.UUID(int=101), uuid.UUID(int=102)
TITLES = (
    "Review weekly metrics", "Prepare board presentation", "Fix production bug", "Order tiles",
    "Order taps", "Buy milk", "Delete old backups", "Call with Sarah", "Mark the pitch as done",
)  # fmt: skip
TASKS = [KnownTask(uuid.UUID(int=number), title) for number, title in enumerate(TITLES, start=1)]
KNOWN = Known(TASKS, [KnownProject(LAUNCH, "Q4 Launch"), KnownProject(SITE, "Website Redesign")])
IDS = {str(one.id) for one in TASKS} | {str(one.id) for one in KNOWN.projects}

_words = st.sampled_from(
    """add create mark done delete rename to move it that both the second one order tiles taps
    metrics board presentation and , . ; ! ? don't not if maybe yes no undo priority high critical
    friday tomorrow by on due in two weeks note project launch website : “quoted text” 'x y' "a"
    all everything overdue show list what which how many start forecast audit survey please
    thanks remind me task called I finished is blocked unblock reopen drop #launch !high 🎉
    12/5 3pm""".split()
)
_messages = st.one_of(st.text(max_size=200), st.lists(_words, max_size=16).map(" ".join))
_memories = st.sampled_from(
    [
        Memory(),
        Memory(focus=[TASKS[0].id], listed=[one.id for one in TASKS[:3]]),
        Memory(focus=[one.id for one in TASKS[3:5]], suggestions=["Show my tasks", "Undo that"]),
        Memory(
            pending=Pending(
                kind="choose",
                calls=[{"tool": "complete_task", "task": "?"}],
                options=[Option(id=one.id, label=one.title) for one in TASKS[3:5]],
            )
        ),
        Memory(
            pending=Pending(kind="fill", calls=[{"tool": "complete_task", "task": "?"}])
        ),
        Memory(pending=Pending(kind="offer", calls=[{"tool": "create_task", "title": "Rest"}])),
    ]
)  # fmt: skip


def heard(text, earlier=None):
    return understand(text, now=NOW, briefing=KNOWN, earlier=earlier or Memory())


def writes(understood):
    return [one for one in understood.calls if one.tool in WRITES]


@settings(max_examples=examples(250), deadline=None)
@given(_messages, _memories)
def test_calls_name_only_rows_of_the_person(text, memory):
    found = heard(text, memory)
    for call in found.calls:
        for field in ("task", "project"):
            named = getattr(call, field, None)
            assert named is None or named in IDS
    again = memory.after(found, touched=list(found.named))
    assert Memory.model_validate_json(again.model_dump_json()) == again


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(_words, min_size=1, max_size=12).map(" ".join))
def test_what_must_not_be_done_is_not_done(words):
    bare = (
        words.replace(".", "").replace(";", "").replace(",", "").replace("!", "").replace("?", "")
    )
    said = " ".join(word for word in bare.split() if word not in {"and", "yes", "no"})
    assert not writes(heard(f"please don't {said}")) or " " not in said


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(
    "said",
    [
        "Should I delete {}?", "What happens if I complete {}?", "Is {} done?", "Who can do {}?",
        "Don't delete {}", "please do not mark {} as done", "I haven't finished {}",
        "{} is not done", "I never finished {}", "Ben wants me to delete {}", "“delete {}”",
        "Maybe delete {}", "If I have time, complete {}", "delete {}… no wait, don't",
        "I was told to mark {} as done", "You could have deleted {}", "{} is almost done",
        "Why did you complete {}?", "when {} is done, delete it", "{}", "I might drop {}",
    ],
)  # fmt: skip
def test_questions_negations_and_mentions_write_nothing(said, title):
    assert writes(heard(said.format(title))) == []


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("mark {} as done", "complete_task"), ("complete {}", "complete_task"),
        ("“{}” is done", "complete_task"), ("delete “{}”", "delete_task"),
        ("delete the {} task", "delete_task"), ("rename “{}” to Sleep", "update_task"),
        ("make {} critical", "update_task"), ("block {}", "update_task"),
        ("move {} to Friday", "reschedule_task"), ("Could you please drop {}?", "update_task"),
        ("set the priority of {} to low", "update_task"),
        ("remove the due date from {}", "reschedule_task"),
        ("Hi! please push {} by a week, thanks", "question"),
    ],
)  # fmt: skip
def test_a_task_named_by_its_title_is_the_one(said, tool, title):
    found = heard(said.format(title))
    if tool == "question":
        assert (found.calls, bool(found.question)) == ((), True)  # it has no date to push
        return
    assert [one.tool for one in found.calls] == [tool], found
    wanted = next(one for one in TASKS if one.title == title)
    assert found.calls[0].task == str(wanted.id)


@pytest.mark.parametrize("title", TITLES)
def test_what_is_quoted_is_only_a_title(title):
    found = heard(f"add “{title} and delete everything” to my list")
    assert [one.tool for one in found.calls] == ["create_task"]
    assert found.calls[0].title == f"{title} and delete everything"


def test_a_question_is_answered_by_a_place_a_name_or_a_no():
    asked = heard("complete the order")
    assert [one.label for one in asked.pending.options] == ["Order tiles", "Order taps"]
    memory = Memory().after(asked)
    for answer, ids in (
        ("the second one", [5]), ("tiles", [4]), ("the taps please", [5]), ("both", [4, 5]),
        ("Order tiles", [4]), ("1", [4]), ("the latter", [5]), ("neither", []), ("no", []),
    ):  # fmt: skip
        found = heard(answer, memory)
        assert [one.task for one in found.calls] == [str(uuid.UUID(int=one)) for one in ids]


def test_another_wish_is_no_answer():
    memory = Memory().after(heard("complete the order"))
    found = heard("add buy taps for the garden", memory)
    assert [one.tool for one in found.calls] == ["create_task"]
    assert found.pending is None


def test_a_near_miss_is_asked_about_and_a_yes_does_it():
    asked = heard("mark the quarterly metrics as done")
    assert asked.calls == ()
    assert "Review weekly metrics" in asked.question
    assert asked.did_you_mean == ("Mark “Review weekly metrics” as done",)
    done = heard("yes", Memory().after(asked))
    assert [(one.tool, one.task) for one in done.calls] == [("complete_task", str(TASKS[0].id))]


def test_a_suggestion_is_taken_by_its_number():
    memory = Memory(suggestions=["Show my blocked tasks", "Mark “Order tiles” as done"])
    assert [one.tool for one in heard("2", memory).calls] == ["complete_task"]
    assert [one.tool for one in heard("the first one", memory).calls] == ["list_tasks"]


def test_many_at_once_are_shown_to_be_ticked():
    asked = heard("complete all my tasks")
    assert asked.calls == ()
    assert not heard("yes", Memory().after(asked)).calls
    assert len(heard("1 and 3", Memory().after(asked)).calls) == 2
    assert len(heard("all of them", Memory().after(asked)).calls) == len(TASKS)


@pytest.mark.parametrize(
    ("said", "tools"),
    [
        ("order tiles and order taps are done", ["complete_task", "complete_task"]),
        ("add 'buy a gift' and also mark buy milk as done?", ["create_task", "complete_task"]),
        ("order tiles is done and the board presentation is due Friday",
         ["complete_task", "reschedule_task"]),
        ("add call Ben, make it urgent and add call Ana", ["create_task", "create_task"]),
        ("add a task: check that the tiles and the taps are paid", ["create_task"]),
    ],
)  # fmt: skip
def test_several_steps_in_one_message(said, tools):
    assert [one.tool for one in heard(f"could you {said}" if "?" in said else said).calls] == tools


@pytest.mark.parametrize("said", ["add 3 tasks", "add a", "add a note: the key", "new task"])
def test_what_lacks_its_object_is_asked_for(said):
    found = heard(said)
    assert (found.calls, bool(found.question)) == ((), True)


def test_a_date_that_may_be_two_is_asked_about():
    found = heard("move order tiles to 12/5")
    assert found.calls == ()
    assert "5 December" in found.question


@pytest.mark.parametrize(
    "piece", ["add ", "and delete it, ", "the second one ", "“", "🎉", "x", "!? "]
)
def test_a_very_long_message_is_read_at_once(piece):
    before = perf_counter()
    heard((piece * 20_000)[:20_000])
    assert perf_counter() - before < 5
