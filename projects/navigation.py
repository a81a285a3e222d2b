"""What every page's navigation may show of a person's to-dos; asked for only if shown."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from chat.identity import identity_of
from projects.todos.queries import calling_today, own


class Todos:
    """How many to-dos press today."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def today(self) -> int:
        """One query, whatever there is."""
        identity = identity_of(self._request)
        if not identity.participant_ids:
            return 0
        return own(identity).filter(calling_today(timezone.localdate())).count()


def navigation(request: HttpRequest) -> dict[str, Any]:
    """The context processor: `my_todos` on every page."""
    return {"my_todos": Todos(request)}
