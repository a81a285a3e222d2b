"""Access tokens: made, found and revoked; what each may reach; the door of who shows one."""

from __future__ import annotations

import base64
import hashlib
import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _, gettext_lazy

from chat.models import AccessToken
from futura import locks, middleware
from futura.errors import BadInput, FuturaError, NotAllowed, NotFound, SignInNeeded
from futura.limits import API, rates, required_text
from futura.roles import Right

AREAS: Final = ("todos", "projects", "portfolio", "surveys")
CAMPAIGNS, SET_UP_CAMPAIGNS = "campaigns:read", "campaigns:write"
RIGHTS: Final[dict[str, Right]] = {CAMPAIGNS: "export", SET_UP_CAMPAIGNS: "campaigns"}
"""What an owner must be allowed for a scope to be worth something."""
UNDO: Final = "ledger:undo"
SCOPES: Final = (
    *(f"{area}:{way}" for area in AREAS for way in ("read", "write")),
    *RIGHTS,
    UNDO,
)
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Door:
    """Addresses below one path. `scopes` are added to those of the areas, whatever the method.

    Where there are `readers`, all of these scopes together let somebody read, too. An exact door
    has nothing below it.
    """

    path: str
    areas: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    is_exact: bool = False

    def leads_to(self, path: str) -> bool:
        return path == self.path or (not self.is_exact and path.startswith(f"{self.path}/"))


_doors: list[Door] = []
_talks: dict[str, tuple[str, ...]] = {}  # the areas of conversations, by their kinds


def open_to_tokens(*doors: Door) -> None:
    """Names addresses that tokens may reach; called once by each app that has some."""
    for door in doors:
        if unknown := set(door.areas) - {*AREAS, "campaigns"}:
            raise ValueError(f"There is no area {min(unknown)!r}.")
        _doors.append(door)


def open_talks(*kinds: str, areas: tuple[str, ...]) -> None:
    """Names the areas of conversations of these kinds; those of no named kind stay closed."""
    _talks.update(dict.fromkeys(kinds, areas))


def scopes_for_talk(kind: str, method: str | None) -> set[str] | None:
    """What a token must have for a conversation; None where tokens reach none of its kind."""
    areas = _talks.get(kind)
    return None if areas is None else scopes_for(Door("", areas=areas), method)


def door_of(path: str) -> Door | None:
    """The nearest door above an address; None where tokens reach nothing."""
    leading = [door for door in _doors if door.leads_to(path)]
    return max(leading, key=lambda door: len(door.path), default=None)


def scopes_for(door: Door, method: str | None) -> set[str]:
    """What a token must have to come through a door."""
    way = "read" if method in READS else "write"
    return {*door.scopes, *(f"{area}:{way}" for area in door.areas)}


def ways_through(door: Door, method: str | None) -> list[set[str]]:
    """The sets of scopes of which a token must have one whole."""
    readers = [{*door.readers}] if door.readers and method in READS else []
    return [scopes_for(door, method), *readers]


open_to_tokens(
    Door("/api/commands"),  # each command asks for its own area
    # what was changed shows what may be read of every area
    Door("/api/operations", scopes=(UNDO,), readers=tuple(f"{area}:read" for area in AREAS)),
    Door("/api/chat/sessions"),  # each conversation asks for the areas of its kind
    Door("/api/docs", is_exact=True),
    Door("/api/openapi.json", is_exact=True),
)


PREFIX: Final = "futura_pat_"
NAME_CHARS: Final = 80
DAYS: Final = (30, 90, 365)
AT_MOST: Final = 50  # valid tokens of one person
_USE_NOTED_EVERY: Final = timedelta(minutes=1)


