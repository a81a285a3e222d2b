"""The person's own page: who they are here, what is theirs, and what happens to it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chat.identity import identity_of
from tasks import queries
from tasks.views.start import claimable


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Email, password, work to take over, the surveys of this account."""
    context = {
        "responses": queries.responses_of(identity_of(request)),
        "claimable": claimable(request),
    }
    return render(request, "tasks/account.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, where it goes, how to get rid of it."""
    return render(request, "tasks/privacy.html")
