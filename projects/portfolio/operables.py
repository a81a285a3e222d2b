"""What the ledger of changes must know of the models of a portfolio."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from chat.operations.registry import Operable, Plain, register
from projects.portfolio import forgetting, undecided
from projects.portfolio.entries import publishing, stories
from projects.portfolio.index import refresh
from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Entry,
    EntryImage,
    Experience,
    OpenQuestion,
    Persona,
    Portfolio,
    Profile,
    Skill,
)

BELONGING: Final = ("portfolio", "source", "kept_fields")
IN_PORTFOLIO: Final = ("portfolio",)
RECORD: Final = ("doc_id", "position", *BELONGING)
# the machinery's own, which no log of changes shows
QUIET: Final = frozenset({*RECORD, "published_at", "answered_at", "generated_at", "image"})
LABELS: Final = {
    "seo_title": _("Title for search engines"),
    "seo_description": _("Description for search engines"),
    "entry_type": _("Type"),
    "tech_stack": _("Technologies"),
    "system_persona": _("Who is speaking"),
    "is_hero": _("Hero image"),
    "alt": _("Alternative text"),
}
ENTRY_FIELDS: Final = (
    *("project", "slug", "status", "published_at", "hide_from_chat", "title", "entry_type"),
    *("location", "summary", "description", "impact", "size_or_scope", "blocks", "bullets"),
    *("tech_stack", "languages", "tags", "materials", "techniques", "context", "organization"),
    *("role", "started", "ended", "repository_url", "live_url", "seo_title", "seo_description"),
    "private_notes",
)
EXPERIENCE_FIELDS: Final = (
    *("company", "title", "location", "started", "ended", "is_current", "experience_type"),
    *("summary", "bullets", "skills", "impact", "size_or_scope", "linked_entries"),
    "private_notes",
)


def _told(*names: str) -> Callable[[Plain], str]:
    """A title made of the fields that say something."""
    return lambda values: " — ".join(str(values[one]) for one in names if values.get(one))[:80]


def _portfolio_url(key: uuid.UUID) -> str:
    return reverse("portfolio:overview", args=[key])


OPERABLES: Final = (
    Operable(
        "portfolio",
        Portfolio,
        (
            *("slug", "owner_name", "pronouns", "domain_label", "kind", "status"),
            *("published_at", "private_notes"),
        ),
        title=_told("owner_name"),
        sensitive=frozenset({"status"}),
        quiet=QUIET,
        changed=refresh.changed,
        erasing=forgetting.forget,
        refusal=undecided.refusal,
        url=_portfolio_url,
    ),
    Operable(
        "portfolio_entry",
        Entry,
        (*RECORD, *ENTRY_FIELDS),
        title=_told("title"),
        parents=IN_PORTFOLIO,
        sensitive=frozenset({"status"}),
        labels=LABELS,
        quiet=QUIET,
        said={"blocks": stories.in_words},
        # they have pages of their own, which know what goes with them
        read_only=frozenset({"status", "slug", "blocks"}),
        refusal=publishing.refusal,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_image",
        EntryImage,
        ("entry", "image", "alt", "caption", "position", "is_hero"),
        title=_told("alt"),
        parents=("entry",),
        labels=LABELS,
        quiet=QUIET,
    ),
    Operable(
        "portfolio_experience",
        Experience,
        (*RECORD, *EXPERIENCE_FIELDS),
        title=_told("title", "company"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_education",
        Education,
        (
            *RECORD,
            *("institution", "degree", "field", "started", "ended", "summary", "bullets", "skills"),
        ),
        title=_told("institution"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_award",
        Award,
        (*RECORD, "title", "issuer", "date", "summary", "bullets", "skills"),
        title=_told("title"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_credential",
        Credential,
        (*RECORD, "kind", "title", "issuer", "date", "level", "summary"),
        title=_told("title"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_skill",
        Skill,
        (*RECORD, "name", "category", "summary"),
        title=_told("name"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_profile",
        Profile,
        (
            *BELONGING,
            *("full_name", "headline", "location", "current_role", "about", "top_skills"),
            *("featured_experiences", "social_links", "private_contact"),
        ),
        title=_told("full_name"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
    Operable(
        "portfolio_persona",
        Persona,
        (
            *BELONGING,
            *("system_persona", "short_about", "style_guidelines", "voice_examples"),
            "generated_at",
        ),
        title=_told("short_about"),
        parents=IN_PORTFOLIO,
        labels=LABELS,
        quiet=QUIET,
    ),
    Operable(
        "portfolio_question",
        OpenQuestion,
        ("portfolio", "question", "status", "answer", "answered_at"),
        title=_told("question"),
        parents=IN_PORTFOLIO,
        quiet=QUIET,
        changed=refresh.changed,
    ),
)


def register_all() -> None:
    """Called once, when the app is ready."""
    for one in OPERABLES:
        register(one)
