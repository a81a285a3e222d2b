"""The page of access tokens: make one, see when each was used, revoke it."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.commands import tokens
from chat.commands.areas import CAMPAIGNS, SCOPES
from chat.identity import identity_of
from futura import roles
from futura.errors import BadInput, NotFound

LABELS: Final[dict[str, str | Promise]] = {
    "todos:read": _("Read to-dos"),
    "todos:write": _("Change to-dos"),
    "projects:read": _("Read projects, drafts and notes"),
    "projects:write": _("Change projects, drafts and notes"),
    "portfolio:read": _("Read portfolios"),
    "portfolio:write": _("Change portfolios"),
    "surveys:read": _("Read surveys"),
    "surveys:write": _("Answer surveys"),
    CAMPAIGNS: _("Read campaign responses"),
    "ledger:undo": _("See and undo changes; reject changes to review"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """The person's tokens; POST makes one, whose text this one answer shows."""
    user_id = _user_id(request)
    context: dict[str, Any] = {}
    if request.method == "POST":
        try:
            token, text = tokens.create_token(
                user_id=user_id,
                name=request.POST.get("name", ""),
                scopes=request.POST.getlist("scopes"),
                days=request.POST.get("days", ""),
            )
            context = {"made": token, "text": text}
        except BadInput as error:
            context = {"error": str(error), "error_field": error.field}
    context |= {
        "tokens": tokens.valid_tokens(user_id),
        "scopes": [(scope, LABELS[scope]) for scope in _offered(request)],
        "chosen": request.POST.getlist("scopes") if "error" in context else [],
        "name": request.POST.get("name", "") if "error" in context else "",
        "days": tokens.DAYS,
    }
    return render(request, "chat/tokens.html", context, status=422 if "error" in context else 200)


def _offered(request: HttpRequest) -> list[str]:
    """The scopes that are worth something to who asks."""
    may_export = roles.may(request.user, "export")
    return [scope for scope in SCOPES if may_export or scope != CAMPAIGNS]


@require_POST
def revoke(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """The token is worth nothing from now on."""
    tokens.revoke_token(user_id=_user_id(request), token_id=token_id)
    return redirect("chat:tokens")


def _user_id(request: HttpRequest) -> int:
    """Raises NotFound for who is not signed in, and so has no tokens."""
    user_id = identity_of(request).user_id
    if user_id is None:
        raise NotFound
    return user_id
