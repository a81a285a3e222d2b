"""Writes which roles an account holds; who holds one belongs to staff."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group
from django.db import transaction
from django.utils.translation import gettext as _

from futura import roles
from futura.errors import BadInput, Conflict
from futura.parameters import whole
from futura.rows import only


@transaction.atomic
def set_roles(
    *,
    by: AbstractBaseUser | AnonymousUser,
    account: object,
    requested: Collection[str],
    held: Collection[str],
) -> None:
    """Gives an account exactly these roles (names of `futura.roles.ROLES`); other groups stay.

    `held` are the roles that stood on the page: what others gave or took meanwhile stays so.
    Somebody without a role is still staff and sees what is needed. Raises BadInput, NotFound,
    Conflict where an administrator would shut themselves out.
    """
    if set(requested) - set(roles.ROLES):
        raise BadInput(_("There is no such role."), field="roles")
    account_id = whole(account)
    if account_id is None:
        raise BadInput(_("Choose an account."), field="account")
    people = get_user_model().objects.select_for_update()
    user = only(people.filter(pk=account_id, is_active=True))
    current = set(user.groups.filter(name__in=roles.ROLES).values_list("name", flat=True))
    names = (current - (set(held) - set(requested))) | (set(requested) - set(held))
    if user.pk == by.pk and not user.is_superuser and roles.ADMINISTRATOR not in names:
        raise Conflict(_("You cannot remove your own administrator role."))
    groups = Group.objects.filter(name__in=names)
    user.groups.remove(*Group.objects.filter(name__in=set(roles.ROLES) - names))
    user.groups.add(*groups)
    if names and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
