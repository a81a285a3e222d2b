"""Who of staff may do what: permissions, the groups that hold them, and the one question to ask.

    roles.may(request.user, "review")
    @allowed("export")                      for a view, in `futura.staff`
    {% if perms.futura.review %}            in a template (staff only: ask `user.is_staff` first)

A person and the owner of a thing need no group; doors ask who owns what. A superuser may all.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from futura.errors import NotAllowed

Right = Literal[
    "review", "conversations", "campaigns", "insights", "export", "changes", "figures", "audit",
    "settings",
]  # fmt: skip
RIGHTS: Final[tuple[Right, ...]] = get_args(Right)

REVIEWER: Final = "reviewer"
CAMPAIGN_MANAGER: Final = "campaign manager"
ADMINISTRATOR: Final = "administrator"
ROLES: Final[Mapping[str, tuple[Right, ...]]] = MappingProxyType(
    {
        REVIEWER: ("review", "insights", "changes"),
        CAMPAIGN_MANAGER: ("campaigns", "insights", "export"),
        ADMINISTRATOR: RIGHTS,
    }
)
"""What each group may when it is made; superusers change that in the admin."""

NAMES: Final[Mapping[str, str | Promise]] = MappingProxyType(
    {
        REVIEWER: _("Reviewer"),
        CAMPAIGN_MANAGER: _("Campaign manager"),
        ADMINISTRATOR: _("Administrator"),
    }
)

WORDS: Final[Mapping[Right, str | Promise]] = MappingProxyType(
    {
        "review": _("read survey conversations and correct their results"),
        "conversations": _("open private conversations after giving a reason"),
        "campaigns": _("set up surveys and invite people"),
        "insights": _("see survey insights"),
        "export": _("export survey responses"),
        "changes": _("see and undo changes in the conversations they may read"),
        "figures": _("see model calls, costs and assistant figures"),
        "audit": _("see the access log and assign roles"),
        "settings": _("set up the language model"),
    }
)

Somebody = AbstractBaseUser | AnonymousUser


class RightNeeded(NotAllowed):
    """A page of staff, or one thing on it, needs a right that the account does not hold."""

    def __init__(self, right: Right) -> None:
        super().__init__(
            _("This needs the right to %s. An administrator can give it.") % WORDS[right]
        )


def name_of(right: Right) -> str:
    return f"futura.{right}"


def may(user: Somebody, right: Right) -> bool:
    """Whether an account of staff holds a right; two queries the first time, then none."""
    if not getattr(user, "is_staff", False) or not user.is_active:
        return False
    return bool(user.has_perm(name_of(right)))  # type: ignore[attr-defined,union-attr,unused-ignore]


def people_with(right: Right) -> QuerySet[User]:
    """The accounts of staff that hold a right, by name: whom something can be given to."""
    condition = Q(content_type__app_label="futura", codename=right)
    holding = Permission.objects.filter(condition)
    holds = Q(is_superuser=True) | Q(groups__permissions__in=holding)
    result = get_user_model().objects.filter(is_active=True, is_staff=True)
    return result.filter(holds | Q(user_permissions__in=holding)).distinct().order_by("username")


def make_groups(**_signal: Any) -> None:
    """Makes the groups that are missing, with their permissions; leaves the others as they are.

    A right that no group holds came with a new version: administrators get it, to give it on.
    After migrating: only then all permissions are there.
    """
    existing = set(Group.objects.filter(name__in=ROLES).values_list("name", flat=True))
    missing = [Group(name=name) for name in ROLES if name not in existing]
    groups = Group.objects.bulk_create(missing)
    own = ContentType.objects.filter(app_label="futura", model="role")
    rights = {
        permission.codename: permission
        for permission in Permission.objects.filter(content_type__in=own)
    }
    Through = Group.permissions.through  # noqa: N806 (a model)
    Through.objects.bulk_create(
        Through(group_id=group.pk, permission_id=rights[right].pk)
        for group in groups
        for right in ROLES[group.name]
        if right in rights
    )
    nobodys = list(Permission.objects.filter(content_type__in=own, group=None))
    if nobodys:
        Group.objects.get(name=ADMINISTRATOR).permissions.add(*nobodys)
