"""The pipeline from a conversation to rows, by rules: what it writes, and twice is harmless."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import Message, Session
from futura import durable
from onet.candidates import ActivityGroup
from onet.models import TaskStatement
from tasks.actions import start_pipeline
from tasks.coding import run
from tasks.coding.matching import match_responses
from tasks.coding.queue import sweep
from tasks.interview.state import Card
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.tasks import changing
from tests.tasks.coding.conftest import say

Step = SurveyResponse.Step
pytestmark = pytest.mark.django_db

CARD = Card(id="c1", statement="Order supplies for the office", group=ActivityGroup.WORK_OUTPUT)
DOUBLE = Card(id="c2", statement="Review contracts", group=ActivityGroup.MENTAL_PROCESSES)


def statements(response: SurveyResponse) -> list[str]:
    return list(response.tasks.order_by("position").values_list("statement", flat=True))


def test_a_conversation_becomes_statements_with_the_words_they_came_from(survey, starter):
    response = survey()
    assert run.process(response.pk) is True
    response.refresh_from_db()
    assert response.step == Step.DONE
    assert response.basic_mode is True
    assert statements(response) == [
        "Write reports",
        "Review contracts",
        "Train colleagues",
        "Run workshops",
    ]
    for task in response.tasks.all():
        assert task.quote in task.message.text
        assert task.message.role == Message.Role.PERSON
        assert task.source == WorkTask.Source.CHAT
        assert task.group in ActivityGroup.values
        assert task.group == task.groups[0]
        assert task.match.status == TaskMatch.Status.PENDING
    assert response.tasks.get(statement="Train colleagues").quote == "both"


def test_a_second_run_of_the_same_job_changes_nothing(survey):
    response = survey()
    run.process(response.pk)
    before = list(response.tasks.order_by("pk").values())
    assert run.process(response.pk) is False
    assert list(response.tasks.order_by("pk").values()) == before


def test_starting_again_without_news_adds_nothing(survey):
    response = survey()
    run.process(response.pk)
    before = list(response.tasks.order_by("pk").values())
    assert start_pipeline(response.pk) is True
    assert run.process(response.pk) is True
    assert list(response.tasks.order_by("pk").values()) == before


def test_what_is_said_later_is_added_and_edits_and_deletions_stay(survey):
    response = survey()
    run.process(response.pk)
    edited = response.tasks.get(statement="Write reports")
    changing.change(edited, statement="Compose the yearbook")
    changing.take_off(response.tasks.get(statement="Review contracts"))
    say(response.session, "assistant", "Anything else?")
    say(response.session, "user", "I write reports, review contracts and sell insurance.")
    start_pipeline(response.pk)
    run.process(response.pk)
    living = response.tasks.filter(deleted_at=None).order_by("position")
    assert list(living.values_list("statement", flat=True)) == [
        "Compose the yearbook",
        "Train colleagues",
        "Run workshops",
        "Sell insurance",
    ]


def test_an_answer_after_the_first_run_is_read_with_the_question_before_it(survey):
    response = survey([*_TALK_WITH_QUESTION])
    run.process(response.pk)
    say(response.session, "user", "the second")
    start_pipeline(response.pk)
    run.process(response.pk)
    assert statements(response) == ["Sell bread", "Drive the van"]


_TALK_WITH_QUESTION = (
    ("user", "I sell bread."),
    ("assistant", "Do you bake cakes or drive the van?"),
)


def test_what_the_button_of_the_cards_says_is_no_task_in_whatever_language_it_was(survey):
    heading = "Von den Vorschlägen treffen diese auf mich zu:"  # the worker's language is English
    talk = [("user", f"{heading}\n• {CARD.statement}")]
    response = survey(talk, cards=[CARD], picked=["c1"])
    Session.objects.update(state={**response.session.state, "language": "de"})
    run.process(response.pk)
    assert statements(response) == [CARD.statement]


def test_picked_cards_join_unless_they_double_a_told_task(survey):
    response = survey(cards=[CARD, DOUBLE], picked=["c1", "c2"])
    run.process(response.pk)
    card = response.tasks.get(source=WorkTask.Source.SUGGESTION)
    assert card.statement == card.quote == CARD.statement
    assert card.suggestion_id == "c1"
    assert statements(response).count("Review contracts") == 1
    start_pipeline(response.pk)
    run.process(response.pk)
    assert response.tasks.filter(source=WorkTask.Source.SUGGESTION).count() == 1


def test_a_card_whose_words_the_catalogue_lacks_keeps_its_kind_of_work(survey, starter):
    """As the cards of basic mode in German do: the catalogue is English."""
    card = Card(id="c1", statement="Nachschlagen", group=ActivityGroup.INFORMATION_INPUT)
    response = survey([("user", "Keine Ahnung")], cards=[card], picked=["c1"])
    run.process(response.pk)
    match_responses(response.pk)
    task = response.tasks.get(suggestion_id="c1")
    assert task.match.status == TaskMatch.Status.NONE
    assert (task.group, task.groups) == ("informationInput", ["informationInput"])


def test_a_card_from_the_catalogue_has_the_match_that_it_was_taken_from(survey, starter):
    cards = [
        Card(id=f"c{number}", statement=row.text, group=DOUBLE.group, task_id=row.task_id)
        for number, row in enumerate(TaskStatement.objects.order_by("task_id")[:2], start=1)
    ]
    response = survey([("user", "Keine Ahnung")], cards=cards, picked=["c2"])
    run.process(response.pk)
    assert response.tasks.get(suggestion_id="c2").match.onet_task_id == cards[1].task_id


def test_a_message_that_names_picked_cards_does_not_count_them_twice(survey):
    talk = [("assistant", "Which of these?"), ("user", f"I picked these:\n- {CARD.statement}")]
    response = survey(talk, cards=[CARD], picked=["c1"])
    shown = response.session.messages.get(seq=1)
    shown.parts = [{"type": "suggestions", "cards": [{"id": "c1"}]}]
    shown.save()
    run.process(response.pk)
    assert response.tasks.get().message == shown
    assert statements(response) == [CARD.statement]
    assert response.tasks.get().source == WorkTask.Source.SUGGESTION


def test_doubles_are_merged_and_say_why(survey):
    response = survey([("user", "I clean the floors."), ("user", "I also wash floors daily.")])
    run.process(response.pk)
    task = response.tasks.get()
    (merged,) = task.merged_from
    assert merged["quote"] in {"clean the floors", "wash floors"}
    assert merged["reason"].endswith(".")


@pytest.mark.parametrize("talk", [[], [("assistant", "What do you do?")], [("user", "hello!")]])
def test_a_conversation_without_tasks_ends_ready_and_empty(survey, talk):
    response = survey(talk)
    run.process(response.pk)
    response.refresh_from_db()
    assert response.step == Step.DONE
    assert response.step_error == ""
    assert response.tasks.count() == 0


def test_markup_in_a_message_is_text_like_any_other(survey):
    response = survey([("user", "<script>alert(1)</script> I <b>repair bikes</b> & sell 'em.")])
    run.process(response.pk)
    quotes = [task.quote for task in response.tasks.all()]
    assert any("repair bikes" in quote for quote in quotes)
    assert all(quote in response.session.messages.get().text for quote in quotes)


def test_a_message_of_ten_thousand_characters_goes_through(survey):
    text = ("I mend shoes and stitch bags, then I polish boots. " * 250)[:10_000]
    response = survey([("user", text)])
    run.process(response.pk)
    assert statements(response) == ["Mend shoes", "Stitch bags", "Polish boots"]


def test_a_run_that_another_worker_holds_is_left_alone(survey):
    response = survey()
    SurveyResponse.objects.filter(pk=response.pk).update(
        lease=uuid.uuid4(), heartbeat_at=timezone.now(), step=Step.NORMALISING
    )
    assert run.process(response.pk) is False
    assert response.tasks.count() == 0


def test_a_run_whose_worker_died_between_steps_is_taken_up_again(survey):
    response = survey()
    long_ago = timezone.now() - durable.SILENT_FOR - timedelta(seconds=1)
    SurveyResponse.objects.filter(pk=response.pk).update(
        lease=uuid.uuid4(), heartbeat_at=long_ago, step=Step.NORMALISING
    )
    assert run.process(response.pk) is True
    assert len(statements(response)) == 4


def test_a_worker_that_wakes_after_its_lease_was_taken_writes_nothing(survey):
    response = survey()
    sleeper = uuid.uuid4()
    SurveyResponse.objects.filter(pk=response.pk).update(lease=sleeper, heartbeat_at=timezone.now())
    SurveyResponse.objects.filter(pk=response.pk).update(lease=uuid.uuid4())
    held = SurveyResponse.objects.filter(pk=response.pk, lease=sleeper)
    with pytest.raises(durable.LeaseLost), run._Run(response.pk, held) as late:
        late.perform()
    response.refresh_from_db()
    assert response.step == Step.QUEUED
    assert response.tasks.count() == 0


def test_a_step_that_fails_says_so_and_can_be_tried_again(survey):
    response = survey()
    good = response.session.state
    response.session.state = {"cards": "not a list"}
    response.session.save()
    with pytest.raises(ValueError, match="cards"):
        run.process(response.pk)
    response.refresh_from_db()
    assert response.step == Step.FAILED
    assert response.step_error
    response.session.state = good
    response.session.save()
    assert start_pipeline(response.pk) is True
    response.refresh_from_db()
    assert response.step_error == ""
    run.process(response.pk)
    assert len(statements(response)) == 4


def test_a_running_or_submitted_response_is_not_started_again(survey):
    response = survey(step=Step.EXTRACTING)
    assert start_pipeline(response.pk) is False
    SurveyResponse.objects.filter(pk=response.pk).update(
        step=Step.DONE, submitted_at=timezone.now()
    )
    assert start_pipeline(response.pk) is False
    assert start_pipeline(uuid.uuid4()) is False


def test_a_task_more_costs_no_more_than_its_own_rows(survey):
    """Two rows a task, each written by the ledger at once; everything else is asked once."""
    few = survey([("user", "I mend shoes.")])
    verbs = ["bake", "weld", "sew", "plant", "sell", "pack", "paint", "mop", "iron", "count"]
    many = survey([("user", "I " + ", ".join(f"{verb} {verb}er parts" for verb in verbs) + ".")])
    counts = []
    for response in (few, many):
        with CaptureQueriesContext(connection) as queries:
            run.process(response.pk)
        counts.append(len(queries))
    more = many.tasks.count() - few.tasks.count()
    assert more >= 7
    assert counts[1] - counts[0] <= 2 * more


def test_the_sweep_announces_only_what_nobody_makes(survey):
    waiting, held, fresh = survey(), survey(step=Step.EXTRACTING), survey()
    past = timezone.now() - timedelta(seconds=30)
    SurveyResponse.objects.filter(pk=waiting.pk).update(updated_at=past)
    SurveyResponse.objects.filter(pk=held.pk).update(
        lease=uuid.uuid4(), heartbeat_at=timezone.now(), updated_at=past
    )
    assert fresh.step == Step.QUEUED
    assert sweep() == 1
    assert sweep() == 0


@pytest.mark.django_db(transaction=True)
def test_a_heart_beats_while_the_work_lasts(survey, monkeypatch):
    monkeypatch.setattr(durable, "BEAT_S", 0.01)
    response = survey()
    mine = SurveyResponse.objects.filter(pk=response.pk)
    long_ago = timezone.now() - timedelta(days=1)
    mine.update(heartbeat_at=long_ago)
    with durable.beating(mine):
        for _ in range(1000):
            if mine.get().heartbeat_at != long_ago:
                break
            time.sleep(0.01)
    assert mine.filter(heartbeat_at__gt=long_ago).exists()
    mine.update(heartbeat_at=long_ago)
    assert mine.get().heartbeat_at == long_ago  # and it has stopped
