"""Who is asking: the participants behind a request or socket, and the cookie that names one."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs

from asgiref.sync import iscoroutinefunction
from channels.db import database_sync_to_async
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat import hot, languages, zones
from chat.models import Participant
from futura.errors import SignInNeeded
from futura.middleware import Door

COOKIE: Final = "futura_participant"
COOKIE_AGE_S: Final = 400 * 24 * 3600  # the longest that browsers keep
RENEWAL_AFTER_S: Final = 30 * 24 * 3600  # whoever comes again keeps what they wrote
_SALT: Final = "chat.participant"
_FRAME_SALT: Final = "chat.frame"
FRAME_FIELD: Final = "visitor"  # a frame's token, in its forms and in the address of its socket
_CACHE: Final = "_futura_identity"
_OWN: Final = Participant.objects.only(*hot.PERSON)


def key_hash(key: str) -> str:
    """What is stored of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def cookie_for(key: str) -> str:
    """The cookie value that carries a key."""
    return signing.dumps(key, salt=_SALT)


def _key_in(cookies: Mapping[str, str]) -> tuple[str, bool]:
    """The key of a cookie, empty without, and whether the browser should be given it anew."""
    value = cookies.get(COOKIE, "")
    try:
        return str(signing.loads(value, salt=_SALT, max_age=RENEWAL_AFTER_S)), False
    except signing.SignatureExpired:
        return str(signing.loads(value, salt=_SALT)), True
    except signing.BadSignature:
        return "", False


