"""Reference data in the admin: to look at and to search; it changes only by loading."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

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


class ActiveReleaseFilter(admin.SimpleListFilter):
    """The active release unless another one is asked for."""

    title = _("release")
    parameter_name = "release"
    path = "release"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = Release.objects.order_by("-pk")
        return [(str(row.pk), row.name) for row in rows] + [("all", str(_("All")))]

    def choices(self, changelist: Any) -> Any:
        first, *remaining = super().choices(changelist)
        yield {**first, "display": _("In use")}
        yield from remaining

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows of the release; a value that is no release shows none."""
        value = self.value()
        if value == "all":
            return queryset
        if value is None:
            return queryset.filter(**{f"{self.path}__is_active": True})
        if not value.isascii() or not value.isdigit():
            return queryset.none()
        return queryset.filter(**{self.path: int(value[:18])})


class ActiveOccupationReleaseFilter(ActiveReleaseFilter):
    """The same for rows that hang on an occupation."""

    path = "occupation__release"


admin.site.register(
    Occupation,
    ReferenceAdmin,
    list_display=("code", "title", "job_zone", "release"),
    list_display_links=("code", "title"),
    list_filter=(ActiveReleaseFilter, "job_zone"),
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
    list_filter=(ActiveOccupationReleaseFilter, "kind"),
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
    list_filter=(ActiveReleaseFilter, "group"),
    list_select_related=("release",),
    search_fields=("element_id", "name", "description"),
    ordering=("element_id",),
)
admin.site.register(
    DetailedActivity,
    ReferenceAdmin,
    list_display=("dwa_id", "title", "activity"),
    list_display_links=("dwa_id", "title"),
    list_filter=(ActiveReleaseFilter, "activity__group"),
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
    list_filter=(ActiveReleaseFilter, "kind", "activities__group"),
    list_select_related=("occupation",),
    search_fields=("task_id", "text", "occupation__code", "occupation__title"),
    autocomplete_fields=("occupation", "detailed", "activities"),
    ordering=("occupation__code", "-importance"),
)
admin.site.register(
    EmbeddingSpace,
    ReferenceAdmin,
    list_display=("name", "release", "status", "is_active", "dimension", "done", "total"),
    list_filter=(ActiveReleaseFilter, "status", "is_active"),
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
