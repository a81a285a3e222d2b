"""What a reading changes, and its only writer: new, changed and vanished rows, all or nothing.

What a person has put right stays. Pages, the command and evaluations plan the same drafts alike.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _, gettext_lazy

from chat.operations.changes import Actor, Cause, Change, Create, Delete, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation, OperationBatch
from projects.portfolio.intake.drafts import KINDS, Draft, row_values
from projects.portfolio.models import (
    Entry,
    Experience,
    Persona,
    Portfolio,
    Profile,
    Source,
)
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.schema.kinds import BY_ENTITY, free

READ: Final = "portfolio_source"
"""The reason of a batch that stored what a page has read."""
# names of the ledger, by model; entries first, since positions are joined to them
ENTITIES: Final[dict[type[Belonging], str]] = {
    **{kind.model: kind.entity for kind in KINDS.values()},
    Persona: "portfolio_persona",
}
_LISTED: Final = tuple(model for model in ENTITIES if model not in {Profile, Persona})


TITLES: Final = {
    Source.Kind.RESUME: gettext_lazy("Added records from the resume"),
    Source.Kind.PROFILE: gettext_lazy("Added records from the profile"),
    Source.Kind.README: gettext_lazy("Added records from the README"),
}


@dataclass(frozen=True)
class Reading:
    """Complete drafts of one source.

    `replaces` are the sources whose place it takes: rows of theirs that were not read again go.
    """

    source: uuid.UUID | None
    drafts: Sequence[Draft]
    replaces: Collection[uuid.UUID] = ()


@dataclass
class Plan:
    """The changes. Without a `portfolio` it is new; `status` is that of new entries; `gone` are the
    rows that they delete.
    """

    portfolio: Portfolio | None
    status: Entry.Status = Entry.Status.PUBLISHED
    portfolio_id: uuid.UUID = field(default_factory=uuid.uuid4)
    changes: list[Change] = field(default_factory=list)
    gone: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.portfolio:
            self.portfolio_id = self.portfolio.pk

    def add_owner(self, owner: Mapping[str, Any]) -> None:
        """Values of the portfolio itself."""
        if self.portfolio is None:
            self.changes.append(Create("portfolio", dict(owner), self.portfolio_id))
            return
        changed = {
            name: value for name, value in owner.items() if getattr(self.portfolio, name) != value
        }
        if changed:
            self.changes.append(
                Update("portfolio", self.portfolio_id, changed, self.portfolio.version)
            )

    def add_persona(self, values: Mapping[str, Any], source: uuid.UUID | None) -> None:
        """The voice."""
        _Table(self, Persona).put(Draft(""), dict(values), source)


def plan(
    portfolio: Portfolio | None,
    readings: Sequence[Reading],
    *,
    companies: Mapping[str, Sequence[str]] | None = None,
    status: Entry.Status = Entry.Status.PUBLISHED,
    owner: Mapping[str, Any] | None = None,
) -> Plan:
    """What has to change so that the portfolio says what was read.

    Kinds of rows of which nothing was read stay as they are. `companies` are those at which an
    entry was made, by its id; `owner` are values of the portfolio itself.
    """
    result = Plan(portfolio, status)
    if owner is not None:
        result.add_owner(owner)
    read: dict[type[Belonging], list[tuple[uuid.UUID | None, Draft]]] = {}
    for reading in readings:
        for draft in reading.drafts:
            read.setdefault(KINDS[draft.kind].model, []).append((reading.source, draft))
    replaced = {key for reading in readings for key in reading.replaces}
    has_records = bool(read.keys() - {Entry, Profile})
    links: _Links | None = None
    for model in _LISTED:
        ids = {draft.doc_id for _source, draft in read.get(model, ())}
        table = _Table(result, model, links if model is Experience else None, read=ids)
        first = len(table.before) if model is Entry else 0
        for place, (source, draft) in enumerate(read.get(model, ()), start=first):
            table.put(draft, {**row_values(draft), "position": place}, source)
        table.close(replaced if (model in read if model is Entry else has_records) else ())
        if model is Entry:
            links = _Links(result, table.rows, companies or {})
    profile = _Table(result, Profile)
    for source, draft in read.get(Profile, ())[-1:]:  # of several that were read the last counts
        values = row_values(draft)
        named = owner["owner_name"] if owner else portfolio and portfolio.owner_name
        values["full_name"] = values["full_name"] or named
        values["private_contact"] = draft.values.get("private_contact", [])
        if profile.before:  # what this source does not say of somebody stays as it was said
            values = {name: value for name, value in values.items() if value}
        profile.put(draft, values, source)
    profile.close(())
    return result


class _Table:
    """Rows of one kind: those that are there, against those that were read."""

    def __init__(
        self,
        plan_: Plan,
        model: type[Belonging],
        links: _Links | None = None,
        read: Collection[str] = (),
    ) -> None:
        """`links` are for positions; `read` are the ids of all that was read."""
        self.plan, self.model, self.links = plan_, model, links
        self.entity = ENTITIES[model]
        self.before: dict[str, Any] = {
            getattr(row, "doc_id", ""): row for row in living(model, plan_.portfolio)
        }
        # what a person has put right is found by what it says now, too
        kind = BY_ENTITY.get(self.entity)
        self.corrected = {
            kind.id_for(vars(row), ()): row
            for doc_id, row in self.before.items()
            if kind and kind.names and row.kept_fields and doc_id not in read
        }
        self.rows: list[Any] = []

    def put(self, draft: Draft, values: dict[str, Any], source: uuid.UUID | None) -> None:
        """The row will say this, save where a person has put it right before."""
        row = self.before.get(draft.doc_id) or self.corrected.get(draft.doc_id)
        if draft.corrected:
            earlier = row.kept_fields if row is not None else ()
            values["kept_fields"] = sorted({*earlier, *draft.corrected})
        if row is None:
            self.rows.append(self._created(draft, values, source))
        else:
            self.rows.append(self._updated(row, draft, values, source))

    def close(self, replaced: Collection[uuid.UUID]) -> None:
        """What a replaced source said and no reading does goes, where nobody has put it right;
        everything else stays, positions with the entries that they are joined to."""
        read = {row.pk for row in self.rows}
        for row in self.before.values():
            if row.pk in read:
                continue
            if row.source_id in replaced and not row.kept_fields:
                self.plan.changes.append(Delete(self.entity, row.pk, row.version))
                self.plan.gone.append(row)
                continue
            self.rows.append(row)
            if self.links and (changed := self.links.change(row)):
                self.plan.changes.append(Update(self.entity, row.pk, changed, row.version))

    def _created(self, draft: Draft, values: dict[str, Any], source: uuid.UUID | None) -> Any:
        if draft.doc_id:
            values["doc_id"] = draft.doc_id
        if self.model is Entry:
            values["status"] = status = self.plan.status
            values["published_at"] = timezone.now() if status == status.PUBLISHED else None
            slug = slugify(draft.doc_id)[:120] or "project"
            values["slug"] = free(slug, {row.slug for row in (*self.before.values(), *self.rows)})
        model: Any = self.model
        row = model(portfolio_id=self.plan.portfolio_id, source_id=source, **values)
        values |= {"portfolio": self.plan.portfolio_id, "source": source}
        if self.links:
            values |= self.links.change(row, draft.values.get("linked_entries", ()))
        self.plan.changes.append(Create(self.entity, values, row.pk))
        return row

    def _updated(
        self, row: Any, draft: Draft, values: Mapping[str, Any], source: uuid.UUID | None
    ) -> Any:
        stays = {*row.kept_fields} - {*draft.corrected}
        stays |= {name for name in draft.unsure if not values.get(name)}  # read, but not verified
        if self.model is Entry:
            stays.add("position")
        changed = {
            name: value
            for name, value in values.items()
            if name not in stays and getattr(row, name) != value
        }
        for name, value in changed.items():
            setattr(row, name, value)
        if self.links:
            changed |= self.links.change(row, draft.values.get("linked_entries", ()))
        if set(changed) - {"generated_at"}:
            changed["source"] = source
            self.plan.changes.append(Update(self.entity, row.pk, changed, row.version))
        return row


class _Links:
    """The entries that were made at each position: as they stand, by its record, by company."""

    def __init__(
        self, plan_: Plan, entries: Iterable[Entry], companies: Mapping[str, Sequence[str]]
    ) -> None:
        self.keys = {row.doc_id: row.pk for row in entries}
        self.companies = {
            self.keys[doc_id]: {company_key(name) for name in names}
            for doc_id, names in companies.items()
            if doc_id in self.keys
        }
        self.before: dict[uuid.UUID, set[uuid.UUID]] = {}
        joined = living(Experience, plan_.portfolio).values_list("pk", "linked_entries")
        for key, entry in joined:
            self.before.setdefault(key, set()).update({entry} if entry else ())

    def change(self, row: Experience, named: Sequence[str] = ()) -> dict[str, list[str]]:
        """The entries of a position where they are others than before; a list of companies
        decides where an entry was made, unless a person has ticked the entries."""
        before = self.before.get(row.pk, set())
        linked = set(before)
        if "linked_entries" not in row.kept_fields:
            company = company_key(row.company)
            linked -= set(self.companies)
            linked |= {key for key, names in self.companies.items() if company in names}
            linked |= {self.keys[doc_id] for doc_id in named if doc_id in self.keys}
        return {} if linked == before else {"linked_entries": sorted(map(str, linked))}


def living(model: type[Belonging], portfolio: Portfolio | None) -> QuerySet[Any]:
    """The rows of a portfolio; none where there is no portfolio yet."""
    rows: QuerySet[Any] = model._default_manager.filter(deleted_at=None)
    return rows.filter(portfolio=portfolio) if portfolio else rows.none()


def without_deleted(portfolio: Portfolio | None, drafts: Sequence[Draft]) -> list[Draft]:
    """Without rows that a person took away and nobody put back: reading again does not do it."""
    unwanted: set[str] = set()
    for model in _LISTED if portfolio and drafts else ():
        rows: Any = model._default_manager.filter(portfolio=portfolio)
        gone = dict(rows.exclude(deleted_at=None).values_list("pk", "doc_id"))
        by_hand = Operation.objects.filter(
            entity=ENTITIES[model],
            entity_id__in=gone,
            type=Operation.Type.DELETE,
            status=Operation.Status.COMPLETED,
            batch__actor=OperationBatch.Actor.PERSON,
            batch__undoes=None,
        ).exclude(batch__reason=READ)
        deleted = {gone[key] for key in by_hand.values_list("entity_id", flat=True)}
        alive = rows.filter(deleted_at=None).values_list("doc_id", flat=True)
        unwanted |= deleted - set(alive)
    return [draft for draft in drafts if not draft.doc_id or draft.doc_id not in unwanted]


def company_key(company: str) -> str:
    """A company's name as it is compared: case and blanks aside."""
    return " ".join(company.split()).casefold()


