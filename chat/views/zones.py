"""Doors to the time zone: what a device says, what the person chooses."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from chat import zones
from chat.actions.zones import choose_zone, tell_zone
from chat.identity import identity_of
from futura.errors import BadInput
from futura.given import own_address


@require_POST
def told(request: HttpRequest) -> HttpResponse:
    """A device's zone, sent by the page's script; answers with the one that now holds."""
    name = zones.known(request.POST.get("zone", ""))
    if not name:
        raise BadInput(_("There is no such time zone."), field="zone")
    identity = identity_of(request)
    tell_zone(identity=identity, name=name)
    answer = HttpResponse(status=204)
    chosen = identity.chosen_zone
    zones.remember(answer, chosen or name, is_chosen=bool(chosen))
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def zone(request: HttpRequest) -> HttpResponse:
    """The choice, on a page of its own."""
    if request.method != "POST":
        told_now = request.COOKIES.get(zones.COOKIE, "")
        context = {
            "names": zones.names(),
            "chosen": zones.told_by(request.COOKIES) if told_now.startswith(zones.CHOSEN) else "",
            "now": timezone.localtime(),
            "next": _next(request.GET.get("next", ""), request),
        }
        return render(request, "chat/zone.html", context)
    name = request.POST.get("zone", "")
    if name and not zones.known(name):
        raise BadInput(_("There is no such time zone."), field="zone")
    choose_zone(identity=identity_of(request), name=name)
    answer = HttpResponseRedirect(_next(request.POST.get("next", ""), request) or "/")
    zones.remember(answer, name, is_chosen=True)
    return answer


def _next(wanted: str, request: HttpRequest) -> str:
    address = own_address(request, wanted, "")
    return address if address.startswith("/") else ""
