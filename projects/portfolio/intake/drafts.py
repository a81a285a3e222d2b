"""Drafts: records as they were read, with their place in the source, before anybody confirmed them.

A draft is JSON in its source's row until its owner has checked it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.portfolio.corpus import (
    AwardRecord,
    CredentialRecord,
    Dates,
    EducationRecord,
    ExperienceRecord,
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
_DOCUMENT: Final = ("title", "issuer", "date", "summary")
KINDS: Final[Mapping[str, Kind]] = {
    "profile": Kind(_("Profile"), "", ("headline", "location", "about"), (), ()),
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
}
LISTS: Final = frozenset({"bullets", "skills", "about"})
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
        named = ("title", "company", "degree", "institution", "name", "headline")
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
    """A complete draft as a record of the corpus; None for a profile and for one that lacks."""
    if draft.missing or draft.kind == "profile":
        return None
    told = {name: value for name, value in draft.values.items() if value not in ("", None)}
    dates = Dates(start=told.get("started"), end=told.get("ended"))
    more: dict[str, Any] = {"id": draft.doc_id, "dates": dates, "type": draft.kind}
    if draft.kind == "volunteering":
        more["experience_type"] = "volunteer"
    elif draft.kind == "position":
        more["experience_type"] = told.get("experience_type", "full_time")
    return _RECORDS[draft.kind].model_validate({"title": "", **told, **more})
