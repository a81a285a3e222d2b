"""Django admin of projects: everything can be found and read; changes go through the ledger."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db.models import Model

from futura.admin import ReadOnlyAdmin
from projects.forecasting.models import Forecast
from projects.models import DraftTask, Note, Project, ProjectDraft, Task

_ALIVE = ("deleted_at", admin.EmptyFieldListFilter)
_LISTS: Final[dict[type[Model], dict[str, Any]]] = {
    Project: {
        "list_display": ("name", "status", "end_date", "owner", "created_at", "deleted_at"),
        "list_filter": ("status", _ALIVE, "created_at"),
        "search_fields": ("id", "name", "slug", "owner__id"),
        "list_select_related": ("owner__user",),
        "date_hierarchy": "created_at",
    },
    ProjectDraft: {
        "list_display": ("name", "status", "owner", "session", "expires_at", "deleted_at"),
        "list_filter": ("status", _ALIVE, "updated_at"),
        "search_fields": ("id", "name", "owner__id", "session__id"),
        "list_select_related": ("owner__user", "session"),
    },
    Task: {
        "list_display": ("title", "project", "status", "priority", "due_date", "deleted_at"),
        "list_filter": ("status", "priority", _ALIVE),
        "search_fields": ("id", "title", "project__name", "owner__id"),
        "list_select_related": ("project",),
    },
    DraftTask: {
        "list_display": ("title", "draft", "is_suggested", "deleted_at"),
        "list_filter": ("is_suggested", _ALIVE),
        "search_fields": ("id", "title", "draft__name", "owner__id"),
        "list_select_related": ("draft",),
    },
    Note: {
        "list_display": ("title", "project", "created_at", "deleted_at"),
        "list_filter": (_ALIVE, "created_at"),
        "search_fields": ("id", "title", "text", "project__name"),
        "list_select_related": ("project",),
    },
    Forecast: {
        "list_display": ("project", "created_at", "scored_at", "actual_finish", "score"),
        "list_filter": (("scored_at", admin.EmptyFieldListFilter), "created_at"),
        "search_fields": ("id", "project__name", "situation", "owner__id"),
        "list_select_related": ("project",),
        "date_hierarchy": "created_at",
    },
}
for _model, _options in _LISTS.items():
    admin.site.register(_model, type(f"{_model.__name__}Admin", (ReadOnlyAdmin,), _options))
