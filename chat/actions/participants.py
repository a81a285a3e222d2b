"""What people do about themselves: zone, language, taking an account's things, being forgotten."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from chat.actions.sessions import erase
from chat.identity import Identity
from chat.models import Participant, Session
from chat.operations.changes import Actor
from chat.operations.erase import erase_all_of
from futura.errors import BadInput
from futura.llm.models import ModelCall
from futura.rows import only


def tell_zone(*, identity: Identity, name: str) -> None:
    """What a device says: a name that `zones.known` knows."""
    own = Participant.objects.filter(pk__in=identity.participant_ids)
    own.exclude(time_zone=name).update(time_zone=name)


def choose_language(*, identity: Identity, code: str) -> None:
    """What the person chose; it holds on their other devices, and for workers."""
    Participant.objects.filter(pk__in=identity.participant_ids).update(
        language=code, is_language_chosen=True
    )


Forgetter = Callable[[Sequence[uuid.UUID]], None]
_forgetters: list[Forgetter] = []


def before_forgetting(forgetter: Forgetter) -> None:
    """Calls it with the participants of an account before that goes, in the same transaction.

    For what a feature keeps of people beside operations and conversations.
    """
    if forgetter not in _forgetters:
        _forgetters.append(forgetter)


def delete_account(*, user_id: int, typed: str) -> None:
    """Erases an account with its conversations and everything it made, for good and at once.

    `typed` is the account's name for signing in or its mail address, as the person confirmed it.
    What remains counts and names nobody: operations without values, model calls without a
    session. Raises BadInput when something else was typed.
    """
    accounts = get_user_model()._default_manager
    with transaction.atomic():
        user = only(accounts.select_for_update().filter(pk=user_id))
        names = {user.get_username().casefold(), str(user.email).casefold()} - {""}
        if typed.strip().casefold() not in names:
            raise BadInput(_("This is not the address or name of this account."), field="confirm")
        erase_people(Participant.objects.filter(user=user), reason=_("Deleted by its owner"))
        user.delete()


@transaction.atomic
def erase_people(people: QuerySet[Participant], *, reason: str) -> None:
    """Erases all that these hold or made, as `delete_account` says; the people themselves stay."""
    # locked: nothing new can come to be theirs
    keys = [item.pk for item in people.select_for_update().order_by("pk")]
    for forgetter in _forgetters:
        forgetter(keys)
    for participant_id in keys:
        erase_all_of(actor=Actor(participant_id), reason=reason)
    _erase_sessions(keys)


def _erase_sessions(people: Sequence[uuid.UUID]) -> None:
    sessions = list(Session.objects.filter(participant__in=people).order_by("created_at"))
    ids = [session.pk for session in sessions]
    ModelCall.objects.filter(session_id__in=ids).update(session_id=None, run_id=None)
    erase(*sessions)
