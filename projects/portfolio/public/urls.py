"""Addresses of the public page; words here are reserved (`addresses.RESERVED`)."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.public import views, widget

app_name = "visitors"

_PAGE = "p/<slug:slug>"

urlpatterns = [
    path("visits/<uuid:visit_id>", views.visit, name="visit"),
    path(_PAGE, views.public_page, name="page"),
    path(f"{_PAGE}/work", views.work, name="work"),
    path(f"{_PAGE}/kept", views.kept, name="kept"),
    path(f"{_PAGE}/ask", views.ask, name="ask"),
    path(f"{_PAGE}/new", views.new, name="new"),
    path(f"{_PAGE}/image/<uuid:shown_id>", views.image, name="image"),
    path(f"{_PAGE}/widget", widget.frame, name="widget"),
    path(f"{_PAGE}/widget/ask", widget.ask, name="widget_ask"),
    path(f"{_PAGE}/widget/stop", widget.stop, name="widget_stop"),
    path(f"{_PAGE}/widget.js", widget.script, name="widget_js"),
    path(f"{_PAGE}/<slug:entry_slug>", views.entry, name="entry"),
]
