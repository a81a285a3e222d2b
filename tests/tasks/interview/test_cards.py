"""Picking cards: by id, only shown ones, safe while an answer is being made."""

import uuid

import pytest

from chat.models import Participant, Session
from futura.errors import BadInput
from tasks.interview.cards import naming, select
from tasks.interview.guide import SurveyGuide
from tasks.interview.state import SurveyState
from tests.tasks.interview.talking import shown_cards


@pytest.fixture
def session(db):
    state = SurveyState(
        job_title="Clerk", cards=[*shown_cards(), *shown_cards(display=2)], suggestions_shown=2
    )
    return Session.objects.create(
        participant=Participant.objects.create(),
        kind="survey",
        state=state.model_dump(mode="json", by_alias=True),
    )


def picked(session):
    session.refresh_from_db()
    return session.state["selectedSuggestionIds"]


def test_a_selection_replaces_the_one_before(session):
    select(session=session, ids=["card-1-2", "card-1-1", "card-1-1"])
    assert picked(session) == ["card-1-1", "card-1-2"]
    select(session=session, ids=["card-2-5"])
    assert picked(session) == ["card-2-5"]
    select(session=session, ids=[])
    assert picked(session) == []


@pytest.mark.parametrize("bad", ["card-9-9", "", str(uuid.UUID(int=1)), "<b>"])
def test_an_id_that_was_never_shown_is_refused_and_changes_nothing(session, bad):
    select(session=session, ids=["card-1-1"])
    with pytest.raises(BadInput):
        select(session=session, ids=["card-1-2", bad])
    assert picked(session) == ["card-1-1"]


def test_one_display_is_replaced_and_the_others_stay(session):
    select(session=session, ids=["card-1-1", "card-2-1"])
    part = {"cards": [{"id": f"card-2-{n}"} for n in range(1, 6)]}
    select(session=session, part=part, ids=["card-2-3"])
    assert picked(session) == ["card-1-1", "card-2-3"]
    with pytest.raises(BadInput):
        select(session=session, part=part, ids=["card-1-2"])


def test_the_message_names_the_cards_that_are_new(session):
    assert naming(session) == ""
    select(session=session, ids=["card-1-1", "card-2-1"])
    session.refresh_from_db()
    session.state["acknowledgedIds"] = ["card-1-1"]
    lines = naming(session).splitlines()
    assert lines[1:] == ["• Handle matter number alpha"]


def test_a_card_tapped_while_the_guide_answers_is_kept():
    before = {"selectedSuggestionIds": ["a", "b"]}
    saved = {"selectedSuggestionIds": ["b", "c"]}  # a was released, c tapped meanwhile
    state = SurveyState(selected_suggestion_ids=["a", "b", "d"])  # d was confirmed by words
    merged = SurveyGuide().merge_saved(before=before, saved=saved, state=state)
    assert merged.selected_suggestion_ids == ["b", "c", "d"]


def test_a_card_that_words_gave_back_stays_so_when_another_is_tapped_meanwhile():
    before = {"selectedSuggestionIds": ["a", "b"]}
    saved = {"selectedSuggestionIds": ["a", "b", "c"]}
    state = SurveyState(selected_suggestion_ids=["a"])
    merged = SurveyGuide().merge_saved(before=before, saved=saved, state=state)
    assert merged.selected_suggestion_ids == ["a", "c"]
