"""Writes records by hand: add, edit, delete, give back to the source; all through the ledger.

What a person writes is theirs: the fields are noted in `kept_fields`, and reading the source
again leaves them.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Create, Delete, Update, Values
from futura.errors import Conflict
from projects.portfolio.models import Portfolio
from projects.portfolio.models.portfolio import Belonging
from projects.portfolio.preprocess.ids import id_of
from projects.portfolio.records.kinds import Kind
from projects.portfolio.writing import Done, perform


def add_record(
    *, actor: Actor, portfolio: Portfolio, kind: Kind, values: Values
) -> Done[Belonging]:
    """A row at the end of its kind. Raises BadInput, Conflict."""
    told: dict[str, Any] = {
        name: value for name, value in values.items() if value or value is False
    }
    kept = sorted(name for name, value in told.items() if value)
    told |= {"portfolio": portfolio.pk, "kept_fields": kept}
    with transaction.atomic():
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        rows: Any = kind.model._default_manager
        alive = rows.filter(portfolio=portfolio, deleted_at=None)
        if kind.is_single:
            if alive.exists():
                raise Conflict(_("There is one already. Look at it and change that."))
        else:
            last = alive.aggregate(last=Max("position"))["last"]
            taken = alive.values_list("doc_id", flat=True)
            told["position"] = 0 if last is None else last + 1
            told["doc_id"] = id_of(kind.prefix, *kind.id_words(told), taken=list(taken))
        change = Create(kind.entity, told)
        title = _("Added to %(kind)s") % {"kind": str(kind.name).lower()}
        batch = perform([change], actor=actor, title=title)
    return Done(kind.model._default_manager.get(pk=change.id), batch)


def edit_record(
    *, actor: Actor, row: Belonging, kind: Kind, values: Values, version: int | None = None
) -> Done[Belonging]:
    """Other values for some fields, which are the person's from then on. Raises Conflict."""
    changed = {name: value for name, value in values.items() if _differs(row, name, value)}
    if changed:
        changed["kept_fields"] = sorted({*row.kept_fields, *changed})
    title = _("Changed %(kind)s") % {"kind": str(kind.name).lower()}
    change = Update(kind.entity, row.pk, changed, version)
    batch = perform([change], actor=actor, title=title)
    return Done(kind.model._default_manager.get(pk=row.pk), batch)


def release_record(*, actor: Actor, row: Belonging, kind: Kind) -> Done[Belonging]:
    """Gives a row back to its source: reading it again may change every field."""
    change = Update(kind.entity, row.pk, {"kept_fields": []}, row.version)
    batch = perform([change], actor=actor, title=_("Gave it back to its source"))
    return Done(kind.model._default_manager.get(pk=row.pk), batch)


def delete_record(*, actor: Actor, row: Belonging, kind: Kind) -> Done[Belonging]:
    """Takes a row away; undo brings it back. Reading its source again does not."""
    title = _("Deleted from %(kind)s") % {"kind": str(kind.name).lower()}
    batch = perform([Delete(kind.entity, row.pk)], actor=actor, title=title)
    return Done(kind.model._default_manager.get(pk=row.pk), batch)


def _differs(row: Belonging, name: str, value: Any) -> bool:
    if name == "linked_entries":
        now = row.linked_entries.values_list("pk", flat=True)  # type: ignore[attr-defined]
        return sorted(map(str, now)) != sorted(map(str, value))
    return bool(getattr(row, name) != value)
