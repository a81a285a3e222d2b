"""The door of every staff page: who may look, and what the others are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase

from futura import roles
from futura.errors import NotFound
from futura.roles import Right, RightNeeded

View = Callable[..., HttpResponseBase]
Test = Callable[[AbstractBaseUser | AnonymousUser], bool]


def allowed(*rights: Right) -> Callable[[View], View]:
    """For staff who hold one of these rights; the others are told that they need the first."""

    def may_look(user: AbstractBaseUser | AnonymousUser) -> bool:
        return any(roles.may(user, right) for right in rights)

    return lambda view: _guarded(view, may_look, rights[0])


def permitted(permission: str) -> Callable[[View], View]:
    """For staff who hold one of Django's permissions; for all others nothing is here."""

    def may_look(user: AbstractBaseUser | AnonymousUser) -> bool:
        return bool(getattr(user, "is_staff", False)) and user.has_perm(permission)  # type: ignore[union-attr]

    return lambda view: _guarded(view, may_look)


def _guarded(view: View, may_look: Test, right: Right | None = None) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if may_look(request.user):
            return view(request, *args, **kwargs)
        if right is None or not request.user.is_staff:
            raise NotFound
        raise RightNeeded(right)

    return guarded
