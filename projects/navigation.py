"""What every page's navigation may show of a person's to-dos; asked for only if shown."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from chat.identity import identity_of
from projects.todos.queries import calling_today, own


def navigation(request: HttpRequest) -> dict[str, Any]:
    """The context processor: `my_todos.today` on every page, one query where it is shown."""

    @cache
    def today() -> int:
        identity = identity_of(request)
        if not identity.participant_ids:
            return 0
        return own(identity).filter(calling_today(timezone.localdate())).count()

    return {"my_todos": {"today": today}}
