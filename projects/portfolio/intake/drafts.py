"""Drafts: records as they were read, with their place in the source, before anybody confirmed them.

A draft is JSON in its source's row until its owner has checked it; confirmed ones are a corpus.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
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


@dataclass(frozen=True)
class Kind:
    """A kind of draft: its fields in the order of the page, those that must be filled in."""

    name: str | Promise
    prefix: str
    fields: Sequence[str]
    required: Sequence[str]
    identity: Sequence[str]


_POSITION: Final = (
    *("title", "company", "location", "started", "ended", "is_current"),
    *("summary", "bullets", "skills"),
)
_ENTRY: Final = (
    *("title", "summary", "description", "bullets", "tech_stack", "languages", "tags"),
    *("role", "organization", "started", "ended", "impact", "size_or_scope", "live_url"),
)
_PROFILE: Final = ("full_name", "headline", "current_role", "location", "about", "top_skills")
_DOCUMENT: Final = ("title", "issuer", "date", "summary")
KINDS: Final[Mapping[str, Kind]] = {
    "entry": Kind(_("Entry"), "project", _ENTRY, ("title",), ("title",)),
    "profile": Kind(_("Profile"), "", _PROFILE, (), ()),
    "position": Kind(_("Position"), "exp", _POSITION, ("company",), ("company", "started")),
    "volunteering": Kind(_("Volunteering"), "exp", _POSITION, ("company",), ("company", "started")),
    "education": Kind(
        _("Education"),
        "edu",
        ("degree", "field", "institution", "started", "ended", "summary", "bullets"),
        ("institution",),
        ("institution", "degree"),
    ),
    "award": Kind(_("Award"), "award", _DOCUMENT, ("title",), ("title",)),
    "publication": Kind(_("Publication"), "cred", _DOCUMENT, ("title",), ("title",)),
    "certificate": Kind(_("Certificate"), "cred", _DOCUMENT, ("title",), ("title",)),
    "language": Kind(_("Language"), "cred", ("title", "level"), ("title",), ("title",)),
    "skill": Kind(_("Skill"), "skill", ("name", "category"), ("name",), ("name",)),
}
LABELS: Final[Mapping[str, str | Promise]] = {
    "title": _("Title"),
    "company": _("Company or organisation"),
    "location": _("Where"),
    "started": _("From"),
    "ended": _("Until"),
    "is_current": _("It goes on"),
    "summary": _("In short"),
    "bullets": _("What you did"),
    "skills": _("Skills used there"),
    "degree": _("Degree"),
    "field": _("In what"),
    "institution": _("School or university"),
    "issuer": _("Published or given by"),
    "date": _("When"),
    "level": _("Level"),
    "name": _("Skill"),
    "category": _("Kind of skill"),
    "headline": _("Headline"),
    "about": _("About"),
    "full_name": _("Name"),
    "current_role": _("What you do now"),
    "top_skills": _("What you are known for"),
    "description": _("Description"),
    "tech_stack": _("Made with"),
    "languages": _("Programming languages"),
    "tags": _("Tags"),
    "role": _("Your part"),
    "organization": _("For whom"),
    "impact": _("What came of it"),
    "size_or_scope": _("How large"),
    "live_url": _("Where it can be seen"),
}
LISTS: Final = frozenset(
    {"bullets", "skills", "about", "top_skills", "tech_stack", "languages", "tags"}
)
TEXTS: Final = LISTS | {"summary", "description", "impact", "size_or_scope"}
"""Fields of more than a line."""
MONTHS: Final = frozenset({"started", "ended", "date"})


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
    told = {named.get(name, name): value for name, value in values.items()}
    context = ProjectContext(
        type=values.get("context", "other"),
        organization=values.get("organization"),
        role=values.get("role"),
        timeframe=_dates(values),
    )
    slug = slugify(doc_id)[:120] or "project"
    return ProjectDoc.model_validate({**told, "id": doc_id, "slug": slug, "context": context})


def _filled(draft: Draft) -> dict[str, Any]:
    return {name: value for name, value in draft.values.items() if value not in ("", None)}


def _dates(values: Mapping[str, Any]) -> Dates:
    return Dates(start=values.get("started"), end=values.get("ended"))
