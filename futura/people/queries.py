"""Reads of accounts and their roles."""

from __future__ import annotations

from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import Q

SHOWN: Final = 100


def people(words: str) -> list[tuple[User, set[str]]]:
    """Staff by name with the roles that they hold: two queries.

    With words, whoever's name or mail address holds them.
    """
    result = get_user_model().objects.filter(is_active=True)
    if words:
        result = result.filter(Q(username__icontains=words) | Q(email__icontains=words))
    else:
        result = result.filter(is_staff=True)
    users = result.order_by("-is_staff", "username").prefetch_related("groups")[:SHOWN]
    return [(user, {group.name for group in user.groups.all()}) for user in users]
