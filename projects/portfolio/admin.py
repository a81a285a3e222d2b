"""Django admin of portfolios: everything can be found and read; changes go through the ledger."""

from __future__ import annotations

from django.contrib import admin

from futura.admin import ReadOnlyAdmin
from projects.portfolio.models import (
    Award,
    Credential,
    Document,
    Education,
    Entry,
    EntryImage,
    Experience,
    IndexBuild,
    OpenQuestion,
    Persona,
    Portfolio,
    PreprocessRun,
    Profile,
    Skill,
    Source,
    VisitMonth,
)

_ALIVE = ("deleted_at", admin.EmptyFieldListFilter)


@admin.register(Portfolio)
class PortfolioAdmin(ReadOnlyAdmin):
    """Whose portfolio it is, and whether it is open."""

    list_display = ("slug", "owner_name", "domain_label", "status", "owner", "deleted_at")
    list_filter = ("status", "kind", _ALIVE)
    search_fields = ("id", "slug", "owner_name", "owner__id")
    list_select_related = ("owner",)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    """Pieces of work."""

    list_display = ("title", "doc_id", "status", "portfolio", "updated_at", "deleted_at")
    list_filter = ("status", "context", _ALIVE)
    search_fields = ("id", "title", "doc_id", "slug", "portfolio__slug")
    list_select_related = ("portfolio",)


@admin.register(EntryImage)
class EntryImageAdmin(ReadOnlyAdmin):
    """Pictures in their places."""

    list_display = ("alt", "entry", "is_hero", "position", "deleted_at")
    search_fields = ("id", "alt", "caption", "entry__title")
    list_select_related = ("entry",)


@admin.register(Experience, Education, Award, Credential, Skill, Profile, Persona)
class RecordAdmin(ReadOnlyAdmin):
    """What a resume and a profile hold."""

    list_display = ("__str__", "portfolio", "updated_at", "deleted_at")
    list_filter = (_ALIVE,)
    search_fields = ("id", "portfolio__slug")
    list_select_related = ("portfolio",)


@admin.register(OpenQuestion)
class OpenQuestionAdmin(ReadOnlyAdmin):
    """What visitors asked and nothing answered."""

    list_display = ("question", "status", "portfolio", "created_at", "deleted_at")
    list_filter = ("status", _ALIVE)
    search_fields = ("id", "question", "portfolio__slug")
    list_select_related = ("portfolio",)


@admin.register(VisitMonth)
class VisitMonthAdmin(ReadOnlyAdmin):
    """What conversations cost that are erased by now."""

    list_display = ("portfolio", "month", "questions", "calls", "unknown_calls", "cost_usd")
    search_fields = ("portfolio__slug",)
    list_select_related = ("portfolio",)


@admin.register(PreprocessRun)
class PreprocessRunAdmin(ReadOnlyAdmin):
    """What was read when, and why it failed."""

    list_display = ("started_at", "portfolio", "status", "code", "label", "finished_at")
    list_filter = ("status", "code")
    search_fields = ("id", "portfolio__slug", "label")
    list_select_related = ("portfolio",)


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    """What was read from where."""

    list_display = ("place", "kind", "method", "outcome", "code", "portfolio", "read_at")
    list_filter = ("kind", "method", "outcome")
    search_fields = ("id", "place", "doc_id", "portfolio__slug")
    list_select_related = ("portfolio",)
    exclude = ("text", "upload")


@admin.register(IndexBuild)
class IndexBuildAdmin(ReadOnlyAdmin):
    """The index of each portfolio."""

    list_display = ("portfolio", "space", "dimension", "is_active", "created_at")
    search_fields = ("id", "portfolio__slug")
    list_select_related = ("portfolio",)


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """What visitors may be told."""

    list_display = ("title", "corpus", "facet", "doc_id", "build")
    list_filter = ("corpus", "facet")
    search_fields = ("title", "doc_id", "build__portfolio__slug")
    list_select_related = ("build",)
