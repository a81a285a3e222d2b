"""Keys with which programs of staff read datasets: made, shown once, used, taken back."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from futura import roles
from futura.errors import BadInput, NotFound
from tasks.datasets.models import DataKey

PREFIX: Final = "futura_"
MOST: Final = 20
DAYS: Final = 365
SEEN_EVERY: Final = timedelta(minutes=5)


def digest(key: str) -> str:
    """What is stored of a key; it is random and long, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


def make(*, user: Any, name: object) -> tuple[DataKey, str]:
    """A new key for a member of staff who may export, and its text, which is never shown again."""
    told = " ".join(str(name or "").replace("\x00", "").split())
    if not told:
        raise BadInput(_("Name the program that will use the key."), field="name")
    if len(told) > 80:
        raise BadInput(_("A name has at most 80 characters."), field="name")
    if keys().filter(user_id=user.pk).count() >= MOST:
        raise BadInput(_("You have as many keys as fit. Take one back first."), field="name")
    text = PREFIX + secrets.token_urlsafe(32)
    now = timezone.now()
    key = DataKey.objects.create(
        user_id=user.pk, name=told, digest=digest(text), expires_at=now + timedelta(days=DAYS)
    )
    return key, text


def keys() -> QuerySet[DataKey]:
    """The keys that still open something, newest first, with whose they are."""
    valid = DataKey.objects.filter(revoked_at=None, expires_at__gt=timezone.now())
    return valid.select_related("user").order_by("-created_at")


def revoke(*, key_id: uuid.UUID) -> None:
    """Takes a key back at once; whoever may export may do so, a colleague may be away.

    Twice is no mistake. Raises NotFound for a key that never was.
    """
    key = DataKey.objects.filter(pk=key_id)
    if not key.filter(revoked_at=None).update(revoked_at=timezone.now()) and not key.exists():
        raise NotFound


def holder(text: str) -> User | None:
    """Whose key it is, while it is valid and its owner may still export."""
    now = timezone.now()
    key = (
        DataKey.objects.select_related("user")
        .filter(digest=digest(text), revoked_at=None, expires_at__gt=now)
        .first()
    )
    if key is None or not roles.may(key.user, "export"):
        return None
    if key.used_at is None or key.used_at < now - SEEN_EVERY:
        DataKey.objects.filter(pk=key.pk).update(used_at=now)
    user: User = key.user
    return user
