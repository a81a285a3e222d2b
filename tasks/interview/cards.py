"""Cards to tap: the model's suggestions, and what a person does with cards: pick and name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import events
from chat.events.kinds import Reference as EventReference
from chat.guides import Utterance
from chat.models import Session
from chat.presenters import presenter_for
from futura.errors import BadInput, Conflict, ModelUnavailable
from futura.llm.checks import Reason
from futura.llm.client import Llm
from futura.rows import only
from onet.candidates import ActivityGroup
from tasks.coding.records import fits
from tasks.interview.analysis import THESE_ARE_MINE
from tasks.interview.gaps import (
    REFERENCE_STATEMENTS,
    Reference,
    reference_for,
    unseen,
    week_percent,
)
from tasks.interview.prompts import SuggestedTasks, suggestion_messages
from tasks.interview.state import Card, SurveyState

CARDS: Final = 5
"""Cards in one display (spec 1, suggestion generation)."""


def suggest_with_model(
    state: SurveyState, reference: Reference, *, history: Sequence[Utterance], llm: Llm
) -> list[Card]:
    """The model's cards, in its words; one of a reference task keeps that task's id.

    Raises ModelUnavailable, also when none of them can be used.
    """
    likely = [statement for statement, _hours in unseen(state, reference)][:REFERENCE_STATEMENTS]
    ids = {statement.task_id: statement.text for statement in likely}
    messages = suggestion_messages(state, history, reference=list(ids.items()), count=CARDS)
    answer = llm.structured("suggestions", messages, SuggestedTasks)
    seen = {_folded(text) for text in (*state.shown_suggestion_statements, *state.activity_texts)}
    cards: list[Card] = []
    refused: Counter[str] = Counter()
    for task in answer.suggestions:
        text, is_known = task.statement.strip(), task.task_id in ids
        if reason := _fault(text, seen, len(cards)):
            refused[reason] += 1
            continue
        seen.add(_folded(text))
        refused[Reason.UNKNOWN_ID] += bool(task.task_id) and not is_known
        group, task_id = ActivityGroup(task.gwa_category), task.task_id if is_known else ""
        cards.append(Card(id="", statement=text, group=group, task_id=task_id))
    llm.checked("suggestions", used=len(cards), refused=refused)
    if not cards:
        raise ModelUnavailable(reason="unusable_suggestions")
    return numbered(cards, state)


def numbered(cards: Sequence[Card], state: SurveyState) -> list[Card]:
    """The cards of the next display, with their ids."""
    display = state.suggestions_shown + 1
    return [
        card.model_copy(update={"id": f"card-{display}-{number}", "display": display})
        for number, card in enumerate(cards, 1)
    ]


def _fault(statement: str, seen: set[str], count: int) -> str:
    """Why a statement is no card; empty when it is one."""
    if not statement:
        return Reason.EMPTY
    if not fits(statement):
        return Reason.TOO_LONG
    if _folded(statement) in seen:
        return Reason.NAMED_TWICE
    return Reason.TOO_MANY if count >= CARDS else ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def select(
    *, session: Session, ids: Sequence[str], part: Mapping[str, Any] | None = None
) -> Session:
    """Replaces the picked cards, with `part` those of one display (DECISIONS 16, 18).

    They count with the next message. Raises BadInput, and changes nothing, when an id was never
    shown there; Conflict when the list was sent.
    """
    here = {str(card["id"]) for card in part.get("cards", ())} if part is not None else None
    if here is not None and not set(ids) <= here:
        raise BadInput(_("This suggestion is not in the list."), field="card")
    with changing_state(session) as state:
        if refusal := presenter_for(session.kind).refusal(session):
            raise Conflict(refusal)
        beside = set() if here is None else set(state.selected_suggestion_ids) - here
        requested, order = {*ids, *beside}, [card.id for card in state.cards]
        if not requested <= set(order):
            raise BadInput(_("This suggestion is not in the list."), field="selectedSuggestionIds")
        state.selected_suggestion_ids = [i for i in order if i in requested]
    return session


def naming(session: Session) -> str:
    """A message that names the picked cards the guide does not know of yet; empty for none."""
    state = SurveyState.model_validate(session.state)
    new = set(state.new_card_ids)
    named = [f"• {card.statement}" for card in state.selected_cards if card.id in new]
    return "\n".join([str(THESE_ARE_MINE), *named]) if named else ""


@contextmanager
def changing_state(session: Session) -> Iterator[SurveyState]:
    """The guide's state, held; what changes of it is saved with the estimate, and pages hear of it.

    `session` has the new state afterwards.
    """
    with transaction.atomic():
        locked = only(Session.objects.select_for_update().filter(pk=session.pk))
        state = SurveyState.model_validate(locked.state)
        yield state
        state.week_percent = week_percent(state, reference_for(state))
        session.state = state.model_dump(mode="json", by_alias=True)
        session.updated_at = timezone.now()
        session.save(update_fields=["state", "updated_at"])
        progress = EventReference("progress", str(session.pk))
        transaction.on_commit(lambda: events.append(session.pk, progress))
