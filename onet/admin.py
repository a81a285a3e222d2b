"""Reference data in the admin: to look at and to search; it changes only by loading."""

from __future__ import annotations

from django.contrib import admin

from futura.admin import ReadOnlyAdmin
from onet.models import (
    AlternateTitle,
    DetailedActivity,
    EmbeddingSpace,
    Occupation,
    Release,
    StatementScore,
    StatementTranslation,
    TaskStatement,
    WorkActivity,
)


class ReferenceAdmin(ReadOnlyAdmin):
    """A list of reference rows: no count of the whole table, fifty to a page."""

    list_per_page = 50
    show_full_result_count = False


admin.site.register(
    Occupation,
    ReferenceAdmin,
    list_display=("code", "title", "job_zone", "release"),
    list_display_links=("code", "title"),
    list_filter=("release__is_active", "job_zone"),
    list_select_related=("release",),
    search_fields=("code", "title", "alternate_titles__title"),
    ordering=("code",),
)
admin.site.register(
    Release,
    ReferenceAdmin,
    list_display=("name", "is_active", "is_starter", "source", "loaded_at"),
    list_filter=("is_active", "is_starter"),
    search_fields=("name", "source", "fingerprint"),
    date_hierarchy="loaded_at",
)
admin.site.register(
    AlternateTitle,
    ReferenceAdmin,
    list_display=("title", "short_title", "kind", "occupation"),
    list_filter=("occupation__release__is_active", "kind"),
    list_select_related=("occupation",),
    search_fields=("title", "short_title", "occupation__code", "occupation__title"),
    autocomplete_fields=("occupation",),
    ordering=("title",),
)
admin.site.register(
    WorkActivity,
    ReferenceAdmin,
    list_display=("element_id", "name", "group", "release"),
    list_display_links=("element_id", "name"),
    list_filter=("release__is_active", "group"),
    list_select_related=("release",),
    search_fields=("element_id", "name", "description"),
    ordering=("element_id",),
)
admin.site.register(
    DetailedActivity,
    ReferenceAdmin,
    list_display=("dwa_id", "title", "activity"),
    list_display_links=("dwa_id", "title"),
    list_filter=("release__is_active", "activity__group"),
    list_select_related=("activity",),
    search_fields=("dwa_id", "title", "activity__name"),
    autocomplete_fields=("activity",),
    ordering=("dwa_id",),
)
admin.site.register(
    TaskStatement,
    ReferenceAdmin,
    list_display=("task_id", "text", "occupation", "kind", "importance"),
    list_display_links=("task_id", "text"),
    list_filter=("release__is_active", "kind", "activities__group"),
    list_select_related=("occupation",),
    search_fields=("task_id", "text", "occupation__code", "occupation__title"),
    autocomplete_fields=("occupation", "detailed", "activities"),
    ordering=("occupation__code", "-importance"),
)
admin.site.register(
    EmbeddingSpace,
    ReferenceAdmin,
    list_display=("name", "release", "status", "is_active", "dimension", "done", "total"),
    list_filter=("release__is_active", "status", "is_active"),
    list_select_related=("release",),
    search_fields=("name", "release__name", "error"),
)
admin.site.register(
    StatementScore,
    ReferenceAdmin,
    list_display=("name", "task_id", "value", "loaded_at"),
    list_filter=("name",),
    search_fields=("name", "task_id"),
)
admin.site.register(
    StatementTranslation,
    list_display=("english", "language", "text"),
    list_filter=("language",),
    search_fields=("english", "text"),
    readonly_fields=("english", "language", "created_at"),
)
