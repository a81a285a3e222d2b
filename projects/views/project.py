"""A project: the page to read, and what is done to it as a whole."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.base import build
from chat.commands.run import run_for
from chat.operations.models import OperationBatch
from futura.attachments import attachment
from futura.errors import NotFound
from projects import dimensions, export, from_survey, hooks, queries
from projects.commands.notes import ChangeNote, CreateNote, DeleteNote
from projects.commands.projects import ChangeProject, DeleteProject
from projects.dimensions import Standing
from projects.editing import rebased
from projects.forecasting.commands import line_of
from projects.forecasting.queries import forecasts_of
from projects.forms import DimensionForm, EditProjectForm, FinishForm, NoteForm
from projects.models import Project
from projects.outcomes import still_open
from projects.project_page import MENU, project_context, talks_about
from projects.views import answers


@require_safe
def project(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The page."""
    return page(request, answers.own(request, project_id))


def page(request: HttpRequest, project: Project, *, status: int = 200, **more: Any) -> HttpResponse:
    """The whole page; `more` are forms that come back with what stands in their way."""
    context: dict[str, Any] = {
        **project_context(project),
        "menu": MENU,
        "talks": talks_about(project),
        "note_form": NoteForm(),
        "done": answers.just_done(request),
        "difference": from_survey.difference_of(project),
        "offer": hooks.portfolio.offer(project),
        "forecasts": [line_of(row) for row in forecasts_of(project)],
        **more,
    }
    if request.GET.get("notes") == "all":
        context |= {"notes": queries.notes_of(project), "has_more_notes": False}
    return render(request, "projects/project.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Name, dates, status and the texts around the dimensions."""
    project = answers.own(request, project_id)
    return answers.edit_page(
        request, project, EditProjectForm, ChangeProject,
        back=answers.project_url(project.pk), title=_("Edit project"),
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def dimension(request: HttpRequest, project_id: uuid.UUID, dimension: str) -> HttpResponse:
    """The text of one of the nine; in its place with htmx, on a page of its own without."""
    project = answers.own(request, project_id)
    item = dimensions.BY_FIELD.get(dimension)
    if item is None:
        raise NotFound
    if request.method != "POST":
        if "read" in request.GET:
            return _dimension_read(request, project, dimension)
        form = DimensionForm(
            initial={"content": getattr(project, dimension), "version": project.version}
        )
        return _dimension_form(request, project, form, dimension)
    form = DimensionForm(request.POST)
    sent = answers.save(form, lambda: _write_dimension(request, project, form, dimension))
    if sent.batch is None:
        return _dimension_form(request, project, form, dimension, sent)
    if not request.htmx:  # type: ignore[attr-defined]
        return answers.went(answers.project_url(project.pk), sent.batch, at=dimension)
    return _dimension_read(request, answers.own(request, project.pk), dimension, sent.batch)


def _write_dimension(
    request: HttpRequest, project: Project, form: DimensionForm, field: str
) -> OperationBatch:
    merge: Any = form.cleaned_data["merge"] or "replace"
    text = form.cleaned_data["content"]
    if merge == "replace":
        stored = rebased(project, {field: text}, form.seen())
        text = stored.get(field, getattr(project, field))
    values: dict[str, Any] = {field: text}
    if merge != "replace":
        values = {"parts": [{"field": field, "text": text, "place": merge}]}
    return run_for(request, build(ChangeProject, values, id=project.pk, version=project.version))


def _dimension_form(
    request: HttpRequest,
    project: Project,
    form: DimensionForm,
    field: str,
    sent: answers.Sent | None = None,
) -> HttpResponse:
    is_htmx = request.htmx  # type: ignore[attr-defined]
    if is_htmx and sent is not None and sent.status == 409:
        sent.status = 422  # what htmx swaps
    return answers.form_page(
        request,
        form,
        sent,
        template="projects/_dimension_form.html" if is_htmx else "projects/dimension.html",
        project=project,
        dimension=dimensions.BY_FIELD[field],
        has_text=bool(getattr(project, field)),
    )


def _dimension_read(
    request: HttpRequest, project: Project, field: str, batch: OperationBatch | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "standing": Standing(dimensions.BY_FIELD[field], getattr(project, field)),
        "is_new": batch is not None,
        "project": project,
    }
    if batch is not None:
        context |= {**project_context(project), "done": answers.notice_of(batch), "is_news": True}
    return render(request, "projects/_dimension_changed.html", context)


@require_POST
def change_status(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Active, paused, completed, archived."""
    result = answers.own(request, project_id)
    status = request.POST.get("status", "")
    if status == Project.Status.COMPLETED and (result.survey_task or queries.open_todos_of(result)):
        return answers.went(reverse("projects:finish", args=[result.pk]))
    batch = run_for(request, build(ChangeProject, {"status": status}, id=result.pk))
    return answers.went(answers.project_url(result.pk), batch)


@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Completes a project; asks what becomes of its open to-dos, and what its task takes now."""
    project = answers.own(request, project_id)
    todos = queries.open_todos_of(project)
    sent_form = request.POST if request.method == "POST" else None
    form = FinishForm(sent_form, project=project, todos=len(todos))
    back = answers.project_url(project.pk)
    says = still_open(len(todos))
    context: dict[str, Any] = {"project": project, "todos": todos, "says": says, "back": back}
    if request.method != "POST":
        return answers.form_page(request, form, template="projects/finish.html", **context)

    def write() -> OperationBatch:
        return run_for(request, build(ChangeProject, form.values(), id=project.pk))

    sent = answers.save(form, write)
    if sent.batch is None:
        return answers.form_page(request, form, sent, template="projects/finish.html", **context)
    return answers.went(answers.project_url(project.pk), sent.batch)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Asks, then takes the project away; the list offers it back."""
    result = answers.own(request, project_id)
    if request.method != "POST":
        context = {"project": result, "notes": len(queries.notes_of(result))}
        return render(request, "projects/delete.html", context)
    return answers.went(reverse("projects:list"), run_for(request, DeleteProject(id=result.pk)))


@require_safe
def history(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """All that was done, newest first; `?after=` (a key) goes on."""
    result = answers.own(request, project_id)
    context: dict[str, Any] = {
        "project": result,
        "history": queries.history_of(result, after=request.GET.get("after", "")),
        "is_whole": True,
    }
    return render(request, "projects/history.html", context)


@require_safe
def export_md(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The project as Markdown."""
    result = answers.own(request, project_id)
    text = export.as_markdown(*queries.whole(result))
    return attachment(text, "text/markdown; charset=utf-8", f"{result.slug}.md")


@require_safe
def export_json(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The project as JSON."""
    result = answers.own(request, project_id)
    text = export.as_json(*queries.whole(result))
    return attachment(text, "application/json; charset=utf-8", f"{result.slug}.json")


# Notes --------------------------------------------------------------------------------------------
@require_POST
def add_note(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """A note with a title or without."""
    result = answers.own(request, project_id)
    form = NoteForm(request.POST)
    sent = answers.save(
        form,
        lambda: run_for(request, build(CreateNote, form.values(), project=result.pk)),
    )
    if sent.batch is None:
        return page(request, result, status=sent.status, note_form=form)
    return answers.went(answers.project_url(result.pk), sent.batch, at="notes")


@require_http_methods(["GET", "HEAD", "POST"])
def edit_note(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Title and text."""
    return answers.edit_page(
        request, answers.own_note(request, project_id, note_id), NoteForm, ChangeNote,
        back=answers.project_url(project_id), at="notes", title=_("Edit note"),
    )  # fmt: skip


@require_POST
def delete_note(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> HttpResponse:
    """Takes it away; undo stands at the top of the page."""
    note = answers.own_note(request, project_id, note_id)
    batch = run_for(request, DeleteNote(id=note.pk))
    return answers.went(answers.project_url(project_id), batch, at="notes")
