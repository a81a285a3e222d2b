"""The fields of an entry that are edited by name; its story, pictures and address are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.portfolio.entries import limits
from projects.portfolio.schema.shapes import (
    address,
    choice,
    line,
    lines,
    month,
    prose,
    tick,
    words,
)
from projects.portfolio.schema.tables import Field, values_model

PRIVATE: Final = _("Private: never shown, never searched, never sent to a model.")
CONTEXTS: Final[Mapping[str, Promise]] = {
    "work": _("At work"),
    "personal": _("Personal"),
    "oss": _("Open source"),
    "academic": _("Research or studies"),
    "other": _("Other"),
}
_TEXT: Final = prose(limits.TEXT_CHARS)
_WORDS: Final = words(limits.WORDS_EACH, limits.WORD_CHARS)
_BULLETS: Final = lines(limits.BULLETS, limits.BULLET_CHARS, rows=4)
_COMMAS: Final = _("Separate with commas")
# name of the group, its fields, whether it is open at once
GROUPS: Final[tuple[tuple[str | Promise, tuple[Field, ...], bool], ...]] = (
    ("", (
        Field("title", line(limits.TITLE_CHARS), _("Title"), _("Required to publish.")),
        Field("summary", line(limits.SUMMARY_CHARS), _("Summary"),
              _("One line: what it is and for whom. Required to publish.")),
        Field("entry_type", line(120), _("Type"),
              _("For example: web service, poster series, study.")),
        Field("location", line(200), _("Location")),
        Field("description", _TEXT.taller(4), _("Introduction"),
              _("Shown before the story. Supports Markdown.")),
    ), True),
    (_("Context and dates"), (
        Field("context", choice(CONTEXTS), _("Context")),
        Field("organization", line(200), _("Organisation")),
        Field("role", line(200), _("Your role")),
        Field("started", month(), pgettext_lazy("date", "Start"), _("For example 2024-06 or 2024")),
        Field("ended", month(), _("End"), _("Leave empty if it is current.")),
    ), True),
    (_("Outcome"), (
        Field("impact", _TEXT, _("Outcome")),
        Field("size_or_scope", _TEXT.taller(2), _("Size")),
        Field("bullets", _BULLETS, _("Key points"), _("One per line.")),
    ), True),
    (_("Tools and materials"), (
        Field("tech_stack", _WORDS, _("Technologies"), _COMMAS),
        Field("languages", _WORDS, _("Programming languages"), _COMMAS),
        Field("materials", _WORDS, _("Materials"), _COMMAS),
        Field("techniques", _WORDS, _("Techniques"), _COMMAS),
        Field("tags", _WORDS, _("Topics"), _COMMAS),
    ), True),
    (_("Links"), (
        Field("live_url", address(), _("Live page"), "https://…"),
        Field("repository_url", address(), _("Source code"), "https://…"),
    ), True),
    (_("Search engines"), (
        Field("seo_title", line(120), _("Title for search engines"),
              _("Leave empty to use the title.")),
        Field("seo_description", line(320).taller(2), _("Description for search engines"),
              _("Leave empty to use the summary.")),
    ), False),
    (_("Private"), (
        Field("hide_from_chat", tick(), _("Hide from answers")),
        Field("private_notes", _TEXT, _("Private notes"), PRIVATE, is_private=True),
    ), False),
)  # fmt: skip
FIELDS: Final = tuple(field for _name, fields, _open in GROUPS for field in fields)
EntryFields: Final = values_model("EntryFields", FIELDS)
