"""Two people, or two tabs, at one form: what each changed is kept, what both changed is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from chat.operations import serialization
from chat.operations.changes import Values
from chat.operations.labels import Names, label
from chat.operations.queries import changed_since
from chat.operations.registry import Operable, OperableModel, named, operable
from futura.errors import Conflict
from projects.checks import tidied


@dataclass(frozen=True)
class Clash:
    """A field that was changed here and elsewhere, as people read it."""

    label: str
    yours: str
    theirs: str


class Stale(Conflict):
    """Some fields were changed here and elsewhere; nothing was written.

    `left` were changed elsewhere only. The form that comes back shows what stands in them, and
    has seen the row as it is: saved again, it replaces that.
    """

    def __init__(self, clashes: Sequence[Clash], row: OperableModel, left: Collection[str]) -> None:
        super().__init__(
            _("This was changed in the meantime. Compare both versions and save the one to keep.")
        )
        self.clashes = clashes
        self.row = row
        self.left = left


def rebased(row: OperableModel, values: Values, version: int | None) -> dict[str, Any]:
    """The values of a form that has seen a version of a row, fit to be written over it as it is.

    A field that was changed elsewhere and left alone here keeps its new value. Raises Stale when
    one was changed in both, BadInput or TooLong when a value cannot be used.
    """
    details = tidied(values)
    if version is None or version == row.version:
        return details
    entity = named(type(row))
    entity_type = operable(entity)
    requested = serialization.cleaned(entity_type, details)
    now = serialization.read(entity_type, row, requested)
    was = changed_since(entity, row.pk, version)
    theirs = [name for name in requested if name in was and requested[name] != now[name]]
    left = [name for name in theirs if requested[name] == was[name]]
    clashes = [
        Clash(
            label(entity_type, name),
            _text_of(entity_type, row, name, requested[name]),
            _text_of(entity_type, row, name, now[name]),
        )
        for name in theirs
        if name not in left
    ]
    if clashes:
        raise Stale(clashes, row, left)
    return {name: value for name, value in details.items() if name not in left}


def _text_of(entity_type: Operable, row: OperableModel, name: str, value: Any) -> str:
    """A stored value as people read it."""
    names = Names.in_values(entity_type, {name: value}, row.owner_id)
    return names.say(entity_type, name, value) or _("empty")
