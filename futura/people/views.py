"""Staff pages: `/staff/people`, who holds which role; `/staff` leads to a page of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from futura import roles
from futura.people import actions, queries
from futura.roles import Right
from futura.staff import allowed

PAGES: Final[Mapping[Right, str]] = {
    "review": "staff:sessions", "campaigns": "campaigns:list", "insights": "campaigns:list",
    "export": "campaigns:list", "changes": "staff_operations:batches", "figures": "ledger:totals",
    "audit": "staff_people:people", "settings": "staff:model",
}  # fmt: skip
"""The page to begin with, by the first right that somebody holds."""


@require_safe
@allowed(*PAGES)
def index(request: HttpRequest) -> HttpResponseRedirect:
    """To the first page that somebody's rights open."""
    held = (page for right, page in PAGES.items() if roles.may(request.user, right))
    return redirect(next(held))


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("audit")
def people(request: HttpRequest) -> HttpResponse:
    """Accounts of staff with their roles, others by name; POST gives one account its roles."""
    if request.method == "POST":
        actions.set_roles(
            by=request.user,
            account=request.POST.get("account", ""),
            requested=request.POST.getlist("roles"),
            held=request.POST.getlist("held"),
        )
        messages.success(request, _("Roles saved."))
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return HttpResponseRedirect(reverse("staff_people:people") + query, status=303)
    words = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    rights = [
        (name, roles.NAMES[name], [roles.WORDS[right] for right in held])
        for name, held in roles.ROLES.items()
    ]
    context = {"people": queries.people(words), "words": words, "roles": rights}
    return render(request, "staff/people.html", context)


app_name = "staff_people"
urlpatterns = [path("people", people, name="people")]
