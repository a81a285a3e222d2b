"""Addresses of the public page; words here are reserved (`addresses.RESERVED`)."""

from __future__ import annotations

from functools import partial

from django.urls import path
from django.views.decorators.cache import never_cache

from projects.portfolio.public.views import pages, widget

app_name = "visitors"

_PAGE = "p/<slug:slug>"
_picture = partial(pages.for_visitors, has_words=False)

urlpatterns = [
    path("visits/<uuid:visit_id>", pages.visit, name="visit"),
    path(_PAGE, never_cache(pages.for_visitors(pages.ask_page)), name="page"),
    path(f"{_PAGE}/work", pages.for_visitors(pages.work_page), name="work"),
    path(f"{_PAGE}/kept", pages.for_visitors(pages.kept_page), name="kept"),
    path(f"{_PAGE}/contact", pages.for_visitors(pages.contact), name="contact"),
    path(f"{_PAGE}/ask", pages.for_visitors(pages.ask), name="ask"),
    path(f"{_PAGE}/new", pages.for_visitors(pages.new), name="new"),
    path(f"{_PAGE}/image/photo", _picture(pages.photo), name="photo"),
    path(f"{_PAGE}/image/<uuid:shown_id>", _picture(pages.image), name="image"),
    path(f"{_PAGE}/widget", widget.frame, name="widget"),
    path(f"{_PAGE}/widget/ask", widget.ask, name="widget_ask"),
    path(f"{_PAGE}/widget/stop", widget.stop, name="widget_stop"),
    path(f"{_PAGE}/widget.js", widget.script, name="widget_js"),
    path(f"{_PAGE}/<slug:entry_slug>", pages.for_visitors(pages.entry_page), name="entry"),
]