@dataclass
class Identity:
    """The participants one caller may act for: the signed-in user's and the cookie's.

    `zone` is the time zone their days begin in, empty for the server's. `language` is the one they
    are spoken to, empty while nothing is known; `chosen_language` is it where they chose it by
    hand, on this device or another.
    """

    user_id: int | None = None
    user_participant_ids: tuple[uuid.UUID, ...] = ()
    cookie_participant_id: uuid.UUID | None = None
    address: str = ""
    zone: str = ""
    language: str = ""
    chosen_language: str = ""
    _new_key: str = field(default="", repr=False)
    _drop_cookie: bool = field(default=False, repr=False)
    frame_key: str = field(default="", repr=False)
    token_name: str = ""  # of the access token that a program came with

    @property
    def participant_ids(self) -> tuple[uuid.UUID, ...]:
        cookie = (self.cookie_participant_id,) if self.cookie_participant_id else ()
        return tuple(dict.fromkeys((*self.user_participant_ids, *cookie)))

    @property
    def is_known(self) -> bool:
        return self.user_id is not None or self.cookie_participant_id is not None

    @property
    def reason(self) -> str:
        """What the ledger is told of a change by a token; empty for everybody else."""
        name = self.token_name
        return _("By the access token “%(name)s”.") % {"name": name} if name else ""

    def owns(self, participant_id: uuid.UUID) -> bool:
        return participant_id in self.participant_ids

    def participant(self) -> Participant:
        """The one to own new things, created when there is none yet (never call it on GET).

        `RememberedIdentity` gives the answer its cookie, or the browser forgets who it is.
        """
        if self.user_id is not None:
            return self._participant_of_user(self.user_id)
        if self.cookie_participant_id:
            return Participant.objects.get(pk=self.cookie_participant_id)
        key = self.frame_key or secrets.token_urlsafe(32)
        if not self.frame_key:  # a frame's key stays in the frame
            self._new_key = key
        created = self._created(key_hash=key_hash(key))
        self.cookie_participant_id = created.pk
        return created

    def _participant_of_user(self, user_id: int) -> Participant:
        own = Participant.objects.filter(user_id=user_id).order_by("created_at").first()
        if own is None:
            own = self._created(user_id=user_id)
        if own.pk not in self.user_participant_ids:
            self.user_participant_ids = (*self.user_participant_ids, own.pk)
        return own

    def _created(self, **own: Any) -> Participant:
        return Participant.objects.create(
            time_zone=self.zone,
            language=self.chosen_language or self.language or languages.current(),
            is_language_chosen=bool(self.chosen_language),
            **own,
        )

    def attach(self, response: HttpResponseBase) -> None:
        if self._new_key:
            response.set_cookie(
                COOKIE,
                cookie_for(self._new_key),
                max_age=COOKIE_AGE_S,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        elif self._drop_cookie:
            response.delete_cookie(COOKIE, samesite="Lax")

    @property
    def has_cookie_to_set(self) -> bool:
        """Whether the answer must carry a cookie: of a new participant, or of one renewed."""
        return bool(self._new_key)

    def forget_cookie(self) -> None:
        """After a claim: the cookie names nobody any more."""
        if self.cookie_participant_id:
            claimed = self.cookie_participant_id
            self.user_participant_ids = (*self.user_participant_ids, claimed)
        self.cookie_participant_id = None
        self._new_key = ""
        self._drop_cookie = True


def _identity(user: Any, cookies: Mapping[str, str], address: str) -> Identity:
    """Reads both ways a caller can own things: at most two queries, no rows are made."""
    identity = Identity(address=address, zone=zones.told_by(cookies))
    own: list[Participant] = []
    if user is not None and user.is_authenticated:
        identity.user_id = user.pk
        own = list(_OWN.filter(user_id=user.pk).order_by("created_at"))
        identity.user_participant_ids = tuple(item.pk for item in own)
    key, is_old = _key_in(cookies)
    if key:
        # a participant with an account is reached by signing in only
        result = hot.participant_by_key(key_hash(key))
        identity._new_key = key if result and is_old else ""  # noqa: SLF001 (made here)
        identity.cookie_participant_id = result.pk if result else None
        own += [result] if result else []
    identity.language = next((item.language for item in own if item.language), "")
    chosen = (item.language for item in own if item.is_language_chosen)
    identity.chosen_language = languages.told_by(cookies) or languages.known(next(chosen, ""))
    if not identity.zone:  # a new device, or a program: what is known of its owner
        identity.zone = next((item.time_zone for item in own if item.time_zone), "")
    return identity


def identity_of(request: HttpRequest) -> Identity:
    identity: Identity | None = getattr(request, _CACHE, None)
    if identity is None:
        address = str(request.META.get("REMOTE_ADDR") or "")
        token = getattr(request, "access_token", None)
        user = token.user if token else getattr(request, "user", None)
        identity = _identity(user, request.COOKIES, address)
        identity.token_name = token.name if token else ""
        if not zones.told_by(request.COOKIES):
            zones.activate(identity.zone)
        if languages.known(identity.language) and not languages.told_by(request.COOKIES):
            translation.activate(identity.language)
        setattr(request, _CACHE, identity)
    return identity


def identity_beginning(request: HttpRequest) -> Identity:
    """Who begins something by a form. Raises SignInNeeded where the form was an account's that has
    signed out since in another tab: a stranger gets nothing of what was typed.
    """
    identity = identity_of(request)
    if request.POST.get("account") and identity.user_id is None:
        raise SignInNeeded(_("You are signed out. Sign in to save this."))
    return identity


class RememberedIdentity(Door):
    """Every answer, an error too, carries the cookie of the participant that its request made."""

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self._answered(request)
        response = self.get_response(request)
        _remember(request, response)
        return response

    async def _answered(self, request: HttpRequest) -> Any:
        response = await self.get_response(request)
        identity: Identity | None = getattr(request, _CACHE, None)
        if identity is not None and identity.has_cookie_to_set and response.status_code >= 400:
            await database_sync_to_async(_remember, thread_sensitive=False)(request, response)
        else:
            _remember(request, response)
        return response


def _remember(request: HttpRequest, response: HttpResponseBase) -> None:
    """Queries for an error only: a refusal may have taken the new participant back."""
    identity: Identity | None = getattr(request, _CACHE, None)
    if identity is None:
        return
    is_error = identity.has_cookie_to_set and response.status_code >= 400
    if is_error and not Participant.objects.filter(pk__in=identity.participant_ids).exists():
        return
    identity.attach(response)


def identity_of_scope(scope: Mapping[str, Any]) -> Identity:
    """The caller of a socket (after AuthMiddlewareStack); asked anew each time.

    A frame on another site has no cookies: its token says who calls, and nothing else does.
    """
    client = scope.get("client") or ("", 0)
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    if FRAME_FIELD in query:
        return identity_of_frame(query[FRAME_FIELD][0], address=str(client[0]))
    return _identity(scope.get("user"), scope.get("cookies") or {}, str(client[0]))


def frame_token() -> str:
    """A token for a page that is shown in a frame on another site: nobody yet, no row is made."""
    return signing.dumps(secrets.token_urlsafe(32), salt=_FRAME_SALT)


def identity_of_frame(token: str, *, address: str = "") -> Identity:
    """Who a frame's token stands for: its own participant, once there is one. One query at most.

    A token that was not given out by us stands for nobody.
    """
    try:
        key = str(signing.loads(token, salt=_FRAME_SALT))
    except signing.BadSignature:
        return Identity(address=address)
    result = hot.participant_by_key(key_hash(key))
    return Identity(
        address=address, cookie_participant_id=result.pk if result else None, frame_key=key
    )


@transaction.atomic
def attach_to_user(*, participant_id: uuid.UUID, user_id: int) -> bool:
    """Gives an unclaimed anonymous participant to a user and makes its key worthless."""
    changed = Participant.objects.filter(pk=participant_id, user__isnull=True).update(
        user_id=user_id, key_hash=None, claimed_at=timezone.now()
    )
    return bool(changed)
