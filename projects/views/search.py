"""The page and the box that look through everything a person has, and the pages of the product."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from chat.identity import identity_of
from chat.searching import Search, marked
from projects.searching import Match, matches_of

PAGES: Final[Sequence[tuple[str | Promise, str]]] = (
    (_("To-dos"), "todos:list"),
    (_("Projects"), "projects:list"),
    (_("New project"), "projects:new"),
    (_("Drafts"), "projects:drafts"),
    (_("Conversations"), "chat:sessions"),
    (_("Portfolio"), "portfolio:home"),
    (_("Survey"), "surveys"),
    (_("Account"), "account"),
)
_HEADINGS: Final[dict[str, str | Promise]] = {
    "todo": _("To-dos"),
    "project": _("Projects"),
    "draft": _("Drafts"),
    "note": _("Notes"),
    "conversation": _("Conversations"),
    "message": _("Conversations"),
    "survey_task": _("Survey results"),
}
# pages that list all matches of a kind, and what their addresses need beside the words
_LISTS: Final = {"todo": ("todos:list", {"tab": "all"}), "message": ("chat:sessions", {})}


@require_safe
@vary_on_headers("HX-Request")
def search(request: HttpRequest) -> HttpResponse:
    """What `?q=` names; for the box its results alone."""
    requested = Search.of(request.GET.get("q", ""))
    matches = matches_of(identity_of(request), requested)
    context = {"search": requested, "groups": [*_pages(requested), *_groups(matches, requested)]}
    template = "projects/_search_results.html" if request.htmx else "projects/search.html"  # type: ignore[attr-defined]
    return render(request, template, context)


def _pages(search: Search) -> Iterator[dict[str, Any]]:
    rows = [
        {"title": marked(str(name), search), "url": reverse(url)}
        for name, url in PAGES
        if search.words and all(word in str(name).lower() for word in search.words)
    ]
    if rows:
        yield {"name": _("Pages"), "rows": rows}


def _groups(matches: Sequence[Match], search: Search) -> Iterator[dict[str, Any]]:
    for name, some in groupby(matches, key=lambda match: str(_HEADINGS[match.kind])):
        group = list(some)
        url, more = _LISTS.get(group[0].kind, ("", {}))
        rows = [
            {
                "title": marked(match.title, search),
                "url": match.url,
                "passage": marked(match.excerpt, search),
                "facts": match.facts,
            }
            for match in group
        ]
        link = f"{reverse(url)}?{urlencode({**more, 'q': search.typed})}" if url else ""
        yield {"name": name, "rows": rows, "url": link}
