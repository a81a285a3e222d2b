"""The doors of the changes: panel, details, undo, edit, review, policy; pages and fragments."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.fragments import fragments_html
from chat.identity import Identity, identity_of
from chat.models import Session
from chat.operations import cards, dialogs, labels, policy, queries, rendering, review, undo
from chat.operations.changes import Actor
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import all_operables, operable
from chat.presenters import presenter_for
from chat.queries import session_for
from chat.render import follow_context
from chat.views.turns import is_htmx
from futura.errors import BadInput, Conflict, FuturaError, NotFound
from futura.parameters import whole
from futura.rows import only

Status = Operation.Status
NAMED_ALONG: Final = 20  # of what would go with a deletion; the others are counted


# Looking ------------------------------------------------------------------------------------


@require_safe
def panel(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The changes of a conversation: `?type=`, `?status=`, `?entity=`, `?after=` (a key)."""
    session = session_for(identity_of(request), session_id)
    following = follow_context(session, rendering.VIEW)  # before what the page shows is read
    context = rendering.panel_context(request, session) | following
    template = "chat/operations/panel.html"
    if is_htmx(request):
        later = context["operations"]["is_later_page"]
        template = f"chat/operations/{'_rows' if later else '_list'}.html"
    answer = render(request, template, context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
def batch(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Everything that was done in one go; `?after=` (a sequence number) goes on."""
    current = queries.batch_for(identity_of(request), batch_id)
    operations = queries.operations_of(current, after=whole(request.GET.get("after")) or 0)
    displayed = cards.cards(operations[: queries.IN_FULL])
    standing = len(queries.standing(current))
    context = {
        "batch": current,
        "back": _back(current),
        "cause_url": _cause_url(current),
        "who": labels.who(current),
        "waiting": [card for card in displayed if card.is_in_review],
        "decided": [card for card in displayed if not card.is_in_review],
        "standing": standing,
        "next_after": displayed[-1].operation.sequence if len(operations) > len(displayed) else 0,
    }
    return render(request, "chat/operations/batch.html", context)


@require_safe
def history(request: HttpRequest, entity: str, entity_id: uuid.UUID) -> HttpResponse:
    """Everything that happened to one row; `?after=` (a key) goes on."""
    identity = identity_of(request)
    if entity not in all_operables():
        raise NotFound
    rows = operable(entity).model._default_manager
    row = only(rows.filter(pk=entity_id, owner_id__in=identity.participant_ids))
    narrowed = Q(entity=entity, entity_id=entity_id)
    return _history(request, identity, f"{labels.capital_noun(entity)}: {row}", narrowed)


@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Everything that happened to what the caller has or has deleted; `?after=` (a key) goes on.

    Narrowed by `?project=`, `?entity=` and `?who=`.
    """
    identity = identity_of(request)
    narrowed, filters, chosen = rendering.log_filters(identity.participant_ids, request.GET)
    caused = Q(because_of=None)  # its card counts what went along
    more = {"filters": filters, "narrowed": chosen}
    return _history(request, identity, _("Changes"), caused & narrowed, **more)


def _history(
    request: HttpRequest, identity: Identity, heading: str, within: Q, **more: Any
) -> HttpResponse:
    after = request.GET.get("after", "")
    page = queries.history_of(identity.participant_ids, within, after=after)
    groups = cards.groups(page.gestures)
    context = {"heading": heading, "groups": groups, "next_key": page.next_key, **more}
    return render(request, "chat/operations/history.html", context)


@require_safe
def operation(request: HttpRequest, batch_id: uuid.UUID, operation_id: uuid.UUID) -> HttpResponse:
    result = queries.operation_for(identity_of(request), operation_id, batch_id=batch_id)
    (card,) = cards.cards([result])
    going = card.going[:NAMED_ALONG]
    titles = dialogs.titles_of(going)
    states = list(result.batch.operations.values_list("status", flat=True))
    context = {
        "card": card,
        "heading": card.headline,
        "who": labels.who(result.batch),
        "count": len(states),
        "standing": states.count(Status.COMPLETED),
        "going": [titles[key] for key in going if key in titles],
        "cause_url": _cause_url(result.batch),
    }
    return _dialog(request, result.batch, "_details", context)


# Undoing ------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def undo_one(request: HttpRequest, batch_id: uuid.UUID, operation_id: uuid.UUID) -> HttpResponse:
    """What undoing one change would do; POST does it as it was shown (`digest`, `choice-…`)."""
    operation = queries.operation_for(identity_of(request), operation_id, batch_id=batch_id)
    return _undo(request, operation.batch, [operation])


@require_http_methods(["GET", "HEAD", "POST"])
def undo_all(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """All that stands of a batch; with `?turn` all that the answer did which it belongs to."""
    batch = queries.batch_for(identity_of(request), batch_id)
    standing = queries.standing(batch, is_whole_turn="turn" in request.GET)
    return _undo(request, batch, standing)


def _undo(
    request: HttpRequest, about: OperationBatch, operations: Sequence[Operation]
) -> HttpResponse:
    if not operations:
        raise Conflict(_("There is nothing left to undo."))
    error_text, status = "", 200
    batches = {operation.batch_id for operation in operations}
    if request.method == "POST":
        try:
            created = undo.undo(
                actor=_actor(request, about),
                operations=operations,
                choices=dialogs.choices_in(request.POST.dict()),
                digest=dialogs.digest_in(request.POST.dict()),
                cause=review.cause_of(about),
                title=_("Undid changes") if len(batches) > 1 else "",
            )
        except (undo.UndoConflict, Conflict) as error:
            error_text, status = str(error), 409 if not is_htmx(request) else 422
        else:
            is_redo = all(operation.undoes_id for operation in operations)
            redone = _("Redone. It can be undone at any time.")
            undone = _("Undone. It can be redone at any time.")
            return _done(request, about, redone if is_redo else undone, created, also=batches)
    plan = undo.rehearse(about.owner_id, operations)
    context = _undo_words(operations) | {
        "preview": dialogs.preview_of(plan),
        "error_text": error_text,
        "action": request.get_full_path(),
    }
    return _dialog(request, about, "_undo", context, status=status)


def _undo_words(operations: Sequence[Operation]) -> dict[str, str]:
    is_redo = all(operation.undoes_id for operation in operations)
    if len(operations) == 1:
        heading = _("Redo this change?") if is_redo else _("Undo this change?")
    else:
        words_for = (
            ngettext("Redo %(n)d change?", "Redo %(n)d changes?", len(operations))
            if is_redo
            else ngettext("Undo %(n)d change?", "Undo %(n)d changes?", len(operations))
        )
        heading = words_for % {"n": len(operations)}
    return {
        "heading": heading,
        "lede": _("Nothing is lost: every change stays in the history, and you can reverse this."),
        "verb": _("Redo") if is_redo else _("Undo"),
    }


# Editing ------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: HttpRequest, batch_id: uuid.UUID, operation_id: uuid.UUID) -> HttpResponse:
    """Changes what a waiting operation asks for."""
    operation = queries.operation_for(identity_of(request), operation_id, batch_id=batch_id)
    if operation.status != Status.PENDING:
        raise Conflict(_("This was already approved or rejected."))
    return _edit(request, operation, _("Edit this change before it is made"))


@require_http_methods(["GET", "HEAD", "POST"])
def amend(request: HttpRequest, batch_id: uuid.UUID, operation_id: uuid.UUID) -> HttpResponse:
    """Corrects what was done, by a further change that names it."""
    operation = queries.operation_for(identity_of(request), operation_id, batch_id=batch_id)
    if operation.status != Status.COMPLETED or operation.type == Operation.Type.DELETE:
        raise Conflict(_("This change is no longer in effect, so it cannot be edited."))
    return _edit(request, operation, _("Edit this change"))


def _edit(request: HttpRequest, operation: Operation, heading: str) -> HttpResponse:
    form = dialogs.EditForm(operation, data=request.POST if request.method == "POST" else None)
    text, status = "", 200
    current: list[tuple[str, str]] = []
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return _saved(request, operation, form)
            except Conflict as error:
                text, current = str(error), form.overtaken()
            except FuturaError as error:
                text = str(error)
    is_pending = operation.status == Status.PENDING
    lede = _("It still needs your approval.")
    context = {
        "form": form,
        "heading": heading,
        "lede": lede if is_pending else _("Your edit is saved as a separate change."),
        "error_text": text,
        "current": current,
        "action": request.path,
    }
    return _dialog(request, operation.batch, "_edit", context, status=status)


def _saved(request: HttpRequest, operation: Operation, form: dialogs.EditForm) -> HttpResponse:
    actor, values = _actor(request, operation.batch), form.changed_values()
    if not values:
        return _done(request, operation.batch, _("Nothing changed."))
    if operation.status == Status.PENDING:
        review.revise(actor=actor, operation_id=operation.pk, values=values)
        return _done(request, operation.batch, _("Saved. It still needs your approval."))
    created = review.amend(
        actor=actor,
        operation_id=operation.pk,
        values=values,
        version=form.cleaned_data["version"],
        title=_("Edited by hand"),
    )
    return _done(request, operation.batch, _("Saved."), created)


# Deciding -----------------------------------------------------------------------------------


@require_POST
def approve(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Does waiting changes as they were shown (`shown`: operation and digest, many)."""
    batch = queries.batch_for(identity_of(request), batch_id)
    displayed = dialogs.digests_in(request.POST.getlist("shown"))
    if not displayed:
        raise BadInput(_("Select the changes to approve."), field="shown")
    try:
        created = review.approve(actor=_actor(request, batch), batch_id=batch.pk, digests=displayed)
    except review.Outgrown as error:
        return _done(request, batch, str(error), level="error")
    failed = created.operations.filter(pk__in=displayed, status=Status.FAILED).first()
    n = created.operations.filter(pk__in=displayed, status=Status.COMPLETED).count()
    done = ngettext("%(n)d change made.", "%(n)d changes made.", n) % {"n": n}
    if failed is None:
        return _done(request, created, done)
    text = _("Not applied: %(why)s") % {"why": failed.error}
    return _done(request, created, f"{done} {text}" if n else text, level="error")


@require_POST
def reject(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """Lets waiting changes drop (`operation`, many)."""
    batch = queries.batch_for(identity_of(request), batch_id)
    try:
        ids = [uuid.UUID(item) for item in request.POST.getlist("operation")]
    except ValueError:
        raise BadInput(_("There is no such change."), field="operation") from None
    if not ids:
        raise BadInput(_("Select the changes to reject."), field="operation")
    created = review.reject(actor=_actor(request, batch), batch_id=batch.pk, operation_ids=ids)
    return _done(request, created, _("Rejected. Nothing was changed."))


@require_POST
def choose_policy(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Whether the agent's changes are made at once or reviewed first (`policy`)."""
    session = session_for(identity_of(request), session_id)
    policy.choose(session=session, policy=request.POST.get("policy", ""))
    if is_htmx(request):
        return HttpResponse(fragments_html(rendering.fragments(session, [rendering.POLICY_NEWS])))
    return _redirect(_page_of(session))


# Answers ------------------------------------------------------------------------------------


def _actor(request: HttpRequest, about: OperationBatch) -> Actor:
    """The caller, who acts for the owner of the batch (`batch_for` has seen that it is theirs)."""
    identity: Identity = identity_of(request)
    return Actor(about.owner_id, user_id=identity.user_id)


def _dialog(
    request: HttpRequest,
    about: OperationBatch,
    fragment: str,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    """What fills the dialog of an open page, or a page of its own."""
    template = f"chat/operations/{fragment}.html"
    context = context | {"fragment": template, "in_dialog": is_htmx(request), "back": _back(about)}
    page = template if is_htmx(request) else "chat/operations/page.html"
    answer = render(request, page, context, status=status)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _done(
    request: HttpRequest,
    about: OperationBatch,
    text: str,
    created: OperationBatch | None = None,
    *,
    also: Iterable[uuid.UUID] = (),
    level: str = "success",
) -> HttpResponse:
    """Closes the dialog and shows what changed; without JavaScript goes back to the panel."""
    session = about.session
    if not is_htmx(request):
        note = messages.error if level == "error" else messages.success
        note(request, text)
        return _redirect(_back(about))
    ids = [str(item.pk) for item in (about, created) if item is not None]
    ids += [str(pk) for pk in also if pk != about.pk]
    ids += (
        [str(created.undoes.undoes_id)]
        if created and created.undoes and created.undoes.undoes_id
        else []
    )
    html = fragments_html(rendering.fragments(session, ids)) if session else ""
    toast = fragments_html([rendering.toast(text, level)])
    answer = HttpResponse(html + toast)
    answer["HX-Reswap"] = "none"
    answer["HX-Trigger"] = "operations-done"
    return answer


def _redirect(url: str) -> HttpResponse:
    return HttpResponseRedirect(url, status=303)


def _back(about: OperationBatch) -> str:
    displayed = about.undoes or about
    if about.session is None or about.session.deleted_at is not None:
        return reverse("operations:batch", args=[displayed.pk])
    return f"{_page_of(about.session)}#batch-{displayed.pk}"


def _page_of(session: Session) -> str:
    presenter = presenter_for(session.kind)
    if presenter.has_operations:
        return presenter.page_url(session)
    return reverse("operations:panel", args=[session.pk])


def _cause_url(about: OperationBatch) -> str:
    if about.session is None or about.message_id is None:
        return ""
    page = presenter_for(about.session.kind).page_url(about.session)
    return f"{page}?at={about.message_id}#m-{about.message_id}"
