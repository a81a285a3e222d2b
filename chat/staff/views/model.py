"""Staff page: `/staff/model`, the model server of this installation, for administrators."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat.staff import audit
from chat.staff.forms import ModelServerForm
from futura.env import env
from futura.errors import Conflict
from futura.llm import budget, probe, server
from futura.llm.models import ModelServer
from futura.staff import allowed

LOGGED: Final = "Model settings"


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("settings")
def settings(request: HttpRequest) -> HttpResponse:
    """The server in use, what the latest test found, and the form; POST saves it."""
    saved = server.saved()
    if request.method == "POST":
        form = ModelServerForm(request.POST, saved=saved)
        if not form.is_valid():
            return _page(request, form, saved, status=422)
        try:
            _save(request, form)
        except Conflict as error:
            messages.warning(request, str(error))
            return _page(request, form, server.saved(), status=error.status)
        messages.success(request, _("Saved. Test it to see what the server can do."))
        return _back()
    names = ("provider", "base_url", "model")
    initial = {name: getattr(saved, name) for name in names} if saved else {}
    return _page(request, ModelServerForm(initial=initial, saved=saved), saved)


@require_POST
@allowed("settings")
def test(request: HttpRequest) -> HttpResponse:
    """Tries the server in use; its page then shows what was found."""
    if server.current().is_configured:
        probe.examine()
        return _back("#test")
    messages.error(request, _("There is nothing to test yet. Save a server first."))
    return _back()


@require_POST
@allowed("settings")
def clear(request: HttpRequest) -> HttpResponse:
    """Takes the saved server out of use and deletes its key."""
    try:
        with transaction.atomic():
            if server.clear(seen=request.POST.get("seen")):
                about = {"change": "server removed, with its key"}
                audit.changed(user=request.user, what=LOGGED, about=about)
    except Conflict as error:
        messages.warning(request, str(error))
        return _back()
    messages.success(request, _("The server is no longer used."))
    return _back()


def _save(request: HttpRequest, form: ModelServerForm) -> None:
    cleaned = form.cleaned_data
    with transaction.atomic():
        row = server.save(
            provider=cleaned["provider"],
            base_url=cleaned["base_url"],
            model=cleaned["model"],
            key=cleaned["key"],
            seen=request.POST.get("seen"),
        )
        key = "new" if cleaned["key"] else "as before" if row.sealed_key else "none"
        about = {"provider": row.provider, "address": row.base_url, "model": row.model, "key": key}
        values = {name: value for name, value in about.items() if value}
        audit.changed(user=request.user, what=LOGGED, about=values)


def _back(part: str = "") -> HttpResponse:
    return HttpResponseRedirect(reverse("staff:model") + part, status=303)


def _page(
    request: HttpRequest, form: ModelServerForm, saved: ModelServer | None, *, status: int = 200
) -> HttpResponse:
    used = server.current()
    states = budget.states()
    context = {
        "form": form,
        "saved": saved,
        "seen": request.POST.get("seen", "") if status == 422 else server.state(saved),
        "used": used,
        "is_from_environment": server.is_from_environment(),
        "is_key_lost": saved is not None and server.key_of(saved) is None,
        "environment_model": env.str("FUTURA_MODEL", ""),
        "report": probe.latest(),
        "spent": sum(state.spent for state in states),
        "unpriced": sum(state.unknown_calls for state in states),
    }
    return render(request, "staff/model.html", context, status=status)
