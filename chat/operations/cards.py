"""Operations as the panel, the details and the staff's pages show them: words and fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.template.defaultfilters import date as date_words
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from chat.operations import cascade, labels
from chat.operations.models import Key, Operation, OperationBatch
from chat.operations.queries import Gesture
from chat.operations.registry import Operable, all_operables, own_fields
from chat.operations.serialization import sides_of

WORDS_AT_ONCE: Final = 1_500  # beyond that a changed paragraph is shown as replaced whole
_WORD: Final = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True)
class Piece:
    text: str
    is_changed: bool = False


Line = Sequence[Piece]


@dataclass(frozen=True)
class Sides:
    before: Sequence[Line]
    after: Sequence[Line]


def sides(before: str, after: str) -> Sides:
    """Compares by lines first, then by words within what changed."""
    old, new = before.split("\n") if before else [], after.split("\n") if after else []
    left: list[Line] = []
    right: list[Line] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            left += [[Piece(line)] for line in old[a:b]]
            right += [[Piece(line)] for line in new[c:d]]
            continue
        went, came = _compared_words("\n".join(old[a:b]), "\n".join(new[c:d]))
        left += _compared_lines(went) if b > a else []
        right += _compared_lines(came) if d > c else []
    return Sides(left, right)


def _compared_words(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    olds, news = _WORD.findall(old), _WORD.findall(new)
    if not olds or not news or max(len(olds), len(news)) > WORDS_AT_ONCE:
        return [Piece(old, True)] if old else [], [Piece(new, True)] if new else []
    went: list[Piece] = []
    came: list[Piece] = []
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        changed = tag != "equal"
        _add(went, "".join(olds[a:b]), changed)
        _add(came, "".join(news[c:d]), changed)
    return went, came


def _add(pieces: list[Piece], text: str, changed: bool) -> None:
    """The blanks before a changed stretch are nobody's change."""
    if not text:
        return
    blanks = text[: len(text) - len(text.lstrip(" "))] if changed else ""
    if blanks:
        pieces.append(Piece(blanks))
    pieces.append(Piece(text[len(blanks) :], changed))


def _compared_lines(pieces: Sequence[Piece]) -> list[Line]:
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        first, *more = piece.text.split("\n")
        lines[-1].append(Piece(first, piece.is_changed))
        lines += [[Piece(text, piece.is_changed)] for text in more]
    return [[piece for piece in line if piece.text] for line in lines]


Type, Status, State = Operation.Type, Operation.Status, OperationBatch.Status
CHARS_ON_CARD: Final = 70
LINE_CHARS: Final = 40
COMPARED_ON_CARD: Final = 2_000
MAIN: Final = ("title", "name", "due_date", "priority", "status", "start_date", "text")


@dataclass(frozen=True)
class Field:
    """One field of a row in words: on both sides where a change is compared, else `after` alone."""

    name: str
    label: str
    before: str
    after: str
    is_compared: bool = True
    is_default: bool = False  # nobody chose it: a card leaves it out of what is not compared

    @property
    def is_same(self) -> bool:
        return self.is_compared and self.before == self.after

    @property
    def sides(self) -> Sides:
        if self.is_compared:
            return sides(self.before, self.after)
        lines = [[Piece(line)] for line in self.after.split("\n")]
        return Sides(lines, lines)

    @cached_property
    def excerpts(self) -> tuple[str, str]:
        """Both sides as a card has room for them: of long texts the words that differ."""
        old, new = self.before, self.after
        if not self.is_compared:
            return "", _short(new)
        if max(len(old), len(new)) <= CHARS_ON_CARD:
            return old, new
        both = sides(old[:COMPARED_ON_CARD], new[:COMPARED_ON_CARD])
        return _changed(both.before) or _short(old), _changed(both.after) or _short(new)

    @property
    def is_long(self) -> bool:
        """Whether its excerpts need a line of their own beside a narrow conversation."""
        return self.is_compared and len(self.label) + sum(map(len, self.excerpts)) > LINE_CHARS


