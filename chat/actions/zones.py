"""Keeps in which time zone a person's days begin."""

from __future__ import annotations

from chat import zones
from chat.identity import Identity
from chat.models import Participant


def tell_zone(*, identity: Identity, name: str) -> None:
    """What a device says; a zone that was chosen stays. Unknown names change nothing."""
    if zones.known(name):
        own = Participant.objects.filter(pk__in=identity.participant_ids, is_zone_chosen=False)
        own.exclude(time_zone=name).update(time_zone=name)


def choose_zone(*, identity: Identity, name: str) -> None:
    """What the person says; empty or unknown leaves it to the devices again."""
    own = Participant.objects.filter(pk__in=identity.participant_ids)
    if zones.known(name):
        own.update(time_zone=name, is_zone_chosen=True)
    else:
        own.update(is_zone_chosen=False)
