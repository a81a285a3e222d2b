"""Staff pages: `/staff/operations`, one batch with before and after, undo on behalf."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from chat.models import Participant
from chat.operations import cards, dialogs, labels, rendering, undo
from chat.operations.changes import Actor, Cause, Kind
from chat.operations.dialogs import choices_in
from chat.operations.models import OperationBatch
from chat.operations.queries import IN_FULL, SHOWN_ON_PAGE, operations_of, page_of, standing
from chat.staff import audit
from chat.staff.audit import REASON_CHARS, Staff, admit, is_private, reviewable
from chat.staff.forms import ListFilter, between
from chat.staff.views.why import asks_why
from futura.errors import BadInput, Conflict
from futura.parameters import whole
from futura.rows import only
from futura.staff import allowed


class FilterForm(ListFilter):
    person = forms.CharField(
        label=gettext_lazy("Account or participant"), required=False, max_length=200
    )
    entity = forms.ChoiceField(label=gettext_lazy("Type"), required=False)
    type = forms.ChoiceField(label=gettext_lazy("Action"), required=False)
    status = forms.ChoiceField(label=gettext_lazy("State"), required=False)
    actor = forms.ChoiceField(label=gettext_lazy("By whom"), required=False)
    field_order = ("person", "entity", "type", "status", "actor")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = {item["name"]: item["choices"] for item in rendering.filters({})}
        choices["actor"] = OperationBatch.Actor.choices
        for name, existing in choices.items():
            field: Any = self.fields[name]
            field.choices = [("", _("All")), *existing]

    def operations(self) -> Q:
        chosen = {name: self.value(name) for name in ("type", "status", "entity")}
        return Q(**{name: value for name, value in chosen.items() if value})

    def batches(self) -> QuerySet[OperationBatch]:
        result = OperationBatch.objects.filter(
            between("created_at", self.value("since"), self.value("until"))
        )
        if person := self.value("person"):
            result = result.filter(owner_id__in=_people_called(person))
        if actor := self.value("actor"):
            result = result.filter(actor=actor)
        return result


@require_safe
@allowed("changes")
@asks_why
def batches(request: HttpRequest) -> HttpResponse:
    """The changes of surveys, newest first, narrowed by the filters in the address.

    `?private=1` shows the changes of all other things, too, for a reason that is stated first.
    """
    form = FilterForm(request.GET)
    with_private = request.GET.get("private") == "1"
    if with_private:
        admit(request.user, None)
    changes = form.batches()
    if not with_private:
        changes = changes.filter(reviewable("session__kind"))
    after = request.GET.get("after", "")
    page = page_of(changes, form.operations(), after=after, at_most=SHOWN_ON_PAGE)
    groups = cards.groups(page.gestures)
    people = _people_of({group.batch.owner_id for group in groups})
    context = {
        "form": form,
        "rows": [(group, people[group.batch.owner_id]) for group in groups],
        "next_key": page.next_key,
        "with_private": with_private,
    }
    return render(request, "staff/operations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("changes")
@asks_why
def batch(request: HttpRequest, batch_id: uuid.UUID) -> HttpResponse:
    """One batch: who, why, before and after, and its undo; POST undoes it on behalf of its owner.

    `?after=` (a sequence number) goes on.
    """
    result = _batch_for_staff(batch_id, request.user)
    if result.session is not None and is_private(result.session):
        audit.read(user=request.user, session=result.session)
    error_text, status = "", 200
    if request.method == "POST":
        try:
            return _undone(request, result)
        except (Conflict, BadInput) as error:
            error_text, status = str(error), error.status
    operations = operations_of(result, after=whole(request.GET.get("after")) or 0)
    displayed = operations[:IN_FULL]
    context = {
        "batch": result,
        "whose": _people_of({result.owner_id})[result.owner_id],
        "who": labels.who(result),
        "cards": cards.cards(displayed),
        "next_after": displayed[-1].sequence if len(operations) > len(displayed) else 0,
        "error_text": error_text,
        "reason": request.POST.get("reason", ""),
        **_undo_context(result),
    }
    return render(request, "staff/operations_batch.html", context, status=status)


def _undo_context(batch: OperationBatch) -> dict[str, Any]:
    """What undoing all that stands would do; why not, where it cannot be."""
    operations = standing(batch)
    if not operations:
        return {"preview": None, "refusal": ""}
    try:
        plan = undo.rehearse(batch.owner_id, operations, kind=Kind.STAFF)
    except Conflict as error:
        return {"preview": None, "refusal": str(error)}
    return {"preview": dialogs.preview_of(plan), "refusal": ""}


def _undone(request: HttpRequest, batch: OperationBatch) -> HttpResponse:
    """Undoes what stands, as a staff member, with the reason given. Raises Conflict, BadInput."""
    reason = request.POST.get("reason", "").replace("\x00", "").strip()
    if not reason:
        raise BadInput(_("Give a reason for undoing this. Its owner can read it."), field="reason")
    if len(reason) > REASON_CHARS:
        raise BadInput(_("Use at most 500 characters."), field="reason")
    sent = request.POST.dict()
    digest = dialogs.digest_in(sent)
    operations = standing(batch)
    if not operations:
        raise Conflict(_("There is nothing left to undo."))
    undo_batch = undo.undo(
        actor=Actor(batch.owner_id, kind=Kind.STAFF, user_id=request.user.pk),
        operations=operations,
        choices=choices_in(sent),
        digest=digest,
        cause=Cause(session=batch.session, reason=reason),
        title=_("Undone by staff"),
    )
    messages.success(request, _("Undone on behalf of its owner."))
    return HttpResponseRedirect(reverse("staff_operations:batch", args=[undo_batch.pk]), status=303)


def _people_called(words: str) -> QuerySet[Participant, uuid.UUID]:
    """By account name or mail, or by the id of a participant."""
    result = Q(user__email__icontains=words) | Q(user__username__icontains=words)
    with suppress(ValueError):
        result |= Q(pk=uuid.UUID(words))
    return Participant.objects.filter(result).values_list("pk", flat=True)


def _batch_for_staff(batch_id: uuid.UUID, reader: Staff) -> OperationBatch:
    """Any batch, whoever owns it, where `reader` may read what it came of.

    Raises NotFound; RightNeeded and ReasonNeeded for one of a private conversation, or of none.
    """
    batches = OperationBatch.objects.select_related("session", "message", "user", "undoes")
    batch = only(batches.filter(pk=batch_id))
    admit(reader, None if is_private(batch.session) else batch.session)
    return batch


def _people_of(owner_ids: set[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Whose things those are, in a query; the erased are told by their id."""
    participants = Participant.objects.select_related("user").filter(pk__in=owner_ids)
    names = {participant.pk: str(participant) for participant in participants}
    return {key: names.get(key, _("deleted %s") % str(key)[:8]) for key in owner_ids}
