"""Doors to the sample workspace: two buttons."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from chat import rates
from chat.identity import identity_of
from futura import limits
from projects.sample import actions


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Makes the sample and shows it on the home page. Answers 429 to who makes too many."""
    identity = identity_of(request)
    is_new = not identity.is_known
    with transaction.atomic():  # what is refused leaves no participant behind
        actions.create(identity=identity)
        if is_new:
            rates.check(limits.START, identity)
    return redirect("home")


@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Deletes the sample; 404 where there is none."""
    actions.delete(identity=identity_of(request))
    return redirect("home")
