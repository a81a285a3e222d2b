"""Reads of accounts and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import Q

from futura import roles

SHOWN: Final = 100


@dataclass(frozen=True)
class Person:
    user: User
    held: frozenset[str]


def people(words: str) -> list[Person]:
    """Staff by name; with words, whoever's name or mail address holds them: two queries."""
    result = get_user_model().objects.filter(is_active=True)
    if words:
        result = result.filter(Q(username__icontains=words) | Q(email__icontains=words))
    else:
        result = result.filter(is_staff=True)
    users = result.order_by("-is_staff", "username").prefetch_related("groups")[:SHOWN]
    existing = set(roles.ROLES)
    return [
        Person(user, frozenset(group.name for group in user.groups.all()) & existing)
        for user in users
    ]
