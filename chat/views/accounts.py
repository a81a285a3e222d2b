"""Doors of a person's account: language, time zone, access tokens, deletion."""

from __future__ import annotations

import uuid
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import account_copy, languages, rates, zones
from chat.actions.participants import choose_language, delete_account, tell_zone
from chat.commands import tokens
from chat.commands.tokens import RIGHTS, SCOPES
from chat.export import sent
from chat.identity import identity_of
from chat.operations.queries import held_by
from chat.resends import mark_of
from futura import limits, roles
from futura.attachments import streamed
from futura.errors import BadInput, NotFound
from futura.parameters import own_address


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """What would go; POST deletes the account once its name was typed (`confirm`)."""
    text = ""
    identity = identity_of(request)
    if request.method == "POST" and identity.user_id is not None:
        try:
            delete_account(user_id=identity.user_id, typed=request.POST.get("confirm", ""))
        except BadInput as error:
            text = str(error)
        else:
            logout(request)
            messages.success(request, _("Your account was deleted with everything in it."))
            return HttpResponseRedirect("/", status=303)
    context = {"held": held_by(identity.user_participant_ids), "error_text": text}
    return render(request, "chat/delete_account.html", context, status=422 if text else 200)


@require_safe
@login_required
def copy(request: HttpRequest) -> StreamingHttpResponse:
    """All that the account holds as one ZIP; nothing that only this browser has."""
    identity = replace(identity_of(request), cookie_participant_id=None)
    rates.check(limits.EXPORT, identity)
    name = request.user.get_username()
    pieces = sent(partial(account_copy.pieces_of, identity, account=name))
    return streamed(pieces, "application/zip", f"futura-{timezone.localdate().isoformat()}.zip")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keeps the language that somebody chose, and goes back to where they were."""
    code = languages.known(request.POST.get("language", ""))
    if not code:
        raise BadInput(_("Choose one of the languages."), field="language")
    choose_language(identity=identity_of(request), code=code)
    answer = HttpResponseRedirect(own_address(request, request.POST.get("next", ""), "/"))
    languages.remember(answer, code)
    return answer


@require_POST
def set_zone(request: HttpRequest) -> HttpResponse:
    """A device's zone, sent by the page's script; answers with the one that now holds."""
    name = zones.known(request.POST.get("zone", ""))
    if not name:
        raise BadInput(_("There is no such time zone."), field="zone")
    identity = identity_of(request)
    tell_zone(identity=identity, name=name)
    answer = HttpResponse(status=204)
    zones.remember(answer, name)
    return answer


LABELS: Final[dict[str, str | Promise]] = {
    "todos:read": gettext_lazy("Read to-dos"),
    "todos:write": gettext_lazy("Change to-dos"),
    "projects:read": gettext_lazy("Read projects, drafts and notes"),
    "projects:write": gettext_lazy("Change projects, drafts and notes"),
    "portfolio:read": gettext_lazy("Read portfolios"),
    "portfolio:write": gettext_lazy("Change portfolios"),
    "surveys:read": gettext_lazy("Read surveys"),
    "surveys:write": gettext_lazy("Answer surveys"),
    "campaigns:read": gettext_lazy("Read campaign responses"),
    "campaigns:write": gettext_lazy("Set up campaigns, and delete what participants told"),
    "ledger:undo": gettext_lazy("See and undo changes; reject changes to review"),
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
                mark=mark_of(request),
            )
            context = {"new_token": token, "text": text}
        except BadInput as error:
            context = {"error": str(error), "error_field": error.field}
    context |= {
        "tokens": tokens.valid_tokens(user_id),
        "scopes": [(scope, LABELS[scope]) for scope in _offered(request)],
        "chosen": request.POST.getlist("scopes") if "error" in context else [],
        "name": request.POST.get("name", "") if "error" in context else "",
        "days": tokens.DAYS,
        "mcp_url": request.build_absolute_uri("/mcp"),
    }
    return render(request, "chat/tokens.html", context, status=422 if "error" in context else 200)


def _offered(request: HttpRequest) -> list[str]:
    return [
        scope for scope in SCOPES if scope not in RIGHTS or roles.may(request.user, RIGHTS[scope])
    ]


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
