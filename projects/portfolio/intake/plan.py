"""What a run changes: new, changed and vanished rows; what a person has put right stays."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from chat.operations.changes import Change, Create, Delete, Update
from projects.portfolio.corpus import (
    AwardRecord,
    Corpus,
    CredentialRecord,
    Dates,
    EducationRecord,
    ExperienceRecord,
    PersonaSummary,
    ProfileDoc,
    ProjectDoc,
    ResumeDoc,
    SkillRecord,
)
from projects.portfolio.documents import Row
from projects.portfolio.intake.config import Owner
from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Entry,
    Experience,
    OpenQuestion,
    Persona,
    Portfolio,
    Profile,
    Skill,
)
from projects.portfolio.models.portfolio import Belonging

# names of the ledger, by model
ENTITIES: Final[dict[type[Belonging], str]] = {
    Entry: "portfolio_entry",
    Experience: "portfolio_experience",
    Education: "portfolio_education",
    Award: "portfolio_award",
    Credential: "portfolio_credential",
    Skill: "portfolio_skill",
    Profile: "portfolio_profile",
    Persona: "portfolio_persona",
}
RECORDS: Final[dict[type[ResumeDoc], type[Belonging]]] = {
    ExperienceRecord: Experience,
    EducationRecord: Education,
    AwardRecord: Award,
    CredentialRecord: Credential,
    SkillRecord: Skill,
}


_RENAMED: Final = {"impact_summary": "impact", "type": "kind"}


@dataclass
class Plan:
    """The changes of a run, and the rows as they will stand."""

    portfolio_id: uuid.UUID
    changes: list[Change] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    links: dict[str, list[str]] = field(default_factory=dict)
    left_alone: int = 0


@dataclass(frozen=True)
class Origin:
    """Which source a document was read from, by its id; the resume's and profile's by kind."""

    by_doc: Mapping[str, uuid.UUID]
    resume: uuid.UUID | None = None
    profile: uuid.UUID | None = None
    persona: uuid.UUID | None = None


def plan(owner: Owner, portfolio: Portfolio | None, corpus: Corpus, origin: Origin) -> Plan:
    """What has to change so that the portfolio holds this corpus."""
    found = Plan(portfolio.pk if portfolio else uuid.uuid4())
    found.changes += _of_portfolio(owner, portfolio, found.portfolio_id)
    entries = Table(found, Entry, portfolio)
    for place, project in enumerate(corpus.projects):
        values = {**project_values(project), "position": place}
        entries.put(project.id, values, origin.by_doc.get(project.id))
    entry_ids = {row.doc_id: row.pk for row in entries.rows}
    tables: dict[type[Belonging], Table] = {Entry: entries}
    for model in RECORDS.values():
        tables[model] = Table(found, model, portfolio)
    for place, record in enumerate(corpus.resume):
        values = {**record_values(record), "position": place}
        if isinstance(record, ExperienceRecord):
            linked = [entry_ids[one] for one in record.linked_projects if one in entry_ids]
            values["linked_entries"] = sorted(str(one) for one in linked)
        tables[RECORDS[type(record)]].put(record.id, values, origin.resume)
    for model, one, source in (
        (Profile, corpus.profile, origin.profile),
        (Persona, corpus.persona, origin.persona),
    ):
        tables[model] = Table(found, model, portfolio)
        if one is not None:
            tables[model].put("", single_values(one, corpus.private_contact), source)
    for table in tables.values():
        table.close(is_single=table.model in {Profile, Persona})
    found.rows += list(
        OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None) if portfolio else ()
    )
    _link(found, tables)
    return found


def _of_portfolio(owner: Owner, portfolio: Portfolio | None, key: uuid.UUID) -> list[Change]:
    values = {
        "owner_name": owner.owner_name,
        "pronouns": owner.owner_pronouns,
        "domain_label": owner.domain_label,
        "kind": owner.portfolio_kind,
    }
    if portfolio is None:
        return [Create("portfolio", {"slug": owner.owner_id, **values}, key)]
    changed = {name: value for name, value in values.items() if getattr(portfolio, name) != value}
    return [Update("portfolio", key, changed, portfolio.version)] if changed else []


class Table:
    """Rows of one kind: those that are there, against those that were read."""

    def __init__(
        self,
        plan: Plan,
        model: type[Belonging],
        portfolio: Portfolio | None,
        *,
        status: Entry.Status = Entry.Status.PUBLISHED,
    ) -> None:
        """`status` is that of new entries."""
        self.plan, self.model, self.entity = plan, model, ENTITIES[model]
        self.status = status
        self.now = timezone.now()
        living: Any = (
            model._default_manager.filter(portfolio=portfolio, deleted_at=None) if portfolio else []
        )
        self.before: dict[str, Any] = {getattr(row, "doc_id", ""): row for row in living}
        self.links_before = (
            {row.pk: sorted(str(one.pk) for one in row.linked_entries.all()) for row in living}
            if model is Experience
            else {}
        )
        self.rows: list[Any] = []
        self.links: dict[uuid.UUID, list[str]] = {}

    def put(
        self,
        doc_id: str,
        values: dict[str, Any],
        source: uuid.UUID | None,
        corrected: Collection[str] = (),
    ) -> None:
        """The row will say this, save where a person has put it right before.

        `corrected` are fields that a person has put right now; they are theirs from then on.
        """
        row = self.before.get(doc_id)
        links = values.pop("linked_entries", None)
        if corrected:
            earlier = row.kept_fields if row is not None else ()
            values["kept_fields"] = sorted({*earlier, *corrected})
        if row is None:
            row = self._created(doc_id, values, links, source)
        else:
            row = self._updated(row, values, links, source, corrected)
        self.rows.append(row)

    def _created(
        self, doc_id: str, values: dict[str, Any], links: list[str] | None, source: uuid.UUID | None
    ) -> Any:
        told = {**values, "portfolio": self.plan.portfolio_id, "source": source}
        if doc_id:
            told["doc_id"] = doc_id
        if self.model is Entry:
            is_public = self.status == Entry.Status.PUBLISHED
            told |= {
                "status": self.status,
                "published_at": self.now if is_public else None,
                "slug": self._free_slug(str(values["slug"])),
            }
        change = Create(self.entity, told if links is None else {**told, "linked_entries": links})
        self.plan.changes.append(change)
        plain = {name: value for name, value in told.items() if name not in {"portfolio", "source"}}
        self.links[change.id] = links or []
        made: Any = self.model
        return made(pk=change.id, portfolio_id=self.plan.portfolio_id, source_id=source, **plain)

    def _updated(
        self,
        before: Any,
        values: dict[str, Any],
        links: list[str] | None,
        source: uuid.UUID | None,
        corrected: Collection[str] = (),
    ) -> Any:
        kept = {*before.kept_fields, "slug"} - {*corrected}
        changed = {
            name: value
            for name, value in values.items()
            if name not in kept and getattr(before, name) != value
        }
        row = copy.copy(before)
        for name, value in changed.items():
            setattr(row, name, value)
        self.links[row.pk] = self.links_before.get(row.pk, [])
        if links is not None and "linked_entries" not in kept and links != self.links[row.pk]:
            changed["linked_entries"] = self.links[row.pk] = links
        told = {name: value for name, value in changed.items() if name != "generated_at"}
        if told:
            changed["source"] = source
            self.plan.changes.append(Update(self.entity, row.pk, changed, before.version))
        self.plan.left_alone += not told
        return row

    def _free_slug(self, wanted: str) -> str:
        taken = {one.slug for one in (*self.before.values(), *self.rows)}
        found, number = wanted, 1
        while found in taken:
            number += 1
            found = f"{wanted}-{number}"
        return found

    def close(
        self, *, is_single: bool = False, sources: Collection[uuid.UUID] | None = None
    ) -> None:
        """What was read once and is not there any more goes; what has no source stays.

        With `sources`, only what was read from one of those goes, and nothing that a person has
        put right.
        """
        known = {row.pk for row in self.rows}
        for row in self.before.values():
            if row.pk in known:
                continue
            stays = row.source_id is None or is_single
            if sources is not None:
                stays = stays or row.source_id not in sources or bool(row.kept_fields)
            if stays:
                self.rows.append(row)
                self.links[row.pk] = self.links_before.get(row.pk, [])
            else:
                self.plan.changes.append(Delete(self.entity, row.pk, row.version))
        self.plan.rows += [one for one in self.rows if not isinstance(one, Persona)]


def _link(found: Plan, tables: Mapping[type[Belonging], Table]) -> None:
    """Projects of each position, by their ids in the corpus."""
    names = {str(row.pk): row.doc_id for row in tables[Entry].rows}
    table = tables[Experience]
    for row in table.rows:
        linked = [names[one] for one in table.links.get(row.pk, []) if one in names]
        if linked:
            found.links[row.doc_id] = linked


def _months(dates: Dates | None) -> dict[str, str]:
    return {
        "started": (dates.start if dates else None) or "",
        "ended": (dates.end if dates else None) or "",
    }


def project_values(one: ProjectDoc) -> dict[str, Any]:
    """What a project says, by the fields of its row."""
    return {
        "slug": one.slug,
        "title": one.name[:200],
        "summary": one.one_liner[:400],
        "description": one.description,
        "impact": one.impact_summary or "",
        "size_or_scope": one.size_or_scope or "",
        "tech_stack": one.tech_stack,
        "languages": one.languages,
        "tags": one.tags,
        "bullets": one.bullets,
        "context": one.context.type,
        "organization": (one.context.organization or "")[:200],
        "role": (one.context.role or "")[:200],
        **_months(one.context.timeframe),
        "repository_url": one.github_url or "",
        "live_url": one.live_url or "",
    }


def record_values(one: ResumeDoc) -> dict[str, Any]:
    """What a record of the resume says, by the fields of its row, cut to what these hold."""
    model = RECORDS[type(one)]
    told = one.model_dump(
        exclude={"id", "kind", "dates", "linked_projects", "months_of_experience"}
    )
    values = {_RENAMED.get(name, name): value for name, value in told.items()}
    if isinstance(one, (ExperienceRecord, EducationRecord)):
        values |= _months(one.dates)
    return {name: _fitted(model, name, value) for name, value in values.items()}


def _fitted(model: type[Belonging], name: str, value: Any) -> Any:
    """A value as the field of a row takes it: no text for None, no more than fits."""
    if value is None:
        return ""
    size = getattr(model._meta.get_field(name), "max_length", None)
    return value[:size] if isinstance(value, str) and size else value


def single_values(
    one: ProfileDoc | PersonaSummary, private_contact: Sequence[str] = ()
) -> dict[str, Any]:
    """What a profile or persona says, by the fields of its row."""
    if isinstance(one, PersonaSummary):
        return {
            "system_persona": one.system_persona,
            "short_about": one.short_about[:400],
            "style_guidelines": one.style_guidelines,
            "voice_examples": one.voice_examples,
            "generated_at": one.generated_at,
        }
    return {
        "full_name": one.full_name[:200],
        "headline": (one.headline or "")[:300],
        "location": (one.location or "")[:200],
        "current_role": (one.current_role or "")[:200],
        "about": one.about,
        "top_skills": one.top_skills,
        "featured_experiences": one.featured_experiences,
        "social_links": [link.model_dump(exclude_none=True) for link in one.social_links],
        "private_contact": list(private_contact),
    }
