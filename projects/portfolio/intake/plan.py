"""What a reading changes: new, changed and vanished rows; what a person has put right stays.

Nothing is written here. Pages and the command make the same plan of the same corpus.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

from chat.operations.changes import Change, Create, Delete, Update
from chat.operations.models import Operation, OperationBatch
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

READ: Final = "portfolio_source"
"""The reason of a batch that stored what a page has read."""
REMOVED: Final = "portfolio_source_removed"
"""The reason of a batch that took away what was read from a source: it may be read again."""
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
_RENAMED: Final = {
    "impact_summary": "impact",
    "type": "kind",
    "name": "title",
    "one_liner": "summary",
    "github_url": "repository_url",
}


@dataclass(frozen=True)
class Origin:
    """Which source a document was read from, by its id; the resume's and profile's by kind.

    `replaced` are the sources whose place these take: rows of theirs that were not read again go.
    `corrected` names fields that a person has just put right, `companies` those at which an entry
    was made, both by id. New entries are published or drafts.
    """

    by_doc: Mapping[str, uuid.UUID] = field(default_factory=dict)
    resume: uuid.UUID | None = None
    profile: uuid.UUID | None = None
    persona: uuid.UUID | None = None
    replaced: Collection[uuid.UUID] = ()
    corrected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    companies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    status: Entry.Status = Entry.Status.PUBLISHED


@dataclass
class Plan:
    """The changes, the rows as they will stand, and projects by position (ids of both)."""

    portfolio_id: uuid.UUID
    changes: list[Change] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    links: dict[str, list[str]] = field(default_factory=dict)
    left_alone: int = 0
    left_out: int = 0


def plan(
    portfolio: Portfolio | None, corpus: Corpus, origin: Origin, owner: Owner | None = None
) -> Plan:
    """What has to change so that the portfolio says what this corpus says.

    Kinds of rows of which the corpus holds nothing stay as they are. `owner` changes who it is of.
    """
    result = Plan(portfolio.pk if portfolio else uuid.uuid4())
    if owner is not None:
        result.changes += _of_portfolio(owner, portfolio, result.portfolio_id)
    entries = Table(result, Entry, portfolio, origin)
    for place, project in enumerate(corpus.projects, start=len(entries.before)):
        values = {**project_values(project), "position": place}
        entries.put(project.id, values, origin.by_doc.get(project.id, origin.resume))
    entries.close(is_read=bool(corpus.projects))
    tables: list[Table] = [entries]
    for model in RECORDS.values():
        table = Table(result, model, portfolio, origin, entries)
        own = [one for one in corpus.resume if RECORDS[type(one)] is model]
        for place, record in enumerate(own):
            values = {**record_values(record), "position": place}
            table.put(record.id, values, origin.resume, getattr(record, "linked_projects", ()))
        table.close(is_read=bool(corpus.resume))
        tables.append(table)
    profiles = Table(result, Profile, portfolio, origin)
    if corpus.profile is not None:
        profiles.put("", profile_values(corpus.profile, corpus.private_contact), origin.profile)
    profiles.close(is_read=False)
    if corpus.persona is not None:
        add_persona(result, portfolio, corpus.persona, origin)
    for table in (*tables, profiles):
        result.rows += table.rows
    asked = OpenQuestion.objects.filter(portfolio=portfolio, deleted_at=None) if portfolio else ()
    result.rows += list(asked)
    return result


def add_persona(
    plan_: Plan, portfolio: Portfolio | None, persona: PersonaSummary, origin: Origin
) -> None:
    """Plans the voice as well: it is made of the rows of the plan."""
    values = {**persona.model_dump(), "short_about": persona.short_about[:400]}
    Table(plan_, Persona, portfolio, origin).put("", values, origin.persona)


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
        plan_: Plan,
        model: type[Belonging],
        portfolio: Portfolio | None,
        origin: Origin,
        entries: Table | None = None,
    ) -> None:
        """`entries` are those that positions are joined to."""
        self.plan, self.model, self.origin = plan_, model, origin
        self.entity = ENTITIES[model]
        rows: Any = model._default_manager.filter(portfolio=portfolio) if portfolio else None
        living = list(rows.filter(deleted_at=None)) if portfolio else []
        self.before: dict[str, Any] = {getattr(row, "doc_id", ""): row for row in living}
        self.unwanted = deleted_by_hand(model, portfolio) if portfolio else set()
        self.rows: list[Any] = []
        self.linked: dict[str, Sequence[str]] = {}
        self.entries: dict[str, uuid.UUID] = {}
        self.links_before: dict[uuid.UUID, set[uuid.UUID]] = {}
        if entries is not None and model is Experience:
            self.entries = {row.doc_id: row.pk for row in entries.rows}
            joined = model._default_manager.filter(portfolio=portfolio, deleted_at=None)
            for key, entry in joined.values_list("pk", "linked_entries"):
                self.links_before.setdefault(key, set()).update({entry} if entry else ())

    def put(
        self,
        doc_id: str,
        values: dict[str, Any],
        source: uuid.UUID | None,
        linked: Sequence[str] = (),
    ) -> None:
        """The row will say this, save where a person has put it right before or taken it away.

        `linked` are ids of entries that belong to a position, as its record says.
        """
        self.linked[doc_id] = linked
        if doc_id and doc_id in self.unwanted:
            self.plan.left_out += 1
            return
        row = self.before.get(doc_id)
        corrected = self.origin.corrected.get(doc_id, ())
        if corrected:
            earlier = row.kept_fields if row is not None else ()
            values["kept_fields"] = sorted({*earlier, *corrected})
        if row is None:
            row = self._created(doc_id, values, source)
        else:
            row = self._updated(row, values, source, corrected)
        self.rows.append(row)

    def _created(self, doc_id: str, values: dict[str, Any], source: uuid.UUID | None) -> Any:
        if doc_id:
            values["doc_id"] = doc_id
        if self.model is Entry:
            is_public = self.origin.status == Entry.Status.PUBLISHED
            values["status"] = self.origin.status
            values["published_at"] = timezone.now() if is_public else None
            values["slug"] = self._free_slug(str(values["slug"]))
        created = {**values, "portfolio": self.plan.portfolio_id, "source": source}
        key = uuid.uuid4()
        if links := self._linked(key, values):
            created["linked_entries"] = links
        self.plan.changes.append(Create(self.entity, created, key))
        model: Any = self.model
        return model(pk=key, portfolio_id=self.plan.portfolio_id, source_id=source, **values)

    def _updated(
        self,
        before: Any,
        values: dict[str, Any],
        source: uuid.UUID | None,
        corrected: Collection[str],
    ) -> Any:
        stays = {*before.kept_fields, "slug"} - {*corrected}
        if self.model is Entry:
            stays.add("position")
        changed = {
            name: value
            for name, value in values.items()
            if name not in stays and getattr(before, name) != value
        }
        row = copy.copy(before)
        for name, value in changed.items():
            setattr(row, name, value)
        changed |= self._relinked(row)
        if set(changed) - {"generated_at"}:
            changed["source"] = source
            self.plan.changes.append(Update(self.entity, row.pk, changed, before.version))
        else:
            self.plan.left_alone += 1
        return row

    def _relinked(self, row: Any) -> dict[str, Any]:
        """The entries of a position where they are others than before."""
        if not self.entries:
            return {}
        before = sorted(str(one) for one in self.links_before.get(row.pk, ()))
        links = self._linked(row.pk, {"company": row.company, "doc_id": row.doc_id}, row)
        return {"linked_entries": links} if links != before else {}

    def _linked(self, key: uuid.UUID, values: Mapping[str, Any], row: Any = None) -> list[str]:
        """Entries made at a position, by its company; a list of companies decides where it is."""
        is_right = row is not None and "linked_entries" in row.kept_fields
        decided = set() if is_right else set(self.origin.companies) & set(self.entries)
        company = company_key(values.get("company", ""))
        links = self.links_before.get(key, set()) - {self.entries[one] for one in decided}
        links |= {
            self.entries[one]
            for one in decided
            if company in {company_key(name) for name in self.origin.companies[one]}
        }
        if not is_right:
            linked = self.linked.get(str(values.get("doc_id", "")), ())
            links |= {self.entries[one] for one in linked if one in self.entries}
        names = {entry: doc_id for doc_id, entry in self.entries.items()}
        if named := sorted(names[one] for one in links if one in names):
            self.plan.links[str(values["doc_id"])] = named
        return sorted(str(one) for one in links)

    def _free_slug(self, slug_of_title: str) -> str:
        taken = {one.slug for one in (*self.before.values(), *self.rows)}
        slug, number = slug_of_title, 1
        while slug in taken:
            number += 1
            slug = f"{slug_of_title}-{number}"
        return slug

    def close(self, *, is_read: bool) -> None:
        """What a replaced source said and this reading does not goes, where nobody has put it
        right; everything else stays, positions with the entries that they are joined to."""
        read = {row.pk for row in self.rows}
        for row in self.before.values():
            if row.pk in read:
                continue
            if is_read and row.source_id in self.origin.replaced and not row.kept_fields:
                self.plan.changes.append(Delete(self.entity, row.pk, row.version))
                continue
            self.rows.append(row)
            if changed := self._relinked(row):
                self.plan.changes.append(Update(self.entity, row.pk, changed, row.version))


def deleted_by_hand(model: type[Belonging], portfolio: Portfolio) -> set[str]:
    """Ids of rows that a person took away and nobody put back: reading again does not do it."""
    if model in {Profile, Persona}:
        return set()
    rows: Any = model._default_manager
    gone = dict(
        rows.filter(portfolio=portfolio, deleted_at__isnull=False).values_list("pk", "doc_id")
    )
    if not gone:
        return set()
    by_hand = Operation.objects.filter(
        entity=ENTITIES[model],
        entity_id__in=gone,
        type=Operation.Type.DELETE,
        status=Operation.Status.COMPLETED,
        batch__actor=OperationBatch.Actor.PERSON,
        batch__undoes=None,
    ).exclude(batch__reason__in=[REMOVED, READ])
    alive = rows.filter(portfolio=portfolio, deleted_at=None).values_list("doc_id", flat=True)
    return {gone[key] for key in by_hand.values_list("entity_id", flat=True)} - set(alive)


def company_key(company: object) -> str:
    """A company's name as it is compared: case and blanks aside."""
    return " ".join(str(company).split()).casefold()


