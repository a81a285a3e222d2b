"""What became of a turn, in words: its steps, how it left the state, what the ledger changed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from chat.models import Run, Session
from chat.operations import labels
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import full
from chat.operations.registry import operable
from chat.operations.serialization import sides_of

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


CHANGES_MAX: Final = 2_000


@dataclass(frozen=True)
class Change:
    """A batch of the ledger and the fields that it changed."""

    at: datetime
    title: str
    batch: OperationBatch
    fields: Sequence[Difference]


def changes_of(session: Session) -> Iterator[Change]:
    """What was changed in a conversation, in order of time: three queries at any length."""
    done = Operation.objects.filter(batch__session=session, executed_at__isnull=False)
    operations = list(full(done).order_by("executed_at", "sequence")[:CHANGES_MAX])
    names = labels.Names.of(operations)
    by_batch: dict[uuid.UUID, list[Operation]] = {}
    for operation in operations:
        by_batch.setdefault(operation.batch_id, []).append(operation)
    for some in by_batch.values():
        batch: OperationBatch = some[0].batch
        yield Change(
            at=some[-1].executed_at or batch.created_at,
            title=f"{batch.title or labels.headline(some[0])}, {labels.who(batch)}",
            batch=batch,
            fields=[line for item in some for line in _lines(item, names)],
        )


def _lines(operation: Operation, names: labels.Names) -> Iterator[Difference]:
    entity_type = operable(operation.entity)
    if operation.payload.erased_at is not None:
        yield Difference(labels.capital_noun(operation.entity), "", _("text permanently deleted"))
        return
    before, after = sides_of(operation)
    for name in entity_type.fields:
        if name in entity_type.quiet or before.get(name) == after.get(name):
            continue
        sides = [names.say(entity_type, name, side.get(name)) for side in (before, after)]
        yield Difference(
            f"{labels.capital_noun(operation.entity)}: {labels.label(entity_type, name)}", *sides
        )