@dataclass(frozen=True)
class Card:
    """One operation as a card; `along` rows went with it, or would go: `going` are those."""

    operation: Operation
    headline: str
    title: str
    icon: str
    age: str
    fields: Sequence[Field] = ()
    note: str = ""
    along: int = 0
    going: Sequence[Key] = ()
    url: str = ""
    redo: Operation | None = None

    @property
    def changed(self) -> Sequence[Field]:
        return [field for field in self.fields if not field.is_same]

    @property
    def lines(self) -> Sequence[Field]:
        is_deletion = self.operation.type == Type.DELETE
        values = [
            field
            for field in self.changed
            if not (field.is_default or (is_deletion and field.name in {"title", "name"}))
        ]
        return sorted(values, key=lambda item: (*MAIN, item.name).index(item.name))

    @property
    def has_two_sides(self) -> bool:
        return _is_compared(self.operation)

    @property
    def column(self) -> str:
        if self.operation.type == Type.DELETE:
            return _("Deleted") if self.operation.executed_at else _("To be deleted")
        return _("Created") if self.operation.executed_at else _("To be created")

    @property
    def state_words(self) -> str:
        return str(labels.STATES[self.operation.status])

    @property
    def is_erased(self) -> bool:
        return self.operation.payload.erased_at is not None

    @property
    def can_undo(self) -> bool:
        return self.operation.status == Status.COMPLETED and not self.is_erased

    @property
    def can_edit(self) -> bool:
        """It stands or waits, and there is a row or a wish to edit."""
        waits = self.operation.status == Status.PENDING and self.is_in_review
        is_kind = self.operation.type in {Type.CREATE, Type.UPDATE}
        entity_type = all_operables().get(self.operation.entity)
        is_editable = entity_type is not None and entity_type.is_editable
        return (self.can_undo or waits) and is_kind and is_editable

    @property
    def is_in_review(self) -> bool:
        is_pending = self.operation.status == Status.PENDING
        return is_pending and self.operation.batch.status == State.REVIEW

    @property
    def moment(self) -> tuple[str, str]:
        at = timezone.localtime(self.operation.created_at)
        return at.isoformat(), date_words(at, "j F Y, H:i")

    @property
    def digest(self) -> str:
        """What an approval is bound to, as the form sends it."""
        return f"{self.operation.pk}:{cascade.display_digest(self.operation, self.going)}"


@dataclass(frozen=True)
class Group:
    batch: OperationBatch
    cards: Sequence[Card]
    count: int
    standing: int
    to_review: int
    order: str

    @property
    def hidden(self) -> int:
        """How many of its operations have no card here."""
        return self.count - len(self.cards)

    @property
    def is_to_review_whole(self) -> bool:
        """Whether more of it waits than has a card here."""
        return self.to_review > len(self.waiting)

    @property
    def waiting(self) -> Sequence[Card]:
        return [card for card in self.cards if card.is_in_review]

    @property
    def decided(self) -> Sequence[Card]:
        return [card for card in self.cards if not card.is_in_review]


def groups(gestures: Sequence[Gesture]) -> list[Group]:
    """Batches with their cards: a constant number of queries, one more per kind of row."""
    operations = [operation for gesture in gestures for operation in gesture.operations]
    created = dict(zip(operations, cards(operations), strict=True))
    return [
        Group(
            batch=gesture.batch,
            cards=[created[operation] for operation in gesture.operations],
            count=gesture.count,
            standing=gesture.standing,
            to_review=gesture.waiting,
            order=f"{gesture.batch.created_at.timestamp():.6f}",
        )
        for gesture in gestures
    ]


def cards(operations: Sequence[Operation]) -> list[Card]:
    names, later = labels.Names.of(operations), _later(operations)
    went, going = _went_along(operations), cascade.would_go(operations)
    return [
        _card(
            operation,
            names,
            later.get(operation.pk),
            went.get(operation.pk, 0),
            going.get(operation.pk, ()),
        )
        for operation in operations
    ]


