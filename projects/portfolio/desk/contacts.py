"""Contact data in everything that is public, or would be: each hit named, with where to mend it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Model
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from projects.portfolio import blocks
from projects.portfolio.contact import Kind, find_contacts
from projects.portfolio.models import (
    Award,
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

AROUND: Final = 60
KINDS: Final[dict[Kind, str | Promise]] = {
    "mail": _("Mail address"),
    "phone": _("Telephone number"),
    "post": _("Postal address"),
}
_RECORDS: Final[dict[type[Model], tuple[str, tuple[str, ...]]]] = {
    Experience: (
        "experience",
        ("company", "title", "location", "summary", "bullets", "skills", "impact", "size_or_scope"),
    ),
    Education: ("education", ("institution", "degree", "field", "summary", "bullets", "skills")),
    Award: ("award", ("title", "issuer", "summary", "bullets", "skills")),
    Skill: ("skill", ("name", "category", "summary")),
    Profile: (
        "profile",
        (
            "full_name",
            "headline",
            "location",
            "current_role",
            "about",
            "top_skills",
            "social_links",
        ),
    ),
    Persona: (
        "persona",
        ("short_about", "system_persona", "style_guidelines", "voice_examples"),
    ),
}
_ENTRY: Final = (
    *("title", "entry_type", "location", "summary", "description", "impact", "size_or_scope"),
    *("blocks", "bullets", "tech_stack", "languages", "tags", "materials", "techniques"),
    *("organization", "role", "repository_url", "live_url", "seo_title", "seo_description"),
)
_PORTFOLIO: Final = ("owner_name", "domain_label", "pronouns", "slug")


@dataclass(frozen=True)
class Hit:
    """Contact data in one field of one row. `key` names it for “leave it”."""

    kind: Kind
    text: str
    before: str
    after: str
    where: str
    field: str
    url: str
    key: str

    @property
    def kind_name(self) -> str | Promise:
        """What it is, in words."""
        return KINDS[self.kind]


def hits_of(portfolio: Portfolio) -> list[Hit]:
    """All contact data in what is public. Ten queries."""
    return [
        hit for row, fields, url in _public_rows(portfolio) for hit in _in_row(row, fields, url)
    ]


Url = Callable[[], str]


def _public_rows(portfolio: Portfolio) -> Iterator[tuple[Model, tuple[str, ...], str]]:
    pk = portfolio.pk
    own = {"portfolio": portfolio, "deleted_at": None}
    yield portfolio, _PORTFOLIO, reverse("portfolio:settings", args=[pk])
    entries = Entry.objects.filter(**own, status=Entry.Status.PUBLISHED)
    for entry in entries:
        yield entry, _ENTRY, entry_url(entry)
    images = EntryImage.objects.filter(entry__in=entries, deleted_at=None).select_related("entry")
    for image in images:
        yield image, ("alt", "caption"), entry_url(image.entry)
    for model, (kind, fields) in _RECORDS.items():
        for row in model._default_manager.filter(**own):
            yield row, fields, _record_url(pk, kind, row.pk)
    answered = OpenQuestion.objects.filter(**own, status=OpenQuestion.Status.ANSWERED)
    for question in answered:
        at = reverse("portfolio_desk:inbox", args=[pk])
        yield question, ("question", "answer"), f"{at}?tab=answered#question-{question.pk}"


def entry_url(entry: Entry) -> str:
    """Where the owner works on an entry."""
    return f"/portfolio/{entry.portfolio_id}/entries/{entry.pk}"


def _record_url(portfolio_id: Any, kind: str, row_id: Any) -> str:
    return reverse("portfolio:record", args=[portfolio_id, kind, row_id])


def _in_row(row: Model, fields: tuple[str, ...], url: str) -> Iterator[Hit]:
    for name in fields:
        label = str(getattr(row._meta.get_field(name), "verbose_name", name)).capitalize()
        for text in _texts(getattr(row, name)):
            for one in find_contacts(text):
                end = one.start + len(one.text)
                told = f"{row._meta.label} {row.pk} {name} {one.kind} {one.text}"
                yield Hit(
                    kind=one.kind,
                    text=text[one.start : end],
                    before=_tail(text[: one.start]),
                    after=_head(text[end:]),
                    where=str(row),
                    field=label,
                    url=url,
                    key=hashlib.sha256(told.encode()).hexdigest()[:16],
                )


def _head(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND]}…"


def _tail(text: str) -> str:
    return text if len(text) <= AROUND else f"…{text[-AROUND:]}"


def _texts(value: Any) -> Iterator[str]:
    """The texts of a field: of a list each, of blocks their words, of links label and address."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and isinstance(value[0], dict) and "type" in value[0]:
        try:
            yield blocks.text_of(value)
        except ValidationError:
            yield str(value)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        yield from (str(one) for one in value.values() if one)
