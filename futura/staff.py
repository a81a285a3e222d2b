"""The door of every staff page: who may look, and what the others are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase

from futura.errors import NotFound

View = Callable[..., HttpResponseBase]


def staff_only(view: View) -> View:
    """Sends the anonymous to sign in; tells everybody who is no staff that nothing is here."""
    return _guarded(view, lambda user: bool(getattr(user, "is_staff", False)))


def permitted(permission: str) -> Callable[[View], View]:
    """Like `staff_only`, for staff who hold a permission (superusers hold every one)."""

    def may_look(user: AbstractBaseUser | AnonymousUser) -> bool:
        return bool(getattr(user, "is_staff", False)) and user.has_perm(permission)  # type: ignore[union-attr]

    return lambda view: _guarded(view, may_look)


def _guarded(view: View, may_look: Callable[[AbstractBaseUser | AnonymousUser], bool]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_look(request.user):
            raise NotFound
        return view(request, *args, **kwargs)

    return guarded