def _months(dates: Dates | None) -> dict[str, str]:
    return {
        "started": (dates.start if dates else None) or "",
        "ended": (dates.end if dates else None) or "",
    }


def project_values(one: ProjectDoc) -> dict[str, Any]:
    """What a project says, by the fields of its row."""
    read = one.model_dump(exclude={"id", "context"})
    context = one.context.model_dump(include={"organization", "role"})
    values = {**_fitted(Entry, {**read, **context}), **_months(one.context.timeframe)}
    return {**values, "context": one.context.type}


def record_values(one: ResumeDoc) -> dict[str, Any]:
    """What a record of the resume says, by the fields of its row, cut to what these hold."""
    read = one.model_dump(
        exclude={"id", "kind", "dates", "linked_projects", "months_of_experience"}
    )
    renamed = {} if isinstance(one, SkillRecord) else _RENAMED
    values = _fitted(RECORDS[type(one)], read, renamed)
    if isinstance(one, (ExperienceRecord, EducationRecord)):
        values |= _months(one.dates)
    return values


def profile_values(one: ProfileDoc, private_contact: Sequence[str] = ()) -> dict[str, Any]:
    """What a profile says, by the fields of its row."""
    values = _fitted(Profile, one.model_dump(exclude={"id", "social_links"}))
    links = [link.model_dump(exclude_none=True) for link in one.social_links]
    return {**values, "social_links": links, "private_contact": list(private_contact)}


def _fitted(
    model: type[Belonging], read: Mapping[str, Any], renamed: Mapping[str, str] = _RENAMED
) -> dict[str, Any]:
    """Values as the fields of a row take them: no text for None, no more than fits."""
    values: dict[str, Any] = {}
    for name, value in read.items():
        own = renamed.get(name, name)
        size = getattr(model._meta.get_field(own), "max_length", None)
        is_long = isinstance(value, str) and size
        values[own] = "" if value is None else value[:size] if is_long else value
    return values