# Writing ----------------------------------------------------------------------------------------
def apply(
    source: Source, drafts: Sequence[Draft], actor: Actor, *, keeps: bool = False
) -> OperationBatch | None:
    """Writes what was confirmed of a source, as one batch; `keeps` rows that it does not hold.

    Within the caller's transaction. Raises Conflict when somebody changed a row meanwhile.
    """
    locked = Portfolio.objects.select_for_update(no_key=True)
    source.portfolio = locked.get(pk=source.portfolio_id)
    result = planned(source, drafts, keeps=keeps)
    title = str(TITLES[Source.Kind(source.kind)]) + (f": {source.place}" if source.place else "")
    return write(result.changes, actor, READ, title)


def planned(source: Source, drafts: Sequence[Draft], *, keeps: bool = False) -> Plan:
    """What confirming these drafts would change; a resume takes the place of those before it."""
    own = [draft for draft in drafts if draft.kind != "profile" or _may_say_who(source)]
    takes_place = source.kind == Source.Kind.RESUME and not keeps
    readings = [Reading(source.pk, own, _earlier(source) if takes_place else ())]
    return plan(source.portfolio, readings, status=Entry.Status.DRAFT)


def apply_persona(source: Source, values: Mapping[str, Any]) -> None:
    """Writes the voice that was found; within the caller's transaction. Raises Conflict."""
    portfolio = Portfolio.objects.select_for_update(no_key=True).get(pk=source.portfolio_id)
    result = Plan(portfolio)
    result.add_persona(values, source.pk)
    write(result.changes, Actor(portfolio.owner_id, Kind.SYSTEM), READ, _("Updated voice"))


def write(
    changes: Sequence[Change], actor: Actor, reason: str, title: str
) -> OperationBatch | None:
    """One batch, all of it or nothing; None for no changes. Raises Conflict."""
    if not changes:
        return None
    cause = Cause(reason=reason)
    return raise_if_failed(
        execute(actor=actor, changes=changes, cause=cause, title=title, is_atomic=True)
    )


def rows_from(source: Source) -> list[tuple[str, Any]]:
    """The living rows that were read from a source, each with the ledger's name of its kind."""
    return [
        (entity, row)
        for model, entity in ENTITIES.items()
        for row in living(model, source.portfolio).filter(source_id=source.pk)
    ]


def _earlier(source: Source) -> set[uuid.UUID]:
    """This source and those before it whose place it takes."""
    same = Source.objects.filter(portfolio_id=source.portfolio_id, kind=source.kind)
    return set(same.values_list("pk", flat=True))


def _may_say_who(source: Source) -> bool:
    """A resume makes a first profile; it never writes over one that was given or written."""
    if source.kind == Source.Kind.PROFILE:
        return True
    last = Profile.objects.filter(portfolio=source.portfolio_id).order_by("deleted_at").last()
    return last is None or (last.deleted_at is None and last.source_id in _earlier(source))
