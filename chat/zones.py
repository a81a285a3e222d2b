"""Time zones of people: named by their devices in a cookie, kept for workers."""

from __future__ import annotations

import uuid
import zoneinfo
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from chat import languages
from chat.models import Participant
from futura.middleware import Door

COOKIE: Final = "futura_zone"  # static/js/zone.js reads and writes it, too
COOKIE_AGE_S: Final = 400 * 24 * 3600


class Place(NamedTuple):
    """Zone and language of a person; `chosen_language` is empty for one that was only told."""

    zone: zoneinfo.ZoneInfo | None
    language: str
    chosen_language: str


@cache
def _all() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def known(name: str) -> str:
    """The name when the database of time zones has it, else empty."""
    return name if name in _all() else ""


def told_by(cookies: Mapping[str, str]) -> str:
    """The zone that a browser names; empty when it names none that is known."""
    return known(cookies.get(COOKIE, ""))


def zone(name: str) -> zoneinfo.ZoneInfo | None:
    """The zone of that name; None (the server's) for an unknown or empty one."""
    return zoneinfo.ZoneInfo(name) if known(name) else None


def place_of(participant_id: uuid.UUID) -> Place:
    """Zone and language of a person, for work without a request. One query.

    None for the server's zone, the server's language for somebody unknown.
    """
    names = ("time_zone", "language", "is_language_chosen")
    row = Participant.objects.filter(pk=participant_id).values_list(*names).first()
    return place_in(*row) if row else place_in()


def place_in(time_zone: str = "", language: str = "", is_language_chosen: bool = False) -> Place:
    """The place that a person's row describes."""
    spoken = languages.known(language)
    return Place(
        zone=zone(time_zone),
        language=spoken or settings.LANGUAGE_CODE,
        chosen_language=spoken if is_language_chosen else "",
    )


def activate(name: str) -> None:
    """What follows in this request or socket is told in that zone; the server's when empty."""
    result = zone(name)
    if result is None:
        timezone.deactivate()
    else:
        timezone.activate(result)


def remember(response: HttpResponseBase, name: str) -> None:
    """Gives the browser the zone."""
    response.set_cookie(
        COOKIE,
        name,
        max_age=COOKIE_AGE_S,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


class InTheirZone(Door):
    """Each request is answered in the zone that its browser names; no query is made for it."""

    def __call__(self, request: HttpRequest) -> Any:
        """Activates the zone for this request; the last one's never stays."""
        activate(told_by(request.COOKIES))
        return self.get_response(request)
