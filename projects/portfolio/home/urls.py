"""Addresses of the owner's pages about the corpus: `/portfolio…`."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.home import views as home
from projects.portfolio.intake.views import check as intake
from projects.portfolio.intake.views import sources
from projects.portfolio.records import views as records

app_name = "portfolio"

_ONE = "portfolio/<uuid:portfolio_id>"
_SOURCE = f"{_ONE}/sources/<uuid:source_id>"
_KIND = f"{_ONE}/records/<slug:record_kind>"
_RECORD = f"{_KIND}/<uuid:record_id>"

urlpatterns = [
    path("portfolio", home.home, name="home"),
    path(_ONE, home.overview, name="overview"),
    path(f"{_ONE}/settings", home.settings, name="settings"),
    path(f"{_ONE}/photo", home.photo, name="photo"),
    path(f"{_ONE}/delete", home.delete, name="delete"),
    path(f"{_ONE}/history", home.history, name="history"),
    path(f"{_ONE}/export", home.export, name="export"),
    path(f"{_ONE}/sources", sources.sources, name="sources"),
    path(f"{_ONE}/sources/live", sources.live, name="sources_live"),
    path(f"{_ONE}/sources/check", intake.check_list, name="check_list"),
    path(f"{_ONE}/sources/give/<slug:source_kind>", sources.give, name="give"),
    path(_SOURCE, sources.source, name="source"),
    path(f"{_SOURCE}/check", intake.check_page, name="check"),
    path(f"{_SOURCE}/read", sources.read, name="source_read"),
    path(f"{_SOURCE}/delete", sources.delete, name="source_delete"),
    path(_KIND, records.records, name="records"),
    path(f"{_KIND}/new", records.new, name="record_new"),
    path(_RECORD, records.record, name="record"),
    path(f"{_RECORD}/place", records.place, name="record_place"),
    path(f"{_RECORD}/release", records.release, name="record_release"),
    path(f"{_RECORD}/delete", records.delete, name="record_delete"),
]
