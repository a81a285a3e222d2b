"""What the rows of a portfolio hold: the fields of an entry, of a portfolio as a whole, and of each
kind of record, for commands, forms, the ledger and words alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any, Final

from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from chat.operations.registry import OperableModel
from projects.portfolio import models
from projects.portfolio.entries import limits
from projects.portfolio.models.portfolio import VISITORS_OWN, Belonging
from projects.portfolio.schema.fields import (
    ROWS,
    TICK,
    Field,
    Text,
    Values,
    address,
    choice,
    exchanges,
    line,
    lines,
    links,
    month,
    paragraphs,
    prose,
    shape,
    values_model,
    words,
    wrong,
)

PRIVATE: Final = _("Private: never shown, never searched, never sent to a model.")
_SINCE: Final = _("For example 2021-03 or 2021.")
_EACH: Final = _("One per line.")
_COMMAS: Final = _("Separate with commas.")
_SPAN: Final = (
    Field("started", month(), pgettext_lazy("date", "Start"), _SINCE),
    Field(
        "ended",
        month(" None while it goes on; where one date is all that was told, the start again."),
        _("End"),
        _("Leave empty if it is current."),
    ),
)

# Entries ----------------------------------------------------------------------------------------
CONTEXTS: Final[Mapping[str, Any]] = {
    "work": _("At work"),
    "personal": _("Personal"),
    "oss": _("Open source"),
    "academic": _("Research or studies"),
    "other": _("Other"),
}
_TEXT: Final = prose(limits.TEXT_CHARS)
_WORDS: Final = words(limits.WORDS_EACH, limits.WORD_CHARS)
_BULLETS: Final = lines(limits.BULLETS, limits.BULLET_CHARS, rows=4)
# name of the group, its fields, whether it is open at once
ENTRY_GROUPS: Final[tuple[tuple[Text, tuple[Field, ...], bool], ...]] = (
    ("", (
        Field("title", line(limits.TITLE_CHARS), _("Title"), _("Required to publish.")),
        Field("summary", line(limits.SUMMARY_CHARS), _("Summary"),
              _("One line: what it is and for whom. Required to publish.")),
        Field("entry_type", line(120), _("Type"),
              _("For example: web service, poster series, study.")),
        Field("location", line(200), _("Location")),
        Field("description", prose(limits.TEXT_CHARS, 4), _("Introduction"),
              _("Shown before the story. Supports Markdown.")),
    ), True),
    (_("Context and dates"), (
        Field("context", choice(CONTEXTS), _("Context")),
        Field("organization", line(200), _("Organisation")),
        Field("role", line(200), _("Your role")),
        *_SPAN,
    ), True),
    (_("Outcome"), (
        Field("impact", _TEXT, _("Outcome")),
        Field("size_or_scope", prose(limits.TEXT_CHARS, 2), _("Size")),
        Field("bullets", _BULLETS, _("Key points"), _EACH),
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
        Field("seo_description", line(320, 2), _("Description for search engines"),
              _("Leave empty to use the summary.")),
    ), False),
    (_("Private"), (
        Field("hide_from_chat", TICK, _("Hide from answers")),
        Field("private_notes", _TEXT, _("Private notes"), PRIVATE, is_private=True),
    ), False),
)  # fmt: skip
ENTRY: Final = tuple(field for _name, fields, _open in ENTRY_GROUPS for field in fields)
EntryFields: Final = values_model("EntryFields", ENTRY)


# The portfolio ------------------------------------------------------------------------------------
def _slug(value: object) -> str:
    text = str(value).strip()
    if text and not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text):
        raise wrong(gettext("Use lower-case letters, digits and single hyphens."))
    return text


LANGUAGES: Final = {**dict(settings.LANGUAGES), VISITORS_OWN: _("Each visitor's own")}
PORTFOLIO: Final = (
    Field("owner_name", line(200), _("Name"),
          _("Your name, or the name of your team or organisation."), is_required=True),
    Field("domain_label", line(120), _("Profession or field"),
          _("For example: software engineer, illustrator, research group."),
          is_required=True),
    Field("pronouns", line(60), _("Pronouns"), _("For example: she/her.")),
    Field("kind", choice({
        models.Portfolio.Kind.INDIVIDUAL: _("One person"),
        models.Portfolio.Kind.TEAM: _("A team"),
        models.Portfolio.Kind.ORGANIZATION: _("An organisation"),
    }), _("Owner"), _("Answers say “I” for a person, “we” for a team or an organisation.")),
    Field("slug", shape(_slug, size=80),
          _("Address of the public page"),
          _("Lower-case letters, digits and hyphens. Leave empty to use the name.")),
    Field("language", choice(LANGUAGES), _("Language of the public page"),
          _("A visitor can choose another one.")),
)  # fmt: skip
_PORTFOLIO: Final = (
    *PORTFOLIO,
    Field("private_notes", prose(), _("Private notes"), PRIVATE, is_private=True),
)
PortfolioFields: Final = values_model("PortfolioFields", _PORTFOLIO)

# Records ----------------------------------------------------------------------------------------
TYPES: Final[Mapping[str, Any]] = {
    models.Experience.Type.FULL_TIME: _("Employment"),
    models.Experience.Type.INTERNSHIP: _("Internship"),
    models.Experience.Type.CONTRACT: _("Contract"),
    models.Experience.Type.FREELANCE: _("Freelance"),
    models.Experience.Type.VOLUNTEER: _("Volunteering"),
    models.Experience.Type.OTHER: _("Other"),
}


@dataclass(frozen=True)
class Kind:
    """One kind. `prefix` begins the ids of its rows, which are made of `names`; without one a
    portfolio has a single row of it. `titles` are the fields that name a row. `fixed` are values
    that make a row this kind, among others of its table.
    """

    slug: str
    model: type[Belonging]
    name: Text
    add: Text
    none: Text
    fields: tuple[Field, ...]
    titles: tuple[str, ...]
    prefix: str = ""
    names: tuple[str, ...] = ()
    is_short: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_single(self) -> bool:
        return not self.prefix

    @property
    def required(self) -> list[str]:
        """Fields without which a row among several says nothing."""
        return [field.name for field in self.fields if field.is_required and not self.is_single]

    def id_for(self, values: Mapping[str, Any], taken: Iterable[str]) -> str:
        """The id of a row with these values; of a start the year counts."""
        years = {"started": 4}
        words = (str(values.get(name, ""))[: years.get(name)] for name in self.names)
        return id_of(self.prefix, *words, taken=taken)

    @cached_property
    def entity(self) -> str:
        return f"portfolio_{self.model.__name__.lower()}"

    @cached_property
    def values(self) -> type[Values]:
        return values_model(f"{self.model.__name__}Fields", self.fields)


_KINDS: Final = (
    Kind(
        "profile", models.Profile,
        _("Profile"), _("Add profile"),
        _("No profile yet. It tells visitors who you are and what you do."),
        (
            Field("full_name", line(200), _("Full name"), is_required=True),
            Field("headline", line(300), _("Headline"), _("One line about what you do.")),
            Field("location", line(200), _("Location")),
            Field("current_role", line(200), _("Current role")),
            Field("about", paragraphs(), _("About"), _("Separate paragraphs with an empty line.")),
            Field("top_skills", words(), _("Top skills"), _COMMAS),
            Field("social_links", links(), _("Links"),
                  _("One per line: name, address and an optional note.")),
            Field("private_contact", lines(), _("Email addresses and phone numbers"), PRIVATE,
                  is_private=True),
        ), ("full_name",),
    ),
    Kind(
        "experience", models.Experience,
        _("Experience"), _("Add position"),
        _("No positions yet. Add them from a resume or one by one."),
        (
            Field("company", line(200), _("Company or organisation"), is_required=True),
            Field("title", line(200), _("Position")),
            Field("location", line(200), _("Location")),
            *_SPAN,
            Field("is_current", TICK, _("Current position")),
            Field("experience_type", choice(TYPES), _("Type of position")),
            Field("summary", prose(), _("Summary")),
            Field("bullets", lines(rows=5), _("Highlights"), _EACH),
            Field("skills", words(), _("Skills"), _COMMAS),
            Field("impact", prose(rows=2), _("Outcome")),
            Field("size_or_scope", prose(rows=2), _("Size"),
                  _("For example: a team of four, nine countries.")),
            Field("linked_entries", ROWS, _("Related entries")),
            Field("private_notes", prose(rows=2), _("Private notes"), PRIVATE, is_private=True),
        ), ("title", "company"),
        prefix="exp", names=("company", "started"),
    ),
    Kind(
        "education", models.Education,
        _("Education"), _("Add education"),
        _("No education yet. Add it from a resume or one by one."),
        (
            Field("institution", line(200), _("School or university"), is_required=True),
            Field("degree", line(200), _("Degree"), _("For example: MSc.")),
            Field("field", line(200), _("Subject"), _("For example: ceramics.")),
            *_SPAN,
            Field("summary", prose(), _("Summary")),
            Field("bullets", lines(), _("Details"), _EACH),
            Field("skills", words(), _("Skills"), _COMMAS),
        ), ("institution",),
        prefix="edu", names=("institution", "degree"),
    ),
    Kind(
        "awards", models.Award,
        _("Awards"), _("Add award"),
        _("No awards yet. Add them from a resume or one by one."),
        (
            Field("title", line(200), _("Award"), is_required=True),
            Field("issuer", line(200), _("Awarded by")),
            Field("date", month(), _("Date"), _SINCE),
            Field("summary", prose(), _("Description")),
            Field("bullets", lines(), _("Details"), _EACH),
            Field("skills", words(), _("Skills"), _COMMAS),
        ), ("title",),
        prefix="award", names=("title",), is_short=True,
    ),
    Kind(
        "credentials", models.Credential,
        _("Publications, certificates, languages"),
        _("Add publication, certificate or language"),
        _("No publications, certificates or languages yet. "
          "Add them from a resume or one by one."),
        (
            Field("kind", choice(dict(models.Credential.Kind.choices)), _("Kind")),
            Field("title", line(400), _("Title or language"), is_required=True),
            Field("issuer", line(200), _("Publisher or issuer")),
            Field("date", month(), _("Date"), _SINCE),
            Field("level", line(60), _("Level"), _("For languages, for example: native, C1.")),
            Field("summary", prose(rows=2), _("Details")),
        ), ("title",),
        prefix="cred", names=("title",), is_short=True,
    ),
    Kind(
        "skills", models.Skill,
        _("Skills"), _("Add skill"),
        _("No skills yet. Add them from a resume or one by one."),
        (
            Field("name", line(120), _("Skill"), is_required=True),
            Field("category", line(60), _("Category"), _("For example: language, tool, craft.")),
            Field("summary", prose(rows=2), _("Level and experience")),
        ), ("name",),
        prefix="skill", names=("name",), is_short=True,
    ),
    Kind(
        "persona", models.Persona,
        _("Voice"), _("Describe your voice"),
        _("No voice yet. It is created from your profile, or you describe it yourself."),
        (
            Field("short_about", line(400), _("Introduction"), _("One or two lines."),
                  is_required=True),
            Field("system_persona", prose(rows=5), _("Description of the speaker"),
                  _("The model reads this before every answer."), is_required=True),
            Field("style_guidelines", lines(), _("Writing style"), _EACH),
            Field("voice_examples", exchanges(), _("Voice examples"),
                  _("One question and one answer each, as “USER: …” and “CHATBOT: …”.")),
        ), ("short_about",),
    ),
)  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = {kind.slug: kind for kind in _KINDS}
BY_ENTITY: Final = {kind.entity: kind for kind in _KINDS}
TABLES: Final[Mapping[type[OperableModel], tuple[Field, ...]]] = {
    models.Portfolio: _PORTFOLIO,
    models.Entry: ENTRY,
    **{kind.model: kind.fields for kind in _KINDS},
}


# Ids --------------------------------------------------------------------------------------------
_LONGEST_ID: Final = 80
_SIGNS: Final = {"+": " plus ", "#": " sharp ", "&": " and ", "@": " at "}


def id_of(kind: str, *words: str, taken: Iterable[str] = ()) -> str:
    """`kind_word_word` in lower-case ASCII; with a number behind it while it is taken."""
    text = " ".join(filter(None, words))
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    normalized = slugify(text).replace("-", "_")[:_LONGEST_ID].strip("_")
    return free(f"{kind}_{normalized}" if normalized else kind, set(taken), sign="_")


def free(stem: str, taken: Collection[str], *, sign: str = "-") -> str:
    """The stem, with a number behind it while it is taken."""
    numbered = (f"{stem}{sign}{number}" for number in count(2))
    return stem if stem not in taken else next(name for name in numbered if name not in taken)
