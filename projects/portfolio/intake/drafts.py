"""Drafts: records as they were read, with their place in the source, before anybody confirmed them.

A draft is JSON in its source's row until its owner has checked it; confirmed ones are a corpus.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from projects.portfolio.corpus import (
    AwardRecord,
    Corpus,
    CredentialRecord,
    Dates,
    EducationRecord,
    ExperienceRecord,
    ProfileDoc,
    ProjectContext,
    ProjectDoc,
    ResumeDoc,
    SkillRecord,
)
from projects.portfolio.intake.ids import id_of
from projects.portfolio.schema import entry, records
from projects.portfolio.schema.tables import Field, Text, Values


@dataclass(frozen=True)
class Kind:
    """A kind of draft: its fields in the order of the page, and what its id is made of."""

    name: Text
    fields: tuple[Field, ...]
    values: type[Values]
    prefix: str = ""
    identity: Sequence[str] = ()
    required: Sequence[str] = ()


def _of(slug: str, name: Text = "", *, without: Collection[str] = ()) -> Kind:
    """A kind of the schema's records, as far as a source can say it."""
    kind = records.KINDS[slug]
    fields = _readable(kind.fields, without)
    needed = [field.name for field in fields if field.is_required and kind.prefix]
    return Kind(name or kind.name, fields, kind.values, kind.prefix, kind.names, needed)


def _readable(fields: Iterable[Field], without: Collection[str]) -> tuple[Field, ...]:
    return tuple(
        field
        for field in fields
        if field.name not in without and not field.is_private and not field.shape.is_rows
    )


# what no source says of an entry
_UNSAID: Final = frozenset(
    {"seo_title", "seo_description", "hide_from_chat", "private_notes"}
    | {"entry_type", "location", "materials", "techniques"}
)
_SPOKEN: Final = frozenset({"kind", "issuer", "date", "summary"})
KINDS: Final[Mapping[str, Kind]] = {
    "entry": Kind(
        _("Entry"),
        _readable(entry.FIELDS, _UNSAID),
        entry.EntryFields,
        "project",
        ("title",),
        ("title",),
    ),
    "profile": _of("profile"),
    "position": _of("experience", _("Position")),
    "volunteering": _of("experience", _("Volunteering"), without={"experience_type"}),
    "education": _of("education"),
    "award": _of("awards", _("Award")),
    "publication": _of("credentials", _("Publication"), without={"kind", "level"}),
    "certificate": _of("credentials", _("Certificate"), without={"kind", "level"}),
    "language": _of("credentials", _("Language"), without=_SPOKEN),
    "skill": _of("skills", _("Skill")),
}


@dataclass
class Draft:
    """A record that waits to be confirmed; `kind` is empty where nobody knows what it is.

    `start` and `end` are its place in the source's text; both 0 for none. `unsure` names fields
    that were left empty or could not be verified, `corrected` those that a person has written.
    """

    kind: str
    start: int = 0
    end: int = 0
    values: dict[str, Any] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    doc_id: str = ""
    key: str = field(default_factory=lambda: uuid.uuid4().hex[:8])

    @property
    def missing(self) -> list[str]:
        """Fields without which it cannot be stored; `kind` where that is not known."""
        if self.kind not in KINDS:
            return ["kind"]
        return [name for name in KINDS[self.kind].required if not self.values.get(name)]

    @property
    def title(self) -> str:
        """What it is called in a list."""
        named = ("full_name", "title", "company", "degree", "institution", "name", "headline")
        return " — ".join(str(self.values[one]) for one in named if self.values.get(one))


def as_json(drafts: Iterable[Draft]) -> list[dict[str, Any]]:
    """Drafts as their source keeps them."""
    return [asdict(one) for one in drafts]


def from_json(stored: Iterable[Mapping[str, Any]]) -> list[Draft]:
    """Drafts of a source."""
    return [Draft(**one) for one in stored]


def identified(drafts: Sequence[Draft], taken: Iterable[str] = ()) -> list[Draft]:
    """Gives ids to those that have none, made of what was read: correcting does not change them."""
    ids = {*taken, *(one.doc_id for one in drafts)}
    for one in drafts:
        if one.doc_id or one.kind not in KINDS or not KINDS[one.kind].prefix:
            continue
        kind = KINDS[one.kind]
        words = [str(one.values.get(name) or "") for name in kind.identity]
        if kind.prefix == "exp":
            words[1] = words[1][:4]
        one.doc_id = id_of(kind.prefix, *words, taken=ids)
        ids.add(one.doc_id)
    return list(drafts)


_RECORDS: Final[Mapping[str, type[ResumeDoc]]] = {
    "position": ExperienceRecord,
    "volunteering": ExperienceRecord,
    "education": EducationRecord,
    "award": AwardRecord,
    "publication": CredentialRecord,
    "certificate": CredentialRecord,
    "language": CredentialRecord,
    "skill": SkillRecord,
}


def record_of(draft: Draft) -> ResumeDoc | None:
    """A complete draft as a record of the corpus; None for what lacks or is no record."""
    if draft.missing or draft.kind not in _RECORDS:
        return None
    values = _filled(draft)
    more: dict[str, Any] = {"id": draft.doc_id, "dates": _dates(values), "type": draft.kind}
    if draft.kind == "volunteering":
        more["experience_type"] = "volunteer"
    elif draft.kind == "position":
        more["experience_type"] = values.get("experience_type", "full_time")
    return _RECORDS[draft.kind].model_validate({"title": "", **values, **more})


def corpus_of(drafts: Iterable[Draft], owner_name: str) -> Corpus:
    """What complete drafts say, in the spec's shapes. Of several profiles the last counts."""
    corpus = Corpus()
    for one in drafts:
        values = _filled(one)
        if one.kind == "profile":
            corpus.profile = ProfileDoc.model_validate({"full_name": owner_name, **values})
        elif one.kind == "entry" and not one.missing:
            corpus.projects.append(_project_of(one.doc_id, values))
        elif (record := record_of(one)) is not None:
            corpus.resume.append(record)
    return corpus


def _project_of(doc_id: str, values: dict[str, Any]) -> ProjectDoc:
    named = {"title": "name", "summary": "one_liner", "impact": "impact_summary"}
    named["repository_url"] = "github_url"
    renamed = {named.get(name, name): value for name, value in values.items()}
    context = ProjectContext(
        type=values.get("context", "other"),
        organization=values.get("organization"),
        role=values.get("role"),
        timeframe=_dates(values),
    )
    slug = slugify(doc_id)[:120] or "project"
    return ProjectDoc.model_validate({**renamed, "id": doc_id, "slug": slug, "context": context})


def _filled(draft: Draft) -> dict[str, Any]:
    return {name: value for name, value in draft.values.items() if value not in ("", None)}


def _dates(values: Mapping[str, Any]) -> Dates:
    return Dates(start=values.get("started"), end=values.get("ended"))
