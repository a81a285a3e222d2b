"""What a person does with suggestion cards: pick and release them, and say so in the talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import events
from chat.events.kinds import Reference
from chat.models import Session
from chat.presenters import presenter_for
from futura.errors import BadInput, Conflict
from tasks.elicitation.state import SurveyState


def select(*, session: Session, ids: Sequence[str]) -> Session:
    """Replaces the picked cards; they count with the next message (DECISIONS 16, 18).

    Raises BadInput, and changes nothing, when an id was never shown in this conversation;
    Conflict when the list was sent.
    """
    return _replace(session, lambda _now: list(ids))


def select_in_display(
    *, session: Session, part: Mapping[str, Any], picked: Sequence[str]
) -> Session:
    """Replaces the picked cards of one display and leaves those of the others.

    Raises BadInput when an id is not on this display.
    """
    here = [str(card["id"]) for card in part.get("cards", ())]
    if not set(picked) <= set(here):
        raise BadInput(_("This card was not on the list."), field="card")
    return _replace(session, lambda now: [i for i in now if i not in here] + list(picked))


def naming(session: Session) -> str:
    """A message that names the picked cards the guide does not know of yet; empty for none."""
    state = SurveyState.model_validate(session.state)
    new = set(state.new_card_ids)
    named = [f"• {card.statement}" for card in state.selected_cards if card.id in new]
    return "\n".join([_("From the suggestions, these are mine:"), *named]) if named else ""


def _replace(session: Session, chosen: Any) -> Session:
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if refusal := presenter_for(locked.kind).refusal(locked):
            raise Conflict(refusal)
        state = SurveyState.model_validate(locked.state)
        wanted = list(dict.fromkeys(chosen(state.selected_suggestion_ids)))
        order = [card.id for card in state.cards]
        if not set(wanted) <= set(order):
            raise BadInput(_("This card was not on the list."), field="selectedSuggestionIds")
        state.selected_suggestion_ids = [i for i in order if i in set(wanted)]
        locked.state = state.model_dump(mode="json", by_alias=True)
        locked.updated_at = timezone.now()
        locked.save(update_fields=["state", "updated_at"])
        tell = Reference("progress", str(session.pk))
        transaction.on_commit(lambda: events.append(session.pk, tell))
    return locked
