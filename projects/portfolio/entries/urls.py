"""Addresses of the entries of a portfolio, for their owner."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.builder.views import workspace
from projects.portfolio.entries.views import pages, pictures, story

app_name = "entries"

_LIST = "portfolio/<uuid:portfolio_id>/entries"
_ENTRY = f"{_LIST}/<uuid:entry_id>"

urlpatterns = [
    path(_LIST, pages.entries, name="list"),
    path(f"{_LIST}/order", pages.order, name="order"),
    path(_ENTRY, workspace, name="workspace"),
    path(f"{_ENTRY}/details", pages.details, name="details"),
    path(f"{_ENTRY}/story", story.story, name="story"),
    path(f"{_ENTRY}/story/block", story.block, name="block"),
    path(f"{_ENTRY}/story/arrange", story.arrange, name="arrange"),
    path(f"{_ENTRY}/pictures", pictures.pictures, name="pictures"),
    path(f"{_ENTRY}/pictures/upload", pictures.upload, name="upload"),
    path(f"{_ENTRY}/pictures/<uuid:picture_id>", pictures.picture, name="picture"),
    path(f"{_ENTRY}/publish", pages.publish, name="publish"),
    path(f"{_ENTRY}/status", pages.status, name="status"),
    path(f"{_ENTRY}/address", pages.slug, name="slug"),
    path(f"{_ENTRY}/delete", pages.delete, name="delete"),
]
