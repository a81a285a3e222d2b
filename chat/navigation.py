"""What every page's navigation may show of a person's conversations; asked for only if shown."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from chat.identity import identity_of
from chat.library import has_unread


def navigation(request: HttpRequest) -> dict[str, Any]:
    """The context processor: `conversations` on every page.

    `is_known`: the caller signed in, or this browser was here before; `has_unread`: one query.
    """
    return {
        "conversations": {
            "is_known": SimpleLazyObject(lambda: identity_of(request).is_known),
            "has_unread": SimpleLazyObject(lambda: has_unread(identity_of(request))),
        }
    }
