"""A model server that has no room for a while: its matches are looked up later, not by rules."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from futura import durable
from futura.llm import breaker
from futura.llm.client import Llm
from onet.matching import code
from tasks.coding import matching, queue, run
from tasks.models import Lookup, SurveyResponse, TaskMatch
from tests.extent import some
from tests.tasks.coding.test_model import capitalised, found, merge

Status, Method = TaskMatch.Status, TaskMatch.Method
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("starter")]
PICK = {"bestIndex": 0, "confidence": "high", "reasoning": "The same work."}


@pytest.fixture
def listed(survey, scripted, settings) -> SurveyResponse:
    """A list that a model made, of two tasks; it has answered everything so far."""
    settings.LLM_BREAKER_FAILURES = 100
    scripted.on("extraction").json(
        found(("write reports", 2, "I write reports"), ("review contracts", 2, "review contracts"))
    )
    scripted.on("normalisation").json(capitalised)
    scripted.on("deduplication").json(merge())
    response = survey()
    run.process(response.pk)
    response.refresh_from_db()
    assert response.basic_mode is False
    return response


def matches(response: SurveyResponse) -> list[tuple[str, str]]:
    rows = TaskMatch.objects.filter(task__response=response).order_by("task__position")
    return list(rows.values_list("status", "method"))


def fall_silent(*, after: timedelta = timedelta()) -> None:
    """As if the worker of what is left had been away for long."""
    for lookup in Lookup.objects.all():
        lookup.seen_at -= durable.SILENT_FOR + timedelta(seconds=1)
        lookup.since -= after
        lookup.save()


def test_matches_that_were_all_refused_are_looked_up_later_by_the_model(listed, scripted, drain):
    scripted.on("match_selection").status(429)
    assert matching.match_responses(listed.pk) == 0
    assert matches(listed) == [(Status.PENDING, "")] * 2
    assert matching.match_responses(listed.pk) == 0, "at once nobody asks again"
    assert len(scripted.of("match_selection")) == 2 * 3
    scripted.on("match_selection").json(PICK)
    fall_silent()
    assert queue.sweep() == 2
    drain()
    assert matches(listed) == [(Status.MATCHED, Method.MODEL)] * 2
    assert not Lookup.objects.exists()


def test_a_server_that_has_no_room_for_long_leaves_the_choice_to_the_rules(listed, scripted, drain):
    scripted.on("match_selection").status(429)
    matching.match_responses(listed.pk)
    fall_silent(after=matching.PATIENCE)
    queue.sweep()
    drain()
    assert {status for status, _method in matches(listed)} <= {Status.MATCHED, Status.NONE}
    assert {method for _status, method in matches(listed)} == {Method.RULES}
    assert not Lookup.objects.exists()


def test_only_what_was_refused_waits(listed, scripted):
    scripted.on("match_selection").json(PICK).status(429)
    assert matching.match_responses(listed.pk) == 1
    assert sorted(status for status, _method in matches(listed)) == [Status.MATCHED, Status.PENDING]


def test_the_english_that_a_search_needs_is_asked_for_later_too(listed, scripted, drain):
    listed.session.state["language"] = "de"
    listed.session.save()
    scripted.on("normalisation").status(429)
    scripted.on("match_selection").json(PICK)
    assert matching.match_responses(listed.pk) == 0
    assert matches(listed) == [(Status.PENDING, "")] * 2
    scripted.on("normalisation").json(capitalised)
    fall_silent()
    queue.sweep()
    drain()
    assert matches(listed) == [(Status.MATCHED, Method.MODEL)] * 2


@pytest.mark.parametrize("status", some([400, 500], 2))
def test_a_server_that_fails_otherwise_leaves_the_choice_to_the_rules(listed, scripted, status):
    scripted.on("match_selection").status(status)
    assert matching.match_responses(listed.pk) == 2
    assert {method for _status, method in matches(listed)} == {Method.RULES}


@pytest.mark.parametrize("is_by_model", [True, False])
def test_an_open_circuit_is_waited_for_where_the_model_made_the_list(
    listed, scripted, settings, drain, monkeypatch, is_by_model
):
    SurveyResponse.objects.update(basic_mode=not is_by_model)
    settings.LLM_BREAKER_FAILURES, settings.LLM_BREAKER_OPEN_S = 1, 60
    scripted.on("match_selection").status(500)
    code("file letters", llm=Llm())
    assert matching.match_responses(listed.pk) == (0 if is_by_model else 2)
    monkeypatch.setattr(breaker, "_now_ms", lambda: round((time.time() + 61) * 1000))
    scripted.on("match_selection").json(PICK)
    fall_silent()
    queue.sweep()
    drain()
    method = Method.MODEL if is_by_model else Method.RULES
    assert {method for _status, method in matches(listed)} == {method}
