"""Django admin of portfolios: everything can be found and read; changes go through the ledger."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db.models import Model

from futura.admin import ReadOnlyAdmin
from projects.portfolio import models as of

_ALIVE: Final = ("deleted_at", admin.EmptyFieldListFilter)
_RECORDS: Final = (
    of.Experience, of.Education, of.Award, of.Credential, of.Skill, of.Profile, of.Persona,
)  # fmt: skip
# columns, filters, where it is searched, what columns follow
_TABLES: Final[dict[type[Model], tuple[Any, Any, Any, Any]]] = {
    of.Portfolio: (
        ("slug", "owner_name", "domain_label", "status", "owner", "deleted_at"),
        ("status", "kind", _ALIVE), ("id", "slug", "owner_name", "owner__id"), ("owner",),
    ),
    of.Entry: (
        ("title", "doc_id", "status", "portfolio", "updated_at", "deleted_at"),
        ("status", "context", _ALIVE), ("id", "title", "doc_id", "slug", "portfolio__slug"),
        ("portfolio",),
    ),
    of.EntryImage: (
        ("alt", "entry", "is_hero", "position", "deleted_at"), (_ALIVE,),
        ("id", "alt", "caption", "entry__title"), ("entry",),
    ),
    **dict.fromkeys(_RECORDS, (
        ("__str__", "portfolio", "updated_at", "deleted_at"), (_ALIVE,),
        ("id", "portfolio__slug"), ("portfolio",),
    )),
    of.OpenQuestion: (
        ("question", "status", "portfolio", "created_at", "deleted_at"), ("status", _ALIVE),
        ("id", "question", "portfolio__slug"), ("portfolio",),
    ),
    of.VisitMonth: (
        ("portfolio", "month", "questions", "calls", "unknown_calls", "cost_usd"), (),
        ("portfolio__slug",), ("portfolio",),
    ),
    of.Source: (
        ("place", "kind", "method", "outcome", "code", "portfolio", "read_at"),
        ("kind", "method", "outcome"), ("id", "place", "doc_id", "portfolio__slug"),
        ("portfolio",),
    ),
    of.IndexBuild: (
        ("portfolio", "space", "dimension", "is_active", "created_at"), (),
        ("id", "portfolio__slug"), ("portfolio",),
    ),
    of.Document: (
        ("title", "corpus", "facet", "doc_id", "build"), ("corpus", "facet"),
        ("title", "doc_id", "build__portfolio__slug"), ("build",),
    ),
}  # fmt: skip

for _model, (_columns, _filters, _searched, _followed) in _TABLES.items():
    _table: dict[str, Any] = {
        "list_display": _columns,
        "list_filter": _filters,
        "search_fields": _searched,
        "list_select_related": _followed,
        "exclude": ("text", "upload") if _model is of.Source else None,
    }
    admin.site.register(_model, type(f"{_model.__name__}Admin", (ReadOnlyAdmin,), _table))
