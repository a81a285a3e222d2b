"""A form made of a table of fields on its way: shown, sent, saved by a command, or back again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from chat.commands.base import Command
from chat.commands.forms import run_for
from chat.operations import registry
from chat.operations.models import OperationBatch
from projects.editing import rebased
from projects.portfolio.schema.forms import SchemaForm, labelled
from projects.portfolio.schema.tables import Field, Values
from projects.views import answers


def edited(
    request: HttpRequest,
    fields: Sequence[Field],
    model: type[Values],
    command: Callable[[dict[str, Any]], Command],
    *,
    row: Any = None,
    options: Mapping[str, Sequence[Any]] | None = None,
) -> tuple[SchemaForm, answers.Sent]:
    """The form of a row, or of a new one; what was sent is saved by the command of its values.

    What was changed elsewhere meanwhile and left alone here stays; what was changed in both comes
    back as clashes. Without a batch in the answer the form is to be shown.
    """
    if request.method != "POST":
        return SchemaForm(fields, row=row, options=options), answers.Sent()
    form = SchemaForm(fields, request.POST, options=options)

    def write() -> OperationBatch:
        values = form.tidied(model)
        if row is not None:
            values = rebased(registry.named(type(row)), row, values, form.seen())
        return run_for(request, command(values))

    sent = answers.save(form, write)
    if sent.clashes:
        answers.fresh(form, row.version)
        sent.clashes = labelled(fields, sent.clashes)
    return form, sent
