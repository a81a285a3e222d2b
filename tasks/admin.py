"""Django admin of the work survey: responses, tasks and matches can be found and read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from futura.admin import ReadOnlyAdmin
from tasks.campaigns.models import Campaign, Participation
from tasks.models import SurveyResponse, TaskMatch, WorkTask


class TaskInline(admin.TabularInline[WorkTask, SurveyResponse]):
    model = WorkTask
    fields = ("position", "statement", "source", "group", "time_share", "ai_level", "deleted_at")
    readonly_fields = fields
    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(SurveyResponse)
class SurveyResponseAdmin(ReadOnlyAdmin):
    list_display = ("job_title", "occupation_title", "step", "submitted_at", "created_at")
    list_filter = ("step", "basic_mode", ("submitted_at", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("job_title", "occupation_title", "occupation_code", "session__id")
    list_select_related = ("session",)
    raw_id_fields = ("session",)
    date_hierarchy = "created_at"
    inlines = [TaskInline]


@admin.register(WorkTask)
class WorkTaskAdmin(ReadOnlyAdmin):
    list_display = ("statement", "response", "source", "group", "time_share", "ai_level")
    list_filter = ("source", "group", "ai_level", ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("statement", "quote", "response__job_title", "id")
    list_select_related = ("response",)
    autocomplete_fields = ("response",)


@admin.register(TaskMatch)
class TaskMatchAdmin(ReadOnlyAdmin):
    list_display = ("task", "status", "confidence", "score", "method", "text", "occupation_code")
    list_filter = ("status", "confidence", "method", "catalogue", "space")
    search_fields = ("task__statement", "text", "onet_task_id", "occupation_code")
    list_select_related = ("task",)
    autocomplete_fields = ("task",)


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    list_display = ("title", "status", "access", "opens_at", "closes_at", "created_by")
    list_filter = ("status", "access", "masks", "is_invented", "created_at")
    search_fields = ("title", "slug", "id")
    list_select_related = ("created_by",)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """With the way to where it is closed and deleted."""
        ((name, options),) = super().get_fieldsets(request, obj)
        link = format_html(
            '<a href="{}">{}</a>',
            reverse("campaigns:campaign", args=[obj.pk]),
            _("Close or delete the campaign on its own page."),
        )
        return [(name, {**options, "description": link})]


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = ("pseudonym", "campaign", "created_at", "submitted_at", "erased_at")
    list_filter = ("erased_by", "is_invented", "created_at")
    search_fields = ("campaign__title", "response__session__id", "id")
    list_select_related = ("campaign",)
    raw_id_fields = ("participant", "invitation", "response")
