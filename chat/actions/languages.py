"""Keeps in which language a person is spoken to."""

from __future__ import annotations

from chat.identity import Identity
from chat.models import Participant


def choose_language(*, identity: Identity, code: str) -> None:
    """What the person chose; it holds on their other devices, and for workers."""
    Participant.objects.filter(pk__in=identity.participant_ids).update(
        language=code, is_language_chosen=True
    )
