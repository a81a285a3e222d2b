"""The door to the language of the pages: a choice in the foot of every page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat import languages
from chat.actions.languages import choose_language
from chat.identity import identity_of
from futura.errors import BadInput
from futura.given import own_address


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
