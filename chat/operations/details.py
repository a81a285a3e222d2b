"""One operation in full: who, when, why, and every field before and after with the words that
differ; and what undoing would do, field by field."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.operations import cards, diff, words
from chat.operations.cards import Card
from chat.operations.cascade import Key
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import full
from chat.operations.registry import operable
from chat.operations.undo import WHOLE, FieldPlan, UndoPlan

Type, Status = Operation.Type, Operation.Status
NAMED_ALONG: Final = 20  # of what would go with a deletion; the others are counted


@dataclass(frozen=True)
class FieldDiff:
    """One field on both sides, line by line; `is_same` fields are folded away."""

    name: str
    label: str
    sides: diff.Sides
    is_same: bool = False


@dataclass(frozen=True)
class Details:
    """Everything the details show of an operation."""

    card: Card
    fields: Sequence[FieldDiff]
    same: Sequence[str]
    who: str
    quote: str
    place: int
    count: int
    standing: int
    going: Sequence[str] = ()

    @property
    def operation(self) -> Operation:
        """The operation itself."""
        return self.card.operation

    @property
    def batch(self) -> OperationBatch:
        """What it was part of."""
        return self.card.operation.batch

    @property
    def has_two_sides(self) -> bool:
        """Whether there is something to compare; else one column does."""
        return cards.is_compared(self.operation)

    @property
    def column(self) -> str:
        """What the one column of a creation or deletion holds."""
        if self.operation.type == Type.DELETE:
            return _("What is gone") if self.operation.executed_at else _("What would go")
        return _("What was made") if self.operation.executed_at else _("What it would be")


def details_of(operation: Operation) -> Details:
    """For an operation read with `queries.full`."""
    batch = operation.batch
    names = words.Names.of([operation])
    told = _fields(operation, names)
    states = list(batch.operations.values_list("status", flat=True))
    card = cards.cards([operation])[0]
    going = card.going[:NAMED_ALONG]
    titles = _titles(going)
    return Details(
        card=card,
        going=[titles[key] for key in going if key in titles],
        fields=[one for one in told if not one.is_same],
        same=[one.label for one in told if one.is_same],
        who=words.who(batch),
        quote=batch.message.text if batch.message else "",
        place=operation.sequence,
        count=len(states),
        standing=states.count(Status.COMPLETED),
    )


def _fields(operation: Operation, names: words.Names) -> list[FieldDiff]:
    of = operable(operation.entity)
    before, after = cards.sides_of(operation)
    shown = [name for name in of.fields if name in {**before, **after} and words.is_shown(of, name)]
    told, is_compared = [], cards.is_compared(operation)
    for name in shown:
        old = names.say(of, name, before.get(name))
        new = names.say(of, name, after.get(name))
        if is_compared and name not in after:
            new = old
        if old or new:
            sides = diff.sides(old, new) if is_compared else _plain(old or new)
            is_same = is_compared and old == new
            told.append(FieldDiff(name, words.label(of, name), sides, is_same=is_same))
    return told


def _plain(text: str) -> diff.Sides:
    lines = [[diff.Piece(line)] for line in text.split("\n")]
    return diff.Sides(lines, lines)


@dataclass(frozen=True)
class Decision:
    """One field (or row) that was changed since: both values, and who holds the current one."""

    name: str
    label: str
    restore: str
    keep: str
    since: str
    is_row: bool
    along: Sequence[str]


@dataclass(frozen=True)
class Row:
    """What undoing does to one row."""

    thing: str
    title: str
    effect: str
    fields: Sequence[FieldDiff]
    decisions: Sequence[Decision]
    along: Sequence[str]


@dataclass(frozen=True)
class Preview:
    """What undoing would do, for a person to confirm."""

    rows: Sequence[Row]
    digest: str
    hindrance: str
    conflicts: int

    @property
    def is_idle(self) -> bool:
        """Everything is already as it was before."""
        return not self.conflicts and not any(row.effect for row in self.rows)


def preview_of(plan: UndoPlan) -> Preview:
    """A plan in words."""
    about = Operation.objects.filter(pk__in={one.operation_id for one in plan.fields})
    writing = _Words(
        names=words.Names.of(list(full(about))),
        lost=_titles([key for one in plan.fields for key in one.along]),
        since=_since(plan.conflicts),
    )
    grouped: dict[Key, list[FieldPlan]] = {}
    for one in plan.fields:
        grouped.setdefault((one.entity, one.entity_id), []).append(one)
    rows = [writing.row(key, plans) for key, plans in grouped.items()]
    return Preview(rows, plan.digest, plan.hindrance, len(plan.conflicts))


@dataclass(frozen=True)
class _Words:
    """What a plan needs to be told in words: names of rows, what would go along, who changed it."""

    names: words.Names
    lost: Mapping[Key, str]
    since: Mapping[tuple[uuid.UUID, str], str]

    def row(self, key: Key, plans: Sequence[FieldPlan]) -> Row:
        """What undoing does to one row."""
        restored = [one for one in plans if one.outcome == "restore"]
        return Row(
            thing=words.thing(key[0]),
            title=self.names.titles.get(key, ""),
            effect=_effect(plans),
            fields=list(self._fields([one for one in restored if one.field != WHOLE])),
            decisions=[self._decision(one) for one in plans if one.outcome == "conflict"],
            along=[title for one in restored for title in self._along(one)],
        )

    def _fields(self, plans: Sequence[FieldPlan]) -> Iterator[FieldDiff]:
        """Each field once, from what it is now to what it was before everything undone."""
        before = {one.field: one.before for one in plans}  # newest operation first: the oldest's
        shown = set[str]()
        for one in plans:
            of = operable(one.entity)
            if one.field not in shown and words.is_shown(of, one.field):
                now = self.names.say(of, one.field, one.current)
                then = self.names.say(of, one.field, before[one.field])
                yield FieldDiff(one.field, words.label(of, one.field), diff.sides(now, then))
            shown.add(one.field)

    def _decision(self, plan: FieldPlan) -> Decision:
        of, is_row = operable(plan.entity), plan.field == WHOLE
        return Decision(
            name=f"choice-{plan.operation_id}-{plan.field or 'row'}",
            label=words.thing(of.name) if is_row else words.label(of, plan.field),
            restore="" if is_row else self.names.say(of, plan.field, plan.before),
            keep="" if is_row else self.names.say(of, plan.field, plan.current),
            since=self.since.get((plan.entity_id, plan.field), ""),
            is_row=is_row,
            along=self._along(plan),
        )

    def _along(self, plan: FieldPlan) -> list[str]:
        return [self.lost.get(key, words.thing(key[0])) for key in plan.along]


def _effect(plans: Sequence[FieldPlan]) -> str:
    """What happens to the row, in a word; empty for nothing."""
    whole = [one for one in plans if one.field == WHOLE and one.outcome == "restore"]
    if whole:
        return _("comes back") if whole[-1].after is None else _("is deleted again")
    return _("goes back") if any(one.outcome == "restore" for one in plans) else ""


def _titles(keys: Sequence[Key]) -> dict[Key, str]:
    """“Task: Draw” for rows that would go along; one query per kind."""
    titles: dict[Key, str] = {}
    for kind in {name for name, _key in keys}:
        ids = [key for name, key in keys if name == kind]
        rows: Any = operable(kind).model._default_manager.filter(pk__in=ids)
        titles |= {(kind, row.pk): f"{words.thing(kind)}: {row}" for row in rows}
    return titles


def _since(conflicts: Sequence[FieldPlan]) -> dict[tuple[uuid.UUID, str], str]:
    """Who changed what since, and when: “you, 14:02”. One query."""
    ids = {one.entity_id for one in conflicts}
    if not ids:
        return {}
    later = Operation.objects.select_related("batch").filter(
        entity_id__in=ids, executed_at__isnull=False, result_version__isnull=False
    )
    told: dict[tuple[uuid.UUID, str], str] = {}
    for one in later.order_by("result_version"):
        said = f"{words.who(one.batch)}, {words.ago(one.executed_at)}"
        for name in [*one.changed_fields, WHOLE]:
            told[one.entity_id, name] = said
    return told
