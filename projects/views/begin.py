"""The one input of the first page: what was typed there goes where its writer wants it."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from futura.errors import BadInput

# by the button that was pressed: the door, and the page that it belongs to
_DOORS: Final = {
    "": ("", "survey:start"),
    "job": ("", "survey:start"),
    "todo": ("todos:add", "todos:list"),
    "project": ("projects:agent_new", "projects:agent_new"),
}


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Passes the text on as a to-do, a project or a job title. Raises BadInput.

    `plain` is a to-do all of whose words are its title. Without a text the page opens empty.
    """
    text = request.POST.get("text", "").replace("\x00", "").strip()
    choice = "todo" if "plain" in request.POST else request.POST.get("do", "")
    if choice not in _DOORS:
        raise BadInput(_("Choose one of the buttons."), field="do")
    door, page = _DOORS[choice]
    if not text:
        return redirect(page)
    if door:
        return redirect(door, preserve_request=True)
    return redirect(f"{reverse(page)}?{urlencode({'title': text[:2_000]})}")
