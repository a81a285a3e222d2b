"""What is done to one to-do, or to several that were chosen."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.commands.base import Command, build
from chat.commands.forms import run_for
from chat.identity import identity_of
from futura.errors import BadInput
from projects.commands.todos import (
    ChangeTodos,
    CompleteTodos,
    DeleteTodos,
    PlaceTodo,
    ReopenTodos,
)
from projects.todos import queries
from projects.todos.rows import now
from projects.todos.views.answers import changed, ids_in, next_in, own, wanted_in
from projects.views.undoing import undone


def day_of(to: str, day: str = "") -> dt.date | None:
    """`today`, `tomorrow`, `week` (next Monday), `none`, or the day given. Raises BadInput."""
    today = now().date()
    near = {
        "today": today,
        "tomorrow": today + dt.timedelta(days=1),
        "week": today + dt.timedelta(days=7 - today.weekday()),
        "none": None,
    }
    if to in near:
        return near[to]
    try:
        chosen = parse_date(day.strip()) if to == "day" else None
    except ValueError:
        chosen = None
    if chosen is None:
        raise BadInput(_("Choose a date."), field="day")
    return chosen


@require_POST
def status(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Done, open again, or any other status."""
    own(request, todo_id)  # whose it is comes before what was sent
    sent = {"status": request.POST.get("status", "")}
    return changed(request, run_for(request, build(ChangeTodos, sent, ids=[todo_id])))


@require_POST
def when(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Another day."""
    own(request, todo_id)  # whose it is comes before what was sent
    due = day_of(request.POST.get("to", ""), request.POST.get("day", ""))
    command = build(ChangeTodos, {"due_date": due}, ids=[todo_id])
    return changed(request, run_for(request, command))


@require_POST
def place(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Another place in the list: `up`, `down`, `first`, `last`; before or after another."""
    task = own(request, todo_id)
    among = queries.placed_among(identity_of(request), wanted_in(request), now().date())
    sent = {"to": request.POST.get("to", ""), "other": request.POST.get("before") or None}
    command = build(PlaceTodo, sent, id=task.pk, among=[row.pk for row in among])
    return changed(request, run_for(request, command))


@require_POST
def delete(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Takes it away; the notice offers it back."""
    return changed(request, run_for(request, DeleteTodos(ids=(todo_id,))))


@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """One thing done to all that are chosen: `complete`, `when:today`, `priority:high`, …"""
    ids = ids_in(request.POST.getlist("chosen"))
    verb, _colon, value = request.POST.get("do", "").partition(":")
    return changed(request, run_for(request, _command(request, ids, verb, value)))


def _command(request: HttpRequest, ids: Sequence[uuid.UUID], verb: str, value: str) -> Command:
    simple: dict[str, type[Command]] = {
        "complete": CompleteTodos,
        "reopen": ReopenTodos,
        "delete": DeleteTodos,
    }
    if verb in simple:
        return build(simple[verb], {"ids": ids})
    values: dict[str, dict[str, Any]] = {
        "drop": {"status": "dropped"},
        "priority": {"priority": value},
        "project": {"project": None if value == "none" else value},
    }
    if verb == "when":
        values["when"] = {"due_date": day_of(value, request.POST.get("day", ""))}
    if verb not in values:
        raise BadInput(_("To-dos have no such action."), field="do")
    return build(ChangeTodos, values[verb], ids=ids)


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Takes a gesture back, or does it again; shows what was changed since."""
    return undone(
        request, batch_id, back=next_in(request), then=lambda _batch, done: changed(request, done)
    )