def _later(operations: Sequence[Operation]) -> dict[UUID, Operation]:
    """The newest undo or correction of each: a query."""
    status = {operation.pk: operation.status for operation in operations}
    after = Operation.objects.select_related("batch").filter(
        Q(undoes__in=status) | Q(amends__in=status)
    )
    later: dict[UUID, Operation] = {}
    for item in after.order_by("created_at"):
        if item.undoes_id in status:
            later[item.undoes_id] = item
        elif item.amends_id and status[item.amends_id] != Status.ROLLED_BACK:
            later[item.amends_id] = item
    return later


def _card(
    operation: Operation,
    names: labels.Names,
    later: Operation | None,
    went: int,
    going: Sequence[Key],
) -> Card:
    entity_type = all_operables().get(operation.entity)
    is_there = operation.status == Status.COMPLETED
    url_of = entity_type.url if entity_type and is_there else None
    is_undone = later is not None and later.undoes_id == operation.pk
    return Card(
        operation=operation,
        headline=labels.headline(operation),
        title=Truncator(names.title(operation) if entity_type else "").chars(90),
        icon=labels.icon(operation),
        age=labels.ago(operation.executed_at or operation.created_at),
        fields=_fields(entity_type, operation, names) if entity_type else [],
        note=_note(operation, later),
        along=went or len(going),
        going=going,
        url=url_of(operation.entity_id) if url_of else "",
        redo=later if is_undone and later and later.status == Status.COMPLETED else None,
    )


def _note(operation: Operation, later: Operation | None) -> str:
    if operation.payload.erased_at is not None and operation.type != Type.ERASE:
        return _("Its values were permanently deleted.")
    match operation.status:
        case Status.FAILED:
            return operation.error
        case Status.REJECTED:
            return _("You rejected this.")
        case Status.ROLLED_BACK if later is not None:
            at = timezone.localtime(later.executed_at or later.created_at)
            values = {"who": labels.who(later.batch), "at": _when(at)}
            return _("Undone by %(who)s %(at)s") % values
        case Status.COMPLETED if later is not None and later.amends_id == operation.pk:
            return _("Edited since by %(who)s.") % {"who": labels.who(later.batch)}
        case Status.PENDING if operation.batch.status != State.REVIEW:
            return _("Not applied: an earlier change failed.")
    return ""


def _when(at: Any) -> str:
    if at.date() == timezone.localtime().date():
        return _("at %(time)s") % {"time": date_words(at, "H:i")}
    return _("on %(day)s") % {"day": date_words(at, "j M, H:i")}


def _is_compared(operation: Operation) -> bool:
    """Whether there are two sides: a change that failed at once never saw what it would replace."""
    return operation.type == Type.UPDATE and operation.payload.before is not None


def _fields(entity_type: Operable, operation: Operation, names: labels.Names) -> list[Field]:
    before, after = sides_of(operation)
    is_compared, fields = _is_compared(operation), []
    for name in entity_type.fields:
        if name in {**before, **after} and labels.is_shown(entity_type, name):
            old = names.say(entity_type, name, before.get(name))
            new = names.say(entity_type, name, after[name]) if name in after else old
            if old or new:
                label = labels.label(entity_type, name)
                first = own_fields(entity_type.model)[name].get_default()
                is_default = not is_compared and after.get(name, before.get(name)) == first
                old = old if is_compared else ""
                fields.append(Field(name, label, old, new, is_compared, is_default))
    return fields


def _changed(lines: Sequence[Line]) -> str:
    values = [piece.text.strip() for line in lines for piece in line if piece.is_changed]
    return _short(" … ".join(value for value in values if value))


def _short(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(CHARS_ON_CARD)


def _went_along(operations: Sequence[Operation]) -> Mapping[UUID, int]:
    done = [
        operation.pk
        for operation in operations
        if operation.type == Type.DELETE and operation.executed_at
    ]
    if not done:
        return {}
    entailed = Operation.objects.filter(because_of__in=done).values_list("because_of", flat=True)
    return Counter(pk for pk in entailed if pk is not None)
