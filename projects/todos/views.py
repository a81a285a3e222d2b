"""Pages of to-dos: the lists, quick add, one to-do, and what is done to one or to several.

What is done to one has two addresses: with a project's id it stands on the page of that project,
which then answers.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from chat import rates
from chat.commands.base import Command, Scope, build
from chat.commands.run import run, run_for
from chat.identity import Identity, identity_beginning, identity_of
from chat.operations.models import OperationBatch
from futura import limits, parameters
from futura.attachments import attachment
from futura.errors import BadInput, NotFound, TooMany
from projects import export
from projects.commands import todos as commands
from projects.forms import TodoForm
from projects.models import Task
from projects.project_page import project_context
from projects.queries import task_for
from projects.todos import queries, quick_add
from projects.todos.basic import LINE_CHARS, values_of
from projects.todos.listing import REMEMBERED, Listing
from projects.todos.rows import list_context, now, row
from projects.views import answers
from projects.views.answers import just_done, notice_of, undone
from projects.views.project import page as project_page

CHANGED = "todos-changed"  # what other lists on the page listen for


def own(request: HttpRequest, todo_id: uuid.UUID, project_id: uuid.UUID | None = None) -> Task:
    """The door: one of the caller's to-dos, of this very project where one is named."""
    task = task_for(identity_of(request), todo_id)
    if project_id is not None and task.project_id != project_id:
        raise NotFound
    return task


def next_in(request: HttpRequest) -> str:
    """The page to go back to, with its filters."""
    requested = request.POST.get("next", "") or request.GET.get("next", "")
    address = parameters.own_address(request, requested if len(requested) < 2_000 else "", "")
    if not address.startswith("/"):
        return reverse("todos:list")
    path, _, query = address.partition("#")[0].partition("?")
    stored = QueryDict(query, mutable=True)
    stored.pop("done", None)
    return f"{path}?{stored.urlencode()}" if stored else path


def listing_in(request: HttpRequest) -> Listing:
    return Listing.of(QueryDict(next_in(request).partition("?")[2]).dict())


def changed(
    request: HttpRequest,
    batch: OperationBatch | None,
    project_id: uuid.UUID | None = None,
    *,
    deleted: int = 0,
    **more: Any,
) -> HttpResponse:
    """After a gesture: the list as it is now (where it was made on one), and what was done.

    `deleted` were meant, too, and had been deleted before.
    """
    if project_id is not None:
        return _on_project(request, project_id, batch)
    htmx: Any = request.htmx  # type: ignore[attr-defined]
    if not htmx:
        back = next_in(request)
        mark = f"{'&' if '?' in back else '?'}done={batch.pk}" if batch else ""
        return redirect(f"{back}{mark}{f'&deleted={deleted}' if deleted else ''}")
    done = notice_of(batch, deleted=deleted) if batch is not None else None
    context: dict[str, Any] = {"done": done, "next": next_in(request), "undo_in": "page", **more}
    if htmx.target != "found":
        answer = render(request, "projects/_done_toast.html", context)
    else:
        context |= list_context(identity_of(request), listing_in(request)) | {"undo_in": "found"}
        answer = render(request, "projects/todos/_changed.html", context)
    answer["HX-Trigger"] = CHANGED
    return answer


