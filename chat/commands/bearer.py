"""The door of tokens: who shows one acts for its owner, within its scopes, without any cookie."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.commands.areas import door_of, scopes_for, scopes_for_talk
from chat.commands.models import AccessToken
from chat.commands.tokens import token_of
from futura.errors import FuturaError, NotAllowed, SignInNeeded
from futura.limits import API, rates
from futura.middleware import Door, answer

_FIELD: Final = "access_token"
UNKNOWN: Final = gettext_lazy("This token is unknown, expired or revoked.")


class TokenDoor(Door):
    """Middleware: 401 for a token that is worth nothing, 403 for one whose scopes do not reach."""

    def __call__(self, request: HttpRequest) -> Any:
        """Passes requests without a token on as they are."""
        text = _bearer(request)
        if not text:
            return self.get_response(request)
        if iscoroutinefunction(self):
            return self._asynchronous(request, text)
        return _refusal(request, text) or self.get_response(request)

    async def _asynchronous(self, request: HttpRequest, text: str) -> Any:
        refused = await database_sync_to_async(_refusal, thread_sensitive=False)(request, text)
        return refused or await self.get_response(request)


def token_in(request: HttpRequest) -> AccessToken | None:
    """The token that this request came with."""
    return getattr(request, _FIELD, None)


def require(request: HttpRequest, scope: str) -> None:
    """For a door whose scope shows only in what was sent. Raises NotAllowed."""
    token = token_in(request)
    if token is not None and scope not in token.scopes:
        raise beyond(scope)


def require_talk(request: HttpRequest, kind: str) -> None:
    """For the doors of conversations, whose kind shows only in the row. Raises NotAllowed."""
    token = token_in(request)
    if token is None:
        return
    needed = scopes_for_talk(kind, request.method)
    if needed is None:
        raise NotAllowed(_("No token reaches this conversation."))
    if missing := needed - set(token.scopes):
        raise beyond(min(missing))


def _bearer(request: HttpRequest) -> str:
    """What stands in the header; nothing for pages."""
    if not request.path.startswith("/api/"):
        return ""
    kind, _blank, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" else ""


def _refusal(request: HttpRequest, text: str) -> HttpResponse | None:
    try:
        _admit(request, text)
    except FuturaError as error:
        refused = answer(request, error)
        if isinstance(error, SignInNeeded):
            refused["WWW-Authenticate"] = "Bearer"
        return refused
    return None


def _admit(request: HttpRequest, text: str) -> None:
    token = token_of(text)
    if token is None:
        raise SignInNeeded(str(UNKNOWN))
    door = door_of(request.path)
    if door is None:
        raise NotAllowed(_("No token reaches this address."))
    missing = scopes_for(door, request.method) - set(token.scopes)
    if missing:
        raise beyond(min(missing))
    rates.check(API, person=f"user {token.user_id}")
    request.COOKIES = {}
    request.user = AnonymousUser()  # no session speaks beside a token
    setattr(request, _FIELD, token)


def beyond(scope: str) -> NotAllowed:
    """The refusal of a token without a scope."""
    return NotAllowed(_("This token lacks the scope %(scope)s.") % {"scope": scope})
