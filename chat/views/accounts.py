"""The door out: what goes with an account, and its deletion."""

from __future__ import annotations

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from chat.actions.forgetting import delete_account
from chat.identity import identity_of
from chat.operations.queries import held_by
from futura.errors import BadInput


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """What would go; POST deletes the account once its name was typed (`confirm`)."""
    told = ""
    identity = identity_of(request)
    if request.method == "POST" and identity.user_id is not None:
        try:
            delete_account(user_id=identity.user_id, typed=request.POST.get("confirm", ""))
        except BadInput as error:
            told = str(error)
        else:
            logout(request)
            return HttpResponseRedirect("/", status=303)
    context = {"held": held_by(identity.user_participant_ids), "told": told}
    return render(request, "chat/delete_account.html", context, status=422 if told else 200)
