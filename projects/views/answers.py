"""What every page of projects does the same way: doors, notices and undo, forms that come back."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from chat.commands.base import Command, build
from chat.commands.run import run_for
from chat.commands.undo import Undo
from chat.identity import identity_of
from chat.operations.changes import Actor, Kind
from chat.operations.models import Operation, OperationBatch
from chat.operations.queries import batch_for
from chat.operations.undo import UndoConflict
from futura.errors import BadInput, Conflict, FuturaError, NotFound, TooMany
from futura.parameters import own_address
from projects import queries
from projects.editing import Clash, Stale, rebased
from projects.models import Note, Project


def own(request: HttpRequest, project_id: uuid.UUID) -> Project:
    """The door: the caller's project, or NotFound."""
    return queries.project_for(identity_of(request), project_id)


def own_note(request: HttpRequest, project_id: uuid.UUID, note_id: uuid.UUID) -> Note:
    """The door to a note of this very project."""
    note = queries.note_for(identity_of(request), note_id)
    if note.project_id != project_id:
        raise NotFound
    return note


def actor_of(request: HttpRequest, row: Any) -> Actor:
    """The caller, as the one who changes this row."""
    return Actor(row.owner_id, Kind.PERSON, identity_of(request).user_id)


@dataclass(frozen=True)
class Notice:
    """What was just done, in words, and whether it can be taken back."""

    batch: OperationBatch
    text: str
    can_undo: bool


def notice_of(batch: OperationBatch, *, deleted: int = 0) -> Notice:
    """A notice about a batch; `deleted` were chosen, too, and not there any more. One query."""
    sentences = [f"{batch.title}."]
    if deleted:
        sentences.append(
            ngettext(
                "%(n)d more was selected but no longer existed.",
                "%(n)d more were selected but no longer existed.",
                deleted,
            )
            % {"n": deleted}
        )
    standing = batch.operations.filter(status=Operation.Status.COMPLETED)
    return Notice(batch, " ".join(sentences), standing.exists())


def just_done(request: HttpRequest) -> Notice | None:
    """What a redirect says was just done (`?done=<batch>`); strangers' ids say nothing."""
    deleted = request.GET.get("deleted", "")
    try:
        batch_id = uuid.UUID(request.GET.get("done", ""))
        batch = batch_for(identity_of(request), batch_id)
    except (ValueError, NotFound):
        return None
    return notice_of(batch, deleted=int(deleted) if re.fullmatch("[0-9]{1,3}", deleted) else 0)


def went(url: str, batch: OperationBatch | None = None, *, at: str = "") -> HttpResponse:
    """On to a page that says what was done."""
    text = f"?{urlencode({'done': str(batch.pk)})}" if batch is not None else ""
    return redirect(f"{url}{text}{f'#{at}' if at else ''}")


def project_url(project_id: uuid.UUID) -> str:
    """The page of a project."""
    return reverse("projects:project", args=[project_id])


def next_url(request: HttpRequest, otherwise: str) -> str:
    """Where a form wants to go afterwards, if that is here; without its query."""
    address = own_address(request, request.POST.get("next", ""), "")
    return address.partition("?")[0] if address.startswith("/") else otherwise


def led(request: HttpRequest, url: str) -> HttpResponse:
    """On to another page, for htmx too."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(url)
    return redirect(url)


# what has a page of its own, and the page that is there without it
LISTS: Final = {"project": "projects:list", "portfolio": "portfolio:home"}


@require_POST
def undo(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Undoes a whole batch; undone twice is a conflict."""
    back = next_url(request, reverse("projects:list"))

    def then(batch: OperationBatch, done: OperationBatch) -> HttpResponse:
        return went(_still_there(batch, back), done)

    return undone(request, batch_id, then)


def undone(
    request: HttpRequest,
    batch_id: uuid.UUID,
    then: Callable[[OperationBatch, OperationBatch], HttpResponse],
) -> HttpResponse:
    """Takes a batch back; `then` answers with it and the batch that did so.

    Where something was changed since, the page of the ledger asks what shall stand.
    """
    batch = batch_for(identity_of(request), batch_id)
    try:
        done = run_for(request, Undo(batch=batch.pk))
    except UndoConflict:
        return led(request, reverse("operations:undo_all", args=[batch.pk]))
    return then(batch, done)


