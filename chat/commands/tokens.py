"""Makes, finds and revokes access tokens; a token is shown once, its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from chat.commands.areas import SCOPES
from chat.commands.models import AccessToken
from futura.errors import BadInput, NotFound
from futura.limits import required_text

PREFIX: Final = "futura_pat_"
NAME_CHARS: Final = 80
DAYS: Final = (30, 90, 365)
AT_MOST: Final = 50  # valid tokens of one person
_USE_NOTED_EVERY: Final = timedelta(minutes=1)


def create_token(
    *, user_id: int, name: object, scopes: Iterable[str], days: object
) -> tuple[AccessToken, str]:
    """A new token and its text, which nobody can read again. Raises BadInput, TooLong."""
    label = required_text(name, limit=NAME_CHARS, field="name")
    chosen = [scope for scope in SCOPES if scope in set(scopes)]
    if not chosen:
        raise BadInput(_("Choose what the token may do."), field="scopes")
    if str(days) not in {str(number) for number in DAYS}:
        raise BadInput(_("Choose how long it is valid."), field="days")
    if len(valid_tokens(user_id)) >= AT_MOST:
        raise BadInput(_("Revoke a token first: there are %(n)d.") % {"n": AT_MOST}, field="name")
    text = PREFIX + secrets.token_urlsafe(32)
    token = AccessToken.objects.create(
        user_id=user_id,
        name=label,
        digest=_digest(text),
        scopes=chosen,
        expires_at=timezone.now() + timedelta(days=int(str(days))),
    )
    return token, text


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