def _on_project(
    request: HttpRequest,
    project_id: uuid.UUID,
    batch: OperationBatch | None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The same on the page of a project; without scripts it is loaded anew."""
    project = answers.own(request, project_id)
    if request.htmx:  # type: ignore[attr-defined]
        done = notice_of(batch) if batch is not None else None
        context = {**project_context(project), "is_news": True, "done": done, **more}
        return render(request, "projects/_tasks_changed.html", context, status=status)
    if batch is None:
        return project_page(request, project, status=status, **more)
    return answers.went(answers.project_url(project_id), batch, at="tasks")


COOKIE: Final = "futura_todos"  # the view and the order of the last visit
COOKIE_AGE_S: Final = 400 * 24 * 3600


@require_safe
@vary_on_headers("HX-Request")
def todos(request: HttpRequest) -> HttpResponse:
    stored = QueryDict(request.COOKIES.get(COOKIE, "")).dict()
    if request.GET.get("tab") == "done":  # what is done has an order of its own
        stored.pop("sort", None)
    remembered = {name: stored.get(name, "") for name in REMEMBERED}
    requested = Listing.of({**remembered, **request.GET.dict()})
    answer = page(request, requested, done=just_done(request))
    if set(REMEMBERED) & set(request.GET):
        choices = urlencode({name: getattr(requested, name) for name in REMEMBERED})
        answer.set_cookie(
            COOKIE, choices, max_age=COOKIE_AGE_S, samesite="Lax", httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )  # fmt: skip
    return answer


def page(request: HttpRequest, listing: Listing, *, status: int = 200, **more: Any) -> HttpResponse:
    """A list; `more` is what stands in the way of adding something."""
    context = list_context(identity_of(request), listing)
    context |= {"next": listing.url, "undo_in": "found", **more}
    is_part = request.htmx and not request.htmx.history_restore_request  # type: ignore[attr-defined]
    template = "projects/todos/_found.html" if is_part else "projects/todos/list.html"
    answer = render(request, template, context, status=status)
    if is_part and "q" in request.GET:  # sent by the form of filters, with all that is empty
        answer["HX-Replace-Url"] = listing.url
    return answer


@require_safe
def copy(request: HttpRequest, ending: str) -> HttpResponse:
    identity = identity_of(request)
    listing, today = Listing.of(request.GET.dict()), timezone.localdate()
    tasks = queries.exported(identity, listing, today) if identity.is_known else []
    written, kind = export.WAYS[ending]
    return attachment(written(tasks), kind, f"to-dos-{listing.tab}-{today.isoformat()}.{ending}")


@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HttpRequest) -> HttpResponse:
    """The line as it is understood so far (a fragment).

    A project's page names itself. Texts of several lines come by POST: a to-do of each with
    `each`; on the first page a whole project's, which has no preview.
    """
    project_id, identity = parameters.key(request.GET.get("project")), identity_of(request)
    text = request.GET.get("title" if project_id else "text", "")
    if request.method == "POST":
        text = request.POST.get("text", "").strip()
        is_line = len(text) <= LINE_CHARS and "\n" not in text
        text = text if is_line or "each" in request.GET else ""
    context: dict[str, Any] = {}
    try:
        todos = quick_add.several(identity, text, at_most=quick_add.PREVIEWED)
        if todos is not None and not project_id:
            context = {"additions": quick_add.additions(identity, todos)}
        elif text.strip():
            context = quick_add.preview_context(quick_add.read(identity, text))
        if context and project_id:
            context["project"] = context["project"] or answers.own(request, project_id)
    except BadInput as error:
        context = {"add_error": str(error)}
    return render(request, "projects/todos/_preview.html", context)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Stores a line, or a to-do of each of several; without scripts what was understood is shown
    first.
    """
    text = request.POST.get("text", "")
    identity = identity_beginning(request)
    is_plain = bool(request.POST.get("plain"))
    is_new = not request.htmx and "seen" not in request.POST and not is_plain  # type: ignore[attr-defined]
    try:
        todos = None if is_plain else quick_add.several(identity, text)
    except BadInput as error:
        return _refused(request, text, error)
    if todos is not None and is_new:
        shown = {"additions": quick_add.additions(identity, todos)}
        return page(request, listing_in(request), add_text=text, preview=shown)
    try:
        line = None if todos else quick_add.read(identity, text)
        if line is not None and is_new and line.todo.spans and line.todo.title:
            more: dict[str, Any] = {"add_text": text, "preview": quick_add.preview_context(line)}
            return page(request, listing_in(request), **more)
        values = values_of(line.todo) if line is not None else {}
        values = {"title": text} if is_plain else values
        batch = _stored(identity, todos or build(commands.CreateTodo, values))
    except (BadInput, TooMany) as error:
        return _refused(request, text, error)
    return changed(request, batch, is_added=True)


def _stored(identity: Identity, command: Command) -> OperationBatch:
    is_new = not identity.is_known
    with transaction.atomic():  # what is refused leaves no participant behind
        batch = run(command, Scope(identity)).batch
        if is_new:
            rates.check(limits.START, identity)
    return batch


def _refused(request: HttpRequest, text: str, error: BadInput | TooMany) -> HttpResponse:
    status = 429 if isinstance(error, TooMany) else 422
    more = {"add_text": text, "add_error": str(error) or _("This cannot be saved.")}
    if request.htmx:  # type: ignore[attr-defined]
        answer = render(request, "projects/todos/_preview.html", more, status=422)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#quick-preview", "outerHTML"
    else:
        answer = page(request, listing_in(request), status=status, **more)
    if isinstance(error, TooMany):
        answer["Retry-After"] = str(error.retry_after_s)
    return answer


@require_POST
def add_to_project(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Stores a title; where scripts have shown what is understood of it, that."""
    project, identity = answers.own(request, project_id), identity_of(request)
    title = request.POST.get("title", "")
    is_read = "seen" in request.POST and "plain" not in request.POST
    try:
        values = values_of(quick_add.read(identity, title).todo) if is_read else {}
        sent = {"title": title, "project": project.pk} | values
        batch = run_for(request, build(commands.CreateTodo, sent))
    except BadInput as error:
        refused = {"add_text": title, "add_error": str(error)}
        return _on_project(request, project_id, None, status=422, **refused)
    return changed(request, batch, project_id)


@require_http_methods(["GET", "HEAD", "POST"])
def todo(
    request: HttpRequest, todo_id: uuid.UUID, project_id: uuid.UUID | None = None
) -> HttpResponse:
    """All of a to-do on a page of its own."""
    task, identity = own(request, todo_id, project_id), identity_of(request)
    return answers.edit_page(
        request, task, TodoForm, commands.ChangeTodos,
        template="projects/todos/todo.html", title=task.title,
        back=f"{answers.project_url(project_id)}#tasks" if project_id else next_in(request),
        then=lambda batch: changed(request, batch, project_id),
        choices={
            "others": queries.can_wait_for(identity, task),
            "projects": queries.projects_to_choose(identity, task.project_id),
        },
        people=queries.people_and_tags(identity.participant_ids)[0],
        done=just_done(request), task=task, todo=row(task, now()),
    )  # fmt: skip


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
def status(
    request: HttpRequest, todo_id: uuid.UUID, project_id: uuid.UUID | None = None
) -> HttpResponse:
    """Done, open again, or any other status."""
    own(request, todo_id, project_id)  # whose it is comes before what was sent
    sent = {"status": request.POST.get("status", "")}
    batch = run_for(request, build(commands.ChangeTodos, sent, ids=[todo_id]))
    return changed(request, batch, project_id)


@require_POST
def when(request: HttpRequest, todo_id: uuid.UUID) -> HttpResponse:
    own(request, todo_id)  # whose it is comes before what was sent
    due = day_of(request.POST.get("to", ""), request.POST.get("day", ""))
    command = build(commands.ChangeTodos, {"due_date": due}, ids=[todo_id])
    return changed(request, run_for(request, command))


@require_POST
def place(
    request: HttpRequest, todo_id: uuid.UUID, project_id: uuid.UUID | None = None
) -> HttpResponse:
    """Another place in the list: `up`, `down`, `first`, `last`; before or after another."""
    task = own(request, todo_id, project_id)
    sent: dict[str, Any] = {
        "to": request.POST.get("to", ""), "other": request.POST.get("before") or None,
    }  # fmt: skip
    if project_id is None:
        among = queries.placed_among(identity_of(request), listing_in(request), now().date())
        sent["among"] = [row.pk for row in among]
    return changed(
        request, run_for(request, build(commands.PlaceTodo, sent, id=task.pk)), project_id
    )


@require_POST
def delete(
    request: HttpRequest, todo_id: uuid.UUID, project_id: uuid.UUID | None = None
) -> HttpResponse:
    task = own(request, todo_id, project_id)
    return changed(request, run_for(request, commands.DeleteTodos(ids=(task.pk,))), project_id)


@require_POST
def bulk(request: HttpRequest) -> HttpResponse:
    """One thing done to all that are chosen: `complete`, `when:today`, `priority:high`, …

    Those that were deleted meanwhile are left out, unless there are no others.
    """
    try:
        chosen = [uuid.UUID(key) for key in request.POST.getlist("chosen")]
    except ValueError:
        raise BadInput(_("That is not an ID."), field="chosen") from None
    deleted = queries.deleted_among(identity_of(request), chosen)
    ids = [key for key in chosen if key not in deleted] or chosen
    verb, _colon, value = request.POST.get("do", "").partition(":")
    batch = run_for(request, _command(request, ids, verb, value))
    return changed(request, batch, deleted=len(deleted))


def _command(request: HttpRequest, ids: Sequence[uuid.UUID], verb: str, value: str) -> Command:
    simple: dict[str, type[Command]] = {
        "complete": commands.CompleteTodos,
        "reopen": commands.ReopenTodos,
        "delete": commands.DeleteTodos,
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
    return build(commands.ChangeTodos, values[verb], ids=ids)


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Takes a gesture back, or does it again; shows what was changed since."""
    return undone(request, batch_id, lambda _batch, done: changed(request, done))
