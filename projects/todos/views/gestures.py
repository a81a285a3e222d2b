"""What is done to one to-do, or to several that were chosen."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from chat.identity import identity_of
from chat.operations.changes import Actor, Kind
from chat.operations.models import OperationBatch
from chat.operations.undo import UndoConflict
from futura.errors import BadInput
from projects import actions
from projects import queries as projects
from projects.editing import clashes_of
from projects.models import Task
from projects.todos import queries
from projects.todos.days import day_of
from projects.todos.rows import now
from projects.todos.views.answers import actor_of, changed, ids_in, next_in, own, wanted_in


@require_POST
def status(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Done, open again, or any other status."""
    task = own(request, todo_id)
    told = request.POST.get("status", "")
    done = actions.set_task_status(actor=actor_of(request, task), task=task, status=told)
    return changed(request, done.batch)


@require_POST
def when(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Another day."""
    task = own(request, todo_id)
    due = day_of(request.POST.get("to", ""), request.POST.get("day", ""))
    done = actions.reschedule_tasks(actor=actor_of(request, task), tasks=[task], due=due)
    return changed(request, done)


@require_POST
def place(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Another place in the list: `up`, `down`, `first`, `last`; before or after another."""
    task = own(request, todo_id)
    among = queries.placed_among(identity_of(request), wanted_in(request), now().date())
    before = _before(among, task, request.POST.get("to", ""), request.POST.get("before", ""))
    done = actions.place_task(actor=actor_of(request, task), task=task, before=before, among=among)
    return changed(request, done)


def _before(among: Sequence[Task], task: Task, to: str, before: str) -> uuid.UUID | None:
    """The to-do that this one shall stand before; None behind all."""
    if to == "before":
        return ids_in([before])[0]
    others = [one.pk for one in among if one.pk != task.pk]
    at = next((n for n, one in enumerate(among) if one.pk == task.pk), len(others))
    if to == "after":
        at = next((n for n, pk in enumerate(others) if pk == ids_in([before])[0]), -2)
        return others[at + 1] if -1 < at < len(others) - 1 else None
    places = {"up": at - 1, "down": at + 1, "first": 0, "last": len(others)}
    if to not in places:
        raise BadInput(_("A to-do moves up or down."), field="to")
    wanted = max(places[to], 0)
    return others[wanted] if wanted < len(others) else None


@require_POST
def delete(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    """Takes it away; the notice offers it back."""
    task = own(request, todo_id)
    done = actions.delete_task(actor=actor_of(request, task), task=task)
    return changed(request, done.batch)


@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """One thing done to all that are chosen: `complete`, `when:today`, `priority:high`, …"""
    ids = ids_in(request.POST.getlist("chosen"))
    if not ids:
        raise BadInput(_("Choose at least one to-do."), field="chosen")
    if len(ids) > actions.AT_ONCE:
        raise BadInput(_("At most %(n)d at once, please.") % {"n": actions.AT_ONCE}, field="chosen")
    tasks = queries.todos_for(identity_of(request), ids)
    verb, _colon, what = request.POST.get("do", "").partition(":")
    return changed(request, _done(request, actor_of(request, tasks[0]), tasks, verb, what))


def _done(
    request: HttpRequest, actor: Actor, tasks: Sequence[Task], verb: str, what: str
) -> OperationBatch:
    statuses = {
        "complete": Task.Status.COMPLETED,
        "reopen": Task.Status.AVAILABLE,
        "drop": Task.Status.DROPPED,
    }
    if verb in statuses:
        return actions.set_tasks_status(actor=actor, tasks=tasks, status=statuses[verb])
    if verb == "when":
        due = day_of(what, request.POST.get("day", ""))
        return actions.reschedule_tasks(actor=actor, tasks=tasks, due=due)
    if verb == "priority":
        return actions.set_tasks_priority(actor=actor, tasks=tasks, priority=what)
    if verb == "project":
        into = None if what == "none" else ids_in([what])[0]
        project = projects.project_for(identity_of(request), into) if into else None
        return actions.move_tasks(actor=actor, tasks=tasks, project=project)
    if verb == "delete":
        return actions.delete_tasks(actor=actor, tasks=tasks)
    raise BadInput(_("That cannot be done to to-dos."), field="do")


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Takes a gesture back, or does it again; shows what was changed since."""
    identity = identity_of(request)
    batch = projects.batch_for(identity, batch_id)
    actor = Actor(batch.owner_id, Kind.PERSON, identity.user_id)
    try:
        done = actions.take_back(actor=actor, batch=batch)
    except UndoConflict as error:
        if request.htmx:  # type: ignore[attr-defined]
            return HttpResponseClientRedirect(reverse("operations:undo_all", args=[batch.pk]))
        context = {"batch": batch, "clashes": clashes_of(error.plan), "next": next_in(request)}
        return render(request, "projects/undo.html", context, status=409)
    return changed(request, done)
