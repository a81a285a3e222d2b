"""What every page's navigation may show of a person's conversations; asked for only if shown."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import HttpRequest

from chat.identity import identity_of
from chat.library import has_unread


class Conversations:
    """Whether the caller can have any, and whether something new stands in one of them."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def is_known(self) -> bool:
        """Signed in, or carrying the cookie of a browser that was here before."""
        return identity_of(self._request).is_known

    @cached_property
    def has_unread(self) -> bool:
        """One query, whatever there is."""
        return has_unread(identity_of(self._request))


def navigation(request: HttpRequest) -> dict[str, Any]:
    """The context processor: `conversations` on every page."""
    return {"conversations": Conversations(request)}
