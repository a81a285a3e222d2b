"""The page and the box that look through everything a person has."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from chat.identity import identity_of
from chat.searching import Search
from projects.searching import search_of


@require_safe
@vary_on_headers("HX-Request")
def search(request: HttpRequest) -> HttpResponse:
    """What `?q=` names; for the box its results alone."""
    asked = Search.of(request.GET.get("q", ""))
    context = {"search": asked, "groups": search_of(identity_of(request), asked)}
    template = "projects/_search_results.html" if request.htmx else "projects/search.html"  # type: ignore[attr-defined]
    return render(request, template, context)
