"""A conversation step by step: what was said, answered, changed and marked, in order of time."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat.models import Message, Run, Session
from chat.operations import labels
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import full
from chat.operations.registry import operable
from chat.operations.serialization import sides_of
from chat.staff.models import ReviewNote

SHOWN_CHARS: Final = 160
_words: dict[str, str | Promise] = {
    "model": gettext_lazy("model"),
    "rules": gettext_lazy("rules"),
    "engine": gettext_lazy("engine"),
}
Plain = Mapping[str, Any]


def register_words(words: Mapping[str, str | Promise]) -> None:
    """What codes of a feature are called: tools, levels, names of its state."""
    _words.update(words)


def word_for(code: str) -> str:
    return str(_words.get(code, code))


@dataclass(frozen=True)
class Step:
    """One stage of a turn; `notes` are "name: value" pairs, empty values left out."""

    label: str
    by: str
    took_ms: int | None
    notes: tuple[tuple[str, str], ...]


def steps_of(run: Run) -> list[Step]:
    return [
        Step(
            # stored in the language of the conversation; English is what translations go by
            label=_(stage["label"]) if stage.get("label") else str(stage.get("name") or ""),
            by=word_for(stage.get("by") or ""),
            took_ms=stage.get("took_ms"),
            notes=tuple(_notes(stage.get("detail") or {})),
        )
        for stage in run.trace
    ]


def _notes(detail: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in detail.items():
        words = readable(value)
        if words:
            yield spaced(name), words


def readable(value: Any) -> str:
    """A value as a reader would write it: lists with commas, mappings as "name value"."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"{spaced(key)} {readable(entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(readable(item) for item in value)
    return word_for(str(value))


def spaced(name: str) -> str:
    """What a value is called; `estimatedTaskCount` as "estimated task count" where nobody says."""
    if name in _words:
        return word_for(name)
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name).replace(
        "_", " "
    )


@dataclass(frozen=True)
class Difference:
    """One value that a turn changed; empty sides were not there. `path` is what it stands in."""

    name: str
    before: str
    after: str
    path: str = ""


def after_each(runs: Sequence[Run], now: Plain) -> dict[uuid.UUID, dict[str, Any]]:
    """The state after each run (given in the order they were made): what the next one began with.

    The last one left what stands `now`.
    """
    after = [*(run.state_before for run in runs[1:]), dict(now)]
    return {run.pk: state for run, state in zip(runs, after, strict=False)}


def differences(before: Plain, after: Plain) -> list[Difference]:
    return list(_differences("", before, after))


def _differences(path: str, before: Plain, after: Plain) -> Iterator[Difference]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        words = spaced(name)
        if isinstance(old, Mapping | None) and isinstance(new, Mapping | None) and (old or new):
            inner = f"{path} › {words}" if path else words
            yield from _differences(inner, old or {}, new or {})
        elif isinstance(old, list | None) and isinstance(new, list | None):
            yield _of_lists(words, path, old or [], new or [])
        else:
            yield Difference(words, _short(readable(old)), _short(readable(new)), path)


def _of_lists(words: str, path: str, old: list[Any], new: list[Any]) -> Difference:
    """What came and what went; in another order only, both as they are."""
    went = [item for item in old if item not in new]
    came = [item for item in new if item not in old]
    if not went and not came:
        went, came = old, new
    return Difference(words, _short(readable(went)), _short(readable(came)), path)


def _short(words: str) -> str:
    return words if len(words) <= SHOWN_CHARS else f"{words[: SHOWN_CHARS - 1]}…"


Kind = Literal["said", "asked", "set aside", "run", "changed", "note"]
OPERATIONS_MAX = 2_000


@dataclass(frozen=True)
class Point:
    """One thing that happened; `state` is what the guide knew from then on."""

    at: datetime
    kind: Kind
    title: str
    text: str = ""
    seq: int = 0
    steps: Sequence[Step] = ()
    changes: Sequence[Difference] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    run_id: uuid.UUID | None = None
    batch_id: uuid.UUID | None = None
    message_id: uuid.UUID | None = None


@dataclass(frozen=True)
class Replay:
    """All points of a conversation, and the one looked at (counted from 1; 0 of none)."""

    points: Sequence[Point]
    at: int

    @property
    def point(self) -> Point | None:
        return self.points[self.at - 1] if self.points else None

    @property
    def so_far(self) -> list[Point]:
        """What had been said by then, without what had been set aside by then."""
        until = self.points[: self.at]
        gone = {item.message_id for item in until if item.kind == "set aside"}
        spoken = [item for item in until if item.kind in {"said", "asked"}]
        return [item for item in spoken if item.message_id not in gone]


def replay_of(session: Session, *, at: int) -> Replay:
    """The points in order, and the nearest to the one asked for: five queries at any length."""
    messages = list(session.messages.order_by("seq"))
    runs = list(session.runs.order_by("created_at"))
    points = [
        *_spoken(messages, runs),
        *_answered(runs, session.state),
        *_changed(session),
        *_noted(session.review_notes.select_related("author")),
    ]
    points.sort(key=lambda point: (point.at, _ORDER[point.kind]))
    points = _with_states(points, runs[0].state_before if runs else session.state)
    return Replay(points, max(1, min(at, len(points))) if points else 0)


_ORDER: Mapping[Kind, int] = {
    "set aside": 0, "said": 1, "asked": 2, "run": 3, "changed": 4, "note": 5,
}  # fmt: skip


def _spoken(messages: Sequence[Message], runs: Sequence[Run]) -> Iterator[Point]:
    ended = {run.reply_id: run.finished_at for run in runs if run.reply_id}
    for message in messages:
        is_person = message.role == Message.Role.PERSON
        yield Point(
            at=ended.get(message.pk) or message.created_at,
            kind="said" if is_person else "asked",
            title=_("The person wrote") if is_person else _("Futura wrote"),
            text=message.text,
            seq=message.seq,
            message_id=message.pk,
        )
        if message.superseded_at is not None:
            yield Point(
                at=message.superseded_at,
                kind="set aside",
                title=_("Message %(seq)d was set aside") % {"seq": message.seq},
                seq=message.seq,
                message_id=message.pk,
            )


def _answered(runs: Sequence[Run], now: Mapping[str, Any]) -> Iterator[Point]:
    after = after_each(runs, now)
    for run in runs:
        mode = [_("basic mode")] if run.basic_mode else []
        how = ", ".join([run.get_status_display(), *mode])
        yield Point(
            at=run.finished_at or run.started_at or run.created_at,
            kind="run",
            title=_("Turn: %(how)s") % {"how": how},
            text=f"{run.error_code} {run.error_text}".strip(),
            steps=steps_of(run),
            changes=differences(run.state_before, after[run.pk]),
            state=after[run.pk],
            run_id=run.pk,
        )


def _changed(session: Session) -> Iterator[Point]:
    done = Operation.objects.filter(batch__session=session, executed_at__isnull=False)
    operations = list(full(done).order_by("executed_at", "sequence")[:OPERATIONS_MAX])
    names = labels.Names.of(operations)
    by_batch: dict[uuid.UUID, list[Operation]] = {}
    for operation in operations:
        by_batch.setdefault(operation.batch_id, []).append(operation)
    for some in by_batch.values():
        batch: OperationBatch = some[0].batch
        yield Point(
            at=some[-1].executed_at or batch.created_at,
            kind="changed",
            title=f"{batch.title or labels.headline(some[0])}, {labels.who(batch)}",
            text=batch.reason,
            changes=[line for item in some for line in _lines(item, names)],
            batch_id=batch.pk,
        )


def _lines(operation: Operation, names: labels.Names) -> Iterator[Difference]:
    of = operable(operation.entity)
    if operation.payload.erased_at is not None:
        yield Difference(labels.capital_noun(operation.entity), "", _("text permanently deleted"))
        return
    before, after = sides_of(operation)
    for name in of.fields:
        if name in of.quiet or before.get(name) == after.get(name):
            continue
        sides = [names.say(of, name, side.get(name)) for side in (before, after)]
        yield Difference(
            f"{labels.capital_noun(operation.entity)}: {labels.label(of, name)}", *sides
        )


def _noted(notes: Any) -> Iterator[Point]:
    note: ReviewNote
    for note in notes:
        who = str(note.author) if note.author else _("deleted account")
        yield Point(note.created_at, "note", _("Note by %(who)s") % {"who": who}, note.text)


def _with_states(points: Sequence[Point], first: Mapping[str, Any]) -> list[Point]:
    """Each with the state as the last turn before it, or it, left it."""
    state, done = first, []
    for point in points:
        state = point.state if point.kind == "run" else state
        done.append(replace(point, state=state))
    return done
