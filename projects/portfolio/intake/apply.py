"""The only writer of what was read: a confirmed corpus by operations, all of it or nothing."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.operations.changes import Actor, Cause, Change, Create, Delete, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.models import OperationBatch
from projects.portfolio.corpus import Corpus, PersonaSummary
from projects.portfolio.intake.plan import (
    ENTITIES,
    READ,
    REMOVED,
    Origin,
    Plan,
    add_persona,
    plan,
)
from projects.portfolio.models import Entry, Experience, Portfolio, Profile, Source

TITLES: Final = {
    Source.Kind.RESUME: gettext_lazy("Read the resume"),
    Source.Kind.PROFILE: gettext_lazy("Read the profile"),
    Source.Kind.README: gettext_lazy("Read the README"),
}


def apply(
    source: Source, corpus: Corpus, corrected: Mapping[str, Sequence[str]], actor: Actor
) -> tuple[OperationBatch | None, dict[str, Any]]:
    """Writes what was confirmed of a source; how many rows were new, changed, gone, as before.

    Within the caller's transaction. Raises Conflict when somebody changed a row meanwhile.
    """
    portfolio = _locked(source)
    if corpus.profile is not None and not _may_say_who(portfolio, source):
        corpus.profile = None
    origin = Origin(
        by_doc={source.doc_id: source.pk},
        resume=source.pk,
        profile=source.pk,
        replaced=earlier_of(source) if source.kind == Source.Kind.RESUME else (),
        corrected=corrected,
        companies=_companies(portfolio),
        status=Entry.Status.DRAFT,
    )
    result = plan(portfolio, corpus, origin)
    title = str(TITLES.get(Source.Kind(source.kind), _("Read a source")))
    named = f"{title}: {source.place}" if source.place else title
    return write(result.changes, actor, READ, named), _counts(result)


def apply_persona(source: Source, persona: PersonaSummary) -> None:
    """Writes the voice that was found; within the caller's transaction. Raises Conflict."""
    portfolio = _locked(source)
    result = Plan(portfolio.pk)
    add_persona(result, portfolio, persona, Origin(persona=source.pk))
    write(result.changes, Actor(portfolio.owner_id, Kind.SYSTEM), READ, _("Found the voice"))


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
    title = _("Took away what was read from %(what)s") % {"what": source.place}
    with transaction.atomic():
        return write(changes, actor, REMOVED, title)


def rows_of(portfolio: Portfolio) -> list[Any]:
    """What a voice is found in: profile, positions, entries. Three queries."""
    return [
        row
        for model in (Profile, Experience, Entry)
        for row in model._default_manager.filter(portfolio=portfolio, deleted_at=None)
    ]


def earlier_of(source: Source) -> set[uuid.UUID]:
    """This source and those before it whose place it takes."""
    same = Source.objects.filter(portfolio_id=source.portfolio_id, kind=source.kind)
    return set(same.values_list("pk", flat=True))


def _locked(source: Source) -> Portfolio:
    return Portfolio.objects.select_for_update(no_key=True).get(pk=source.portfolio_id)


def _may_say_who(portfolio: Portfolio, source: Source) -> bool:
    """A resume makes a first profile; it never writes over one that was given or written."""
    if source.kind == Source.Kind.PROFILE:
        return True
    last = Profile.objects.filter(portfolio=portfolio).order_by("deleted_at").last()
    if last is None:
        return True
    return last.deleted_at is None and last.source_id in earlier_of(source)


def _companies(portfolio: Portfolio) -> dict[str, Sequence[str]]:
    """The companies at which entries were made, as their owner named them, by id."""
    wishes = Source.objects.filter(
        portfolio=portfolio, kind=Source.Kind.README, wish__has_key="companies"
    )
    return {doc_id: wish["companies"] for doc_id, wish in wishes.values_list("doc_id", "wish")}


def _counts(result: Plan) -> dict[str, Any]:
    kinds = Counter(type(one) for one in result.changes)
    per_entity = Counter(one.entity for one in result.changes if isinstance(one, Create))
    return {
        "new": kinds[Create],
        "changed": kinds[Update],
        "gone": kinds[Delete],
        "same": result.left_alone,
        "made": dict(per_entity),
        "left_out": result.left_out,
    }