@transaction.atomic
def create_token(
    *, user_id: int, name: object, scopes: Iterable[str], days: object, mark: str = ""
) -> tuple[AccessToken, str]:
    """A new token and its text, which nobody can read again. Raises BadInput, TooLong.

    With the mark of a form (`resends.mark_of`) that came before, the token that it made.
    """
    label = required_text(name, limit=NAME_CHARS, field="name")
    chosen = [scope for scope in SCOPES if scope in set(scopes)]
    if not chosen:
        raise BadInput(_("Choose what the token may do."), field="scopes")
    if str(days) not in {str(number) for number in DAYS}:
        raise BadInput(_("Choose how long it is valid."), field="days")
    text = _text(mark)
    locks.wait_for(f"tokens {user_id}")
    twin = AccessToken.objects.filter(digest=_digest(text)).first()
    if twin is not None and twin.revoked_at is None:
        return twin, text
    if len(valid_tokens(user_id)) >= AT_MOST:
        raise BadInput(_("Revoke a token first: there are %(n)d.") % {"n": AT_MOST}, field="name")
    text = _text() if twin else text  # what was revoked stays so
    token = AccessToken.objects.create(
        user_id=user_id,
        name=label,
        digest=_digest(text),
        scopes=chosen,
        expires_at=timezone.now() + timedelta(days=int(str(days))),
    )
    return token, text


def _text(mark: str = "") -> str:
    """A token's text: at random, or worked out of a mark with our key, so that it is not stored."""
    random = secrets.token_bytes(32)
    made = salted_hmac(PREFIX, mark, algorithm="sha256").digest() if mark else random
    return PREFIX + base64.urlsafe_b64encode(made).decode().rstrip("=")


def valid_tokens(user_id: int) -> Sequence[AccessToken]:
    """A person's tokens that are not revoked, newest first; expired ones among them."""
    own = AccessToken.objects.filter(user_id=user_id, revoked_at=None)
    return list(own.order_by("-created_at"))


def revoke_token(*, user_id: int, token_id: uuid.UUID) -> None:
    """Makes a token worthless at once. Raises NotFound for anybody else's."""
    own = AccessToken.objects.filter(pk=token_id, user_id=user_id, revoked_at=None)
    if not own.update(revoked_at=timezone.now()):
        raise NotFound


def token_of(text: str) -> AccessToken | None:
    """The valid token with that text, of an active account; its use is noted."""
    if not text.startswith(PREFIX):
        return None
    now = timezone.now()
    valid = AccessToken.objects.filter(
        digest=_digest(text), revoked_at=None, expires_at__gt=now, user__is_active=True
    )
    token = valid.select_related("user").first()
    if token is not None and (token.used_at is None or now - token.used_at > _USE_NOTED_EVERY):
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_FIELD: Final = "access_token"
UNKNOWN: Final = gettext_lazy("This token is unknown, expired or revoked.")


class TokenDoor(middleware.Door):
    """Middleware: 401 for a token that is worth nothing, 403 for one whose scopes do not reach."""

    def __call__(self, request: HttpRequest) -> Any:
        text = _bearer(request)
        if text is None:
            return self.get_response(request)
        if iscoroutinefunction(self):
            return self._asynchronous(request, text)
        return _refusal(request, text) or self.get_response(request)

    async def _asynchronous(self, request: HttpRequest, text: str) -> Any:
        refused = await database_sync_to_async(_refusal, thread_sensitive=False)(request, text)
        return refused or await self.get_response(request)


def token_in(request: HttpRequest) -> AccessToken | None:
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


def _bearer(request: HttpRequest) -> str | None:
    """The token that a program shows, "" where it shows none of ours; None for all others.

    Basic is between a browser and a proxy before us.
    """
    kind, _blank, text = request.headers.get("Authorization", "").partition(" ")
    if not middleware.is_api(request) or kind.lower() in {"", "basic"}:
        return None
    return text.strip() if kind.lower() == "bearer" else ""


def _refusal(request: HttpRequest, text: str) -> HttpResponse | None:
    try:
        _admit(request, text)
    except FuturaError as error:
        refused = middleware.answer(request, error)
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
        raise _closed(request.path_info)
    missing = [way - {*token.scopes} for way in ways_through(door, request.method)]
    if all(missing):
        raise beyond(min(missing[0]))
    rates.check(API, person=f"user {token.user_id}")
    request.COOKIES = {}
    request.user = AnonymousUser()  # no session speaks beside a token
    setattr(request, _FIELD, token)


def _closed(path: str) -> FuturaError:
    """What is said of an address without a door: a misspelled one is not there at all."""
    try:
        resolve(path)
    except Resolver404:
        return NotFound()
    return NotAllowed(_("No token reaches this address."))


def beyond(scope: str) -> NotAllowed:
    return NotAllowed(_("This token lacks the scope %(scope)s.") % {"scope": scope})
