"""Writes what a source says into the portfolio: by operations, past what a person put right."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.operations.changes import Actor, Cause, Change, Create, Delete, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import Operation, OperationBatch
from projects.portfolio.intake.plan import (
    ENTITIES,
    RECORDS,
    Plan,
    Table,
    project_values,
    record_values,
    single_values,
)
from projects.portfolio.intake.reading import Understood
from projects.portfolio.models import (
    Award,
    Credential,
    Education,
    Entry,
    Experience,
    Persona,
    Portfolio,
    Profile,
    Skill,
    Source,
)
from projects.portfolio.models.portfolio import Belonging

REASON: Final = "portfolio_source"
REMOVED: Final = "portfolio_source_removed"
RESUME: Final = (Experience, Education, Award, Credential, Skill)
TITLES: Final = {
    Source.Kind.RESUME: gettext_lazy("Read the resume"),
    Source.Kind.PROFILE: gettext_lazy("Read the profile"),
    Source.Kind.README: gettext_lazy("Read the README"),
    Source.Kind.CORPUS: gettext_lazy("Found the voice"),
}
Counts = dict[str, Any]


def apply(
    source: Source, found: Understood, actor: Actor | None = None
) -> tuple[OperationBatch | None, Counts]:
    """Writes it all, or nothing; how many rows were new, changed, gone, left as they were.

    `actor`: who has checked it; without one the machine writes.

    Within the caller's transaction. Raises Conflict when somebody changed a row meanwhile.
    """
    portfolio = Portfolio.objects.select_for_update(no_key=True).get(pk=source.portfolio_id)
    plan = Plan(portfolio.pk)
    left_out = 0
    if found.records:
        left_out = _put_resume(plan, portfolio, source, found)
    if found.profile is not None and _may_say_who(portfolio, source):
        values = single_values(found.profile, found.private_contact)
        _put_single(plan, Profile, portfolio, source, values)
    if found.persona is not None:
        _put_single(plan, Persona, portfolio, source, single_values(found.persona))
    if found.project is not None:
        left_out = _put_entry(plan, portfolio, source, found)
    title = str(TITLES.get(Source.Kind(source.kind), _("Read a source")))
    writer = actor or Actor(portfolio.owner_id, Kind.SYSTEM)
    named = f"{title}: {source.place}" if source.place else title
    batch = _execute(writer, plan.changes, named)
    _execute(writer, _links(portfolio, source), _("Joined entries to positions"))
    return batch, {**_counts(plan), "left_out": left_out}


def _execute(actor: Actor, changes: Sequence[Change], title: str) -> OperationBatch | None:
    if not changes:
        return None
    batch = execute(
        actor=actor, changes=changes, cause=Cause(reason=REASON), title=title, is_atomic=True
    )
    return raise_if_failed(batch)


def _put_resume(plan: Plan, portfolio: Portfolio, source: Source, found: Understood) -> int:
    earlier = earlier_of(source)
    left_out = 0
    for model in RESUME:
        table = Table(plan, model, portfolio)
        own = [one for one in found.records if RECORDS[type(one)] is model]
        unwanted = deleted_by_hand(model, portfolio, [one.id for one in own])
        for place, record in enumerate(own):
            if record.id in unwanted and record.id not in table.before:
                left_out += 1
                continue
            values = {**record_values(record), "position": place}
            table.put(record.id, values, source.pk, found.corrected.get(record.id, ()))
        table.close(sources=earlier)
    return left_out


def _may_say_who(portfolio: Portfolio, source: Source) -> bool:
    """A resume makes a first profile; it never writes over one that was given or written."""
    if source.kind == Source.Kind.PROFILE:
        return True
    known = Profile.objects.filter(portfolio=portfolio).order_by("deleted_at").last()
    if known is None:
        return True
    return known.deleted_at is None and known.source_id in earlier_of(source)


def _put_single(
    plan: Plan,
    model: type[Belonging],
    portfolio: Portfolio,
    source: Source,
    values: dict[str, Any],
) -> None:
    table = Table(plan, model, portfolio)
    table.put("", values, source.pk)
    table.close(is_single=True)


def _put_entry(plan: Plan, portfolio: Portfolio, source: Source, found: Understood) -> int:
    project = found.project
    if project is None:
        return 0
    if deleted_by_hand(Entry, portfolio, [project.id]):
        return 1
    table = Table(plan, Entry, portfolio, status=Entry.Status.DRAFT)
    values = project_values(project)
    if project.id not in table.before:
        values["position"] = len(table.before)
    table.put(project.id, values, source.pk)
    table.close(sources=())
    return 0


def earlier_of(source: Source) -> set[uuid.UUID]:
    """This source and those before it whose place it takes: the resumes, or this repository."""
    same = Source.objects.filter(portfolio_id=source.portfolio_id, kind=source.kind)
    return set(same.values_list("pk", flat=True))


def deleted_by_hand(
    model: type[Belonging], portfolio: Portfolio, doc_ids: Sequence[str]
) -> set[str]:
    """Ids of rows that a person took away: reading again does not bring them back."""
    rows: Any = model._default_manager
    gone = dict(
        rows.filter(portfolio=portfolio, deleted_at__isnull=False, doc_id__in=doc_ids).values_list(
            "pk", "doc_id"
        )
    )
    if not gone:
        return set()
    alive = rows.filter(portfolio=portfolio, deleted_at=None, doc_id__in=doc_ids)
    by_hand = (
        Operation.objects.filter(
            entity=ENTITIES[model],
            entity_id__in=gone,
            type=Operation.Type.DELETE,
            status=Operation.Status.COMPLETED,
            batch__actor=OperationBatch.Actor.PERSON,
            batch__undoes=None,
        )
        .exclude(batch__reason=REMOVED)
        .values_list("entity_id", flat=True)
    )
    return {gone[key] for key in by_hand} - set(alive.values_list("doc_id", flat=True))


def _links(portfolio: Portfolio, source: Source) -> list[Change]:
    """Entries joined to the positions in which they were made, by the name of the company."""
    if source.kind not in {Source.Kind.README, Source.Kind.RESUME}:
        return []
    wishes = Source.objects.filter(
        portfolio=portfolio, kind=Source.Kind.README, wish__has_key="companies"
    )
    wanted: dict[str, set[str]] = {}
    for doc_id, wish in wishes.values_list("doc_id", "wish"):
        for company in wish["companies"]:
            wanted.setdefault(_key(company), set()).add(doc_id)
    if not wanted:
        return []
    alive = Entry.objects.filter(portfolio=portfolio, deleted_at=None)
    entries = dict(alive.values_list("doc_id", "pk"))
    found: list[Change] = []
    rows = Experience.objects.filter(portfolio=portfolio, deleted_at=None)
    for row in rows.prefetch_related("linked_entries"):
        now = {one.pk for one in row.linked_entries.all()}
        more = {entries[one] for one in wanted.get(_key(row.company), ()) if one in entries}
        if more - now and "linked_entries" not in row.kept_fields:
            links = sorted(str(one) for one in now | more)
            change = Update(ENTITIES[Experience], row.pk, {"linked_entries": links}, row.version)
            found.append(change)
    return found


def _key(company: object) -> str:
    return " ".join(str(company).split()).casefold()


def _counts(plan: Plan) -> Counts:
    kinds = Counter(type(one) for one in plan.changes)
    per_entity = Counter(one.entity for one in plan.changes if isinstance(one, Create))
    return {
        "new": kinds[Create],
        "changed": kinds[Update],
        "gone": kinds[Delete],
        "same": plan.left_alone,
        "made": dict(per_entity),
    }


def remove_rows(source: Source, actor: Actor) -> OperationBatch | None:
    """Takes away what was read from a source and nobody put right since; None for nothing."""
    changes: list[Change] = [
        Delete(entity, pk, version)
        for model, entity in ENTITIES.items()
        for pk, version in model._default_manager.filter(
            source_id=source.pk, portfolio_id=source.portfolio_id, deleted_at=None, kept_fields=[]
        ).values_list("pk", "version")
    ]
    if not changes:
        return None
    with transaction.atomic():
        batch = execute(
            actor=actor,
            changes=changes,
            cause=Cause(reason=REMOVED),
            title=_("Took away what was read from %(what)s") % {"what": source.place},
            is_atomic=True,
        )
        return raise_if_failed(batch)
