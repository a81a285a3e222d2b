"""Django admin of projects: everything can be found and read; changes go through the ledger."""

from __future__ import annotations

from django.contrib import admin

from futura.admin import ReadOnlyAdmin
from projects.forecasting.models import Forecast
from projects.models import DraftTask, Note, Project, ProjectDraft, Task

_ALIVE = ("deleted_at", admin.EmptyFieldListFilter)


@admin.register(Project)
class ProjectAdmin(ReadOnlyAdmin):
    """Projects with their nine dimensions."""

    list_display = ("name", "status", "end_date", "owner", "created_at", "deleted_at")
    list_filter = ("status", _ALIVE, "created_at")
    search_fields = ("id", "name", "slug", "owner__id")
    list_select_related = ("owner",)
    date_hierarchy = "created_at"


@admin.register(ProjectDraft)
class ProjectDraftAdmin(ReadOnlyAdmin):
    """What is not a project yet."""

    list_display = ("name", "status", "owner", "session", "expires_at", "deleted_at")
    list_filter = ("status", _ALIVE, "updated_at")
    search_fields = ("id", "name", "owner__id", "session__id")
    list_select_related = ("owner", "session")


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    """To-dos."""

    list_display = ("title", "project", "status", "priority", "due_date", "deleted_at")
    list_filter = ("status", "priority", _ALIVE)
    search_fields = ("id", "title", "project__name", "owner__id")
    list_select_related = ("project",)


@admin.register(DraftTask)
class DraftTaskAdmin(ReadOnlyAdmin):
    """To-dos of drafts."""

    list_display = ("title", "draft", "is_suggested", "deleted_at")
    list_filter = ("is_suggested", _ALIVE)
    search_fields = ("id", "title", "draft__name", "owner__id")
    list_select_related = ("draft",)


@admin.register(Note)
class NoteAdmin(ReadOnlyAdmin):
    """Notes of projects."""

    list_display = ("title", "project", "created_at", "deleted_at")
    list_filter = (_ALIVE, "created_at")
    search_fields = ("id", "title", "text", "project__name")
    list_select_related = ("project",)


@admin.register(Forecast)
class ForecastAdmin(ReadOnlyAdmin):
    """Forecasts as they were made, and how good they turned out."""

    list_display = ("project", "told_by", "created_at", "scored_at", "actual_finish", "score")
    list_filter = ("told_by", ("scored_at", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("id", "project__name", "situation", "owner__id")
    list_select_related = ("project",)
    date_hierarchy = "created_at"
