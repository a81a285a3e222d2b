"""What undoing would do, field by field, for a person to confirm or decide."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chat.operations import words
from chat.operations.cards import Field
from chat.operations.cascade import Key
from chat.operations.models import Operation
from chat.operations.queries import full
from chat.operations.registry import operable
from chat.operations.undo import WHOLE, FieldPlan, UndoPlan


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
    fields: Sequence[Field]
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
        lost=titles_of([key for one in plan.fields for key in one.along]),
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

    def _fields(self, plans: Sequence[FieldPlan]) -> Iterator[Field]:
        """Each field once, from what it is now to what it was before everything undone."""
        before = {one.field: one.before for one in plans}  # newest operation first: the oldest's
        shown = set[str]()
        for one in plans:
            of = operable(one.entity)
            if one.field not in shown and words.is_shown(of, one.field):
                now = self.names.say(of, one.field, one.current)
                then = self.names.say(of, one.field, before[one.field])
                yield Field(one.field, words.label(of, one.field), now, then)
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
        return _("will be restored") if whole[-1].after is None else _("will be deleted")
    return _("will be changed back") if any(one.outcome == "restore" for one in plans) else ""


def titles_of(keys: Sequence[Key]) -> dict[Key, str]:
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
