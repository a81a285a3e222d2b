"""What the fields of portfolios are called in the history and in the admin: as forms call them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from projects.portfolio.schema.kinds import TABLES

FIELDS: Final = {
    **{
        f"{model.__name__}.{field.name}": field.label
        for model, fields in TABLES.items()
        for field in fields
    },
    "alt": _("Alternative text"),
    "answer": _("owner's answer"),
    "answered_at": _("answered"),
    "attempts": _("attempts"),
    "blocks": _("Story"),
    "build": _("search index"),
    "calls": _("model calls"),
    "caption": _("caption"),
    "commit": _("commit"),
    "corpus": _("part of the index"),
    "cost_usd": _("cost (USD)"),
    "doc_id": _("document ID"),
    "drafts": _("drafts"),
    "ended": _("end"),
    "entry": _("entry"),
    "facet": _("facet"),
    "featured_experiences": _("Experience"),
    "generated_at": _("generated"),
    "given_at": _("given"),
    "image": _("stored picture"),
    "is_by_rules": _("without a model"),
    "is_current": _("current"),
    "is_employment": _("employment"),
    "is_hero": _("Hero image"),
    "kept_fields": _("fields edited by hand"),
    "keywords": _("keywords"),
    "label": _("label"),
    "linked": _("linked documents"),
    "model": _("model"),
    "month": _("month"),
    "note": _("note"),
    "outcome": _("outcome"),
    "photo": _("photo"),
    "photo_alt": _("Alternative text of the photo"),
    "place": _("place"),
    "portfolio": _("portfolio"),
    "prompt_version": _("prompt version"),
    "published_at": _("published"),
    "question": _("question"),
    "questions": _("questions"),
    "read_at": _("time of reading"),
    "reply_to": _("Email"),
    "schema_version": _("schema version"),
    "sender": _("Name"),
    "slug": _("Address"),
    "started": _("start"),
    "unknown_calls": _("calls without a price"),
    "upload": _("uploaded file"),
    "wish": _("wishes"),
}
