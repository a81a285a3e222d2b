"""Two people, or two tabs, at one form: what each changed is kept, what both changed is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chat.operations import serialization
from chat.operations.changes import Values
from chat.operations.labels import Names
from chat.operations.queries import changed_since
from chat.operations.registry import Operable, OperableModel, named, operable
from futura.errors import Conflict
from projects.checks import tidied
from projects.commands.wording import label


@dataclass(frozen=True)
class Clash:
    """A field that was changed here and elsewhere, as people read it."""

    field: str
    label: str
    yours: str
    theirs: str


@dataclass(frozen=True)
class Seen:
    """The version of a row that a form was opened at, the one that its clashes showed, and the
    fields that clashed: what such a field holds now was chosen, be it what it held before.
    """

    opened: int
    compared: int
    clashed: frozenset[str] = frozenset()


class Stale(Conflict):
    """Some fields were changed here and elsewhere; nothing was written.

    The form that comes back has then `seen` the row as it is, or, with fields that were changed
    elsewhere only, as it was opened, too: saved again, it still leaves them alone.
    """

    def __init__(self, clashes: Sequence[Clash], seen: Seen) -> None:
        super().__init__(
            _("This was changed in the meantime. Compare both versions and save the one to keep.")
        )
        self.clashes = clashes
        self.seen = seen


def rebased(row: OperableModel, values: Values, seen: Seen | None) -> dict[str, Any]:
    """The values of a form that has seen a row, fit to be written over the row as it is.

    A field that was changed elsewhere and left alone here keeps its new value. Raises Stale when
    one was changed in both and not yet compared, BadInput or TooLong when a value cannot be used.
    """
    details = tidied(values)
    if seen is None or seen.opened == row.version:
        return details
    entity = named(type(row))
    of = operable(entity)
    requested = serialization.cleaned(of, details)
    now, was = serialization.read(of, row, requested), changed_since(entity, row.pk, seen.opened)
    theirs = [name for name in requested if name in was and requested[name] != now[name]]
    left = {name for name in theirs if requested[name] == was[name] and name not in seen.clashed}
    is_first = seen.compared == seen.opened
    later = was if is_first else changed_since(entity, row.pk, seen.compared)
    clashes = [name for name in theirs if name not in left and name in later]
    if clashes:
        raise Stale(
            [
                Clash(
                    name,
                    label(name),
                    _text_of(of, row, name, requested[name]),
                    _text_of(of, row, name, now[name]),
                )
                for name in clashes
            ],
            Seen(seen.opened, row.version, seen.clashed.union(clashes))
            if left
            else Seen(row.version, row.version),
        )
    return {name: value for name, value in details.items() if name not in left}


def _text_of(of: Operable, row: OperableModel, name: str, value: Any) -> str:
    """A stored value as people read it."""
    names = Names.in_values(of, {name: value}, row.owner_id)
    return names.say(of, name, value) or _("empty")