def _still_there(batch: OperationBatch, back: str) -> str:
    """A page that exists after a batch was undone: not that of what it had made."""
    created = Operation.Type.CREATE
    if batch.operations.filter(entity="draft").exists():
        if batch.operations.filter(entity="project", type=created).exists():
            draft = batch.operations.get(entity="draft")
            return reverse("projects:draft", args=[draft.entity_id])
        if batch.operations.filter(entity="draft", type=created).exists():
            return reverse("projects:drafts")
    for entity, page in LISTS.items():
        if batch.operations.filter(entity=entity, type=created).exists():
            return reverse(page)
    return back


@dataclass
class Sent:
    """How saving a form went: the batch, or the form with what stands in its way."""

    batch: OperationBatch | None = None
    clashes: tuple[Clash, ...] = ()
    status: int = 200
    retry_after_s: int = 0


def save(form: Any, write: Callable[[], OperationBatch]) -> Sent:
    """Saves a valid form; a refusal is shown in it, and nothing that was typed is lost."""
    if not form.is_valid():
        return Sent(status=422)
    try:
        return Sent(write())
    except Stale as error:
        form.renew(error.row, error.left)
        return Sent(clashes=tuple(error.clashes), status=409)
    except TooMany as error:
        refuse(form, error)
        return Sent(status=429, retry_after_s=error.retry_after_s)
    except (BadInput, Conflict) as error:
        refuse(form, error)
        return Sent(status=422)


def put(
    request: HttpRequest, form: Any, command: Callable[[dict[str, Any]], Command], row: Any = None
) -> Sent:
    """Saves a form by the command of its values: of a row, or of a new one.

    What was changed elsewhere meanwhile and left alone here stays; what was changed in both comes
    back as clashes, over which the form then saves.
    """

    def write() -> OperationBatch:
        values = form.values()
        return run_for(
            request, command(rebased(row, values, form.seen()) if row is not None else values)
        )

    return save(form, write)


def refuse(form: Any, error: FuturaError) -> None:
    """Shows a refusal beside its field."""
    if hasattr(form, "refuse"):
        form.refuse(error)
    else:
        form.add_error(error.field if error.field in form.fields else None, str(error))


def form_page(
    request: HttpRequest,
    form: forms.Form,
    sent: Sent | None = None,
    *,
    template: str = "projects/form.html",
    **context: Any,
) -> HttpResponse:
    """A form on a page of its own (for htmx: 200 is not 409, which htmx would not swap)."""
    sent = sent or Sent()
    page = render(
        request, template, {"form": form, "clashes": sent.clashes, **context}, status=sent.status
    )
    if sent.retry_after_s:
        page["Retry-After"] = str(sent.retry_after_s)
    return page


def edit_page(
    request: HttpRequest,
    row: Any,
    kind: Any,
    change: type[Command],
    *,
    back: str,
    at: str = "",
    template: str = "projects/form.html",
    choices: Mapping[str, Any] | None = None,
    then: Callable[[OperationBatch], HttpResponse] | None = None,
    **context: Any,
) -> HttpResponse:
    """A row as a form of its `kind`, saved by a command; what stands in the way comes back in it.

    `choices` go to the form. `back` is the page that follows, unless `then` answers.
    """
    context |= {"row": row, "action": request.path, "back": f"{back}#{at}" if at else back}
    options = choices or {}
    if request.method != "POST":
        return form_page(request, kind.of(row, **options), template=template, **context)
    form = kind(request.POST, **options)
    key = {"ids": [row.pk]} if "ids" in change.model_fields else {"id": row.pk}
    sent = put(request, form, lambda values: build(change, values, **key, version=row.version), row)
    if sent.batch is not None:
        return then(sent.batch) if then else went(back, sent.batch, at=at)
    return form_page(request, form, sent, template=template, **context)
