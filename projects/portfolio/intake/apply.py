"""The only writer of what was read: confirmed drafts by operations, all of it or nothing."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
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
    sources = list(read)
    portfolio = _locked(sources[0].portfolio_id)
    readings = [
        Reading(
            source.pk,
            [draft for draft in drafts if draft.kind != "profile" or _may_say_who(source)],
            earlier_of(source) if source.kind == Source.Kind.RESUME else (),
        )
        for source, drafts in read.items()
    ]
    companies = _companies(portfolio)
    result = plan(portfolio, readings, companies=companies, status=Entry.Status.DRAFT)
    return write(result.changes, actor, READ, _title(sources)), result


def _title(sources: Sequence[Source]) -> str:
    if len(sources) > 1:
        return ngettext(
            "Added records from %(n)d source", "Added records from %(n)d sources", len(sources)
        ) % {"n": len(sources)}
    title = str(TITLES[Source.Kind(sources[0].kind)])
    return f"{title}: {sources[0].place}" if sources[0].place else title


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
        Delete(entity, pk, version)
        for model, entity in ENTITIES.items()
        for pk, version in model._default_manager.filter(
            source_id=source.pk, portfolio_id=source.portfolio_id, deleted_at=None, kept_fields=[]
        ).values_list("pk", "version")
    ]
    title = _("Deleted records from %(what)s") % {"what": source.place}
    with transaction.atomic():
        return write(changes, actor, REMOVED, title)


def rows_of(portfolio: Portfolio) -> list[Any]:
    """What a voice is found in: profile, positions, entries. Three queries."""
    return [
        row
        for model in (Profile, Experience, Entry)
        for row in model._default_manager.filter(portfolio=portfolio, deleted_at=None)
    ]


def counts_of(result: Plan, source: Source) -> dict[str, Any]:
    """How many rows a source has brought, changed, left, by what the list of sources shows."""
    counts: Counter[str] = Counter()
    created: Counter[str] = Counter()
    for (source_id, outcome, entity), n in result.tally.items():
        if source_id == source.pk:
            counts[outcome] += n
            created[entity] += n if outcome == "new" else 0
    names = ("new", "changed", "gone", "same", "left_out")
    return {name: counts[name] for name in names} | {"made": dict(+created)}


def earlier_of(source: Source) -> set[uuid.UUID]:
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
    if last is None:
        return True
    return last.deleted_at is None and last.source_id in earlier_of(source)


def _companies(portfolio: Portfolio) -> dict[str, Sequence[str]]:
    """The companies at which entries were made, as their owner named them, by id."""
    wishes = Source.objects.filter(
        portfolio=portfolio, kind=Source.Kind.README, wish__has_key="companies"
    )
    return {doc_id: wish["companies"] for doc_id, wish in wishes.values_list("doc_id", "wish")}
