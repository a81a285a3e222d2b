"""The one input of the first page: what was typed there goes where its writer wants it."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

# by the button that was pressed: the door, and the page that it belongs to
_DOORS: Final = {
    "todo": ("todos:add", "todos:list"),
    "project": ("projects:agent_new", "projects:agent_new"),
}


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Passes the text on as a to-do, a project or, for any other choice, a job title.

    `plain` is a to-do all of whose words are its title. Without a text the page opens empty.
    """
    text = request.POST.get("text", "").replace("\x00", "").strip()
    choice = "todo" if "plain" in request.POST else request.POST.get("do", "")
    door, page = _DOORS.get(choice, ("", "survey:start"))
    if not text:
        return redirect(page)
    if door:
        return redirect(door, preserve_request=True)
    return redirect(f"{reverse(page)}?{urlencode({'title': text[:2_000]})}")
