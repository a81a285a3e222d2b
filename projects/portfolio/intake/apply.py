"""The only writer of what was read: confirmed drafts by operations, all of it or nothing."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.operations.changes import Actor, Cause, Change, Delete, Kind
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.plan import (
    ENTITIES,
    READ,
    REMOVED,
    Plan,
    Reading,
    add_persona,
    plan,
)
from projects.portfolio.models import Entry, Experience, Portfolio, Profile, Source

TITLES: Final = {
    Source.Kind.RESUME: gettext_lazy("Added records from the resume"),
    Source.Kind.PROFILE: gettext_lazy("Added records from the profile"),
    Source.Kind.README: gettext_lazy("Added records from the README"),
}


def apply(
    read: Mapping[Source, Sequence[Draft]], actor: Actor
) -> tuple[OperationBatch | None, Plan]:
    """Writes what was confirmed of sources of one portfolio, as one batch.

    Within the caller's transaction. Raises Conflict when somebody changed a row meanwhile.
    """
    first = next(iter(read))
    portfolio = _locked(first.portfolio_id)
    readings = [
        Reading(
            source.pk,
            [draft for draft in drafts if draft.kind != "profile" or _may_say_who(source)],
            _earlier(source) if source.kind == Source.Kind.RESUME else (),
        )
        for source, drafts in read.items()
    ]
    # the companies at which entries were made, as their owner named them
    wishes = Source.objects.filter(
        portfolio=portfolio, kind=Source.Kind.README, wish__has_key="companies"
    )
    companies = {key: wish["companies"] for key, wish in wishes.values_list("doc_id", "wish")}
    result = plan(portfolio, readings, companies=companies, status=Entry.Status.DRAFT)
    title = str(TITLES[Source.Kind(first.kind)]) + (f": {first.place}" if first.place else "")
    if (n := len(read)) > 1:
        several = ngettext("Added records from %(n)d source", "Added records from %(n)d sources", n)
        title = several % {"n": n}
    return write(result.changes, actor, READ, title), result


def apply_persona(source: Source, values: Mapping[str, Any]) -> None:
    """Writes the voice that was found; within the caller's transaction. Raises Conflict."""
    portfolio = _locked(source.portfolio_id)
    result = Plan(portfolio.pk)
    add_persona(result, portfolio, values, source.pk)
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


def remove_rows(source: Source, actor: Actor) -> OperationBatch | None:
    """Takes away what was read from a source and nobody put right since; None for nothing."""
    changes: list[Change] = [
        Delete(entity, row.pk, row.version)
        for entity, row in rows_from(source)
        if not row.kept_fields
    ]
    title = _("Deleted records from %(what)s") % {"what": source.place}
    return write(changes, actor, REMOVED, title)


def rows_from(source: Source) -> list[tuple[str, Any]]:
    """The living rows that were read from a source, each with the ledger's name of its kind."""
    return [
        (entity, row)
        for model, entity in ENTITIES.items()
        for row in model._default_manager.filter(
            source_id=source.pk, portfolio_id=source.portfolio_id, deleted_at=None
        )
    ]


def rows_of(portfolio: Portfolio) -> list[Any]:
    """What a voice is found in: profile, positions, entries. Three queries."""
    return [
        row
        for model in (Profile, Experience, Entry)
        for row in model._default_manager.filter(portfolio=portfolio, deleted_at=None)
    ]


def counts_of(result: Plan, source: Source) -> dict[str, Any]:
    """How many rows a source has brought, changed, left, by what the list of sources shows."""
    counts: Counter[str] = Counter({"new": 0, "changed": 0, "gone": 0, "same": 0})
    created: Counter[str] = Counter()
    for (source_id, outcome, entity), n in result.tally.items():
        if source_id == source.pk:
            counts[outcome] += n
            created[entity] += n if outcome == "new" else 0
    return {**counts, "made": dict(+created)}


def _earlier(source: Source) -> set[uuid.UUID]:
    """This source and those before it whose place it takes."""
    same = Source.objects.filter(portfolio_id=source.portfolio_id, kind=source.kind)
    return set(same.values_list("pk", flat=True))


def _locked(portfolio_id: uuid.UUID) -> Portfolio:
    return Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio_id)


def _may_say_who(source: Source) -> bool:
    """A resume makes a first profile; it never writes over one that was given or written."""
    if source.kind == Source.Kind.PROFILE:
        return True
    last = Profile.objects.filter(portfolio=source.portfolio_id).order_by("deleted_at").last()
    return last is None or (last.deleted_at is None and last.source_id in _earlier(source))
