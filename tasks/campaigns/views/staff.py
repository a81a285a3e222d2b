"""Staff pages: `/staff/campaigns`, one campaign with its people, set up, opened and closed."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from futura.errors import BadInput, Conflict
from futura.given import whole
from futura.percent import whole_percent
from futura.staff import allowed
from tasks.campaigns import queries
from tasks.campaigns.actions import setting_up
from tasks.campaigns.forms import (
    MOST_QUESTIONS,
    CampaignForm,
    QuestionForm,
    forms_of,
    rearranged,
    sent_questions,
)
from tasks.campaigns.models import Campaign, Participation
from tasks.campaigns.sharing import address_of

EDITING: Final = ["GET", "HEAD", "POST"]


class FilterForm(forms.Form):
    q = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=200)
    status = forms.ChoiceField(
        label=gettext_lazy("Status"),
        required=False,
        choices=[("", gettext_lazy("All")), *Campaign.Status.choices],
    )


@require_safe
@allowed("campaigns")
def campaign_list(request: HttpRequest) -> HttpResponse:
    """All campaigns, newest first, with how far their people are."""
    form = FilterForm(request.GET)
    form.full_clean()
    page, rows = queries.campaigns_page(
        words=form.cleaned_data.get("q", "").strip(),
        status=form.cleaned_data.get("status", ""),
        page=whole(request.GET.get("page")) or 1,
    )
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {"form": form, "page": page, "rows": rows, "kept_query": kept.urlencode()}
    return render(request, "tasks/campaigns/list.html", context)


@require_safe
@allowed("campaigns")
def campaign(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """One campaign: where it stands, how far its people are, who came last."""
    found = queries.campaign_for_staff(campaign_id)
    return render(request, "tasks/campaigns/campaign.html", live_context(request, found))


@require_safe
@allowed("campaigns")
def live(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """The part of its page that moves (a fragment, asked for every few seconds)."""
    context = live_context(request, queries.campaign_for_staff(campaign_id))
    if request.GET.get("have") == context["have"]:
        return HttpResponse(status=204)  # nothing moved: what is read or held stays as it is
    return render(request, "tasks/campaigns/_live.html", context)


def live_context(request: HttpRequest, found: Campaign) -> dict[str, Any]:
    """What the page of a campaign shows, in a constant number of queries."""
    progress = queries.progress_of([found.pk])[found.pk]
    steps = [
        (_("Gave consent"), progress.agreed),
        (_("Started"), progress.talking),
        (_("Submitted"), progress.sent),
        (_("Finished"), progress.finished),
    ]
    phase, arrivals = found.phase(timezone.now()), queries.arrivals(found)
    lookups = queries.lookups_of(found)
    return {
        "campaign": found,
        "phase": phase,
        "progress": progress,
        "funnel": [_step(label, n, progress.agreed) for label, n in steps],
        "arrivals": arrivals,
        "lookups": lookups,
        "have": _print_of(phase, progress, arrivals, lookups),
        "part": "people",
        "link": address_of(found, root_of(request)),
    }


def _print_of(
    phase: Campaign.Phase,
    progress: queries.Progress,
    arrivals: Sequence[Participation],
    lookups: queries.Lookups | None,
) -> str:
    rows = [
        (
            one.pk,
            getattr(one, "turns", 0),
            getattr(one, "tasks", 0),
            one.response.step if one.response else "",
            one.submitted_at,
            one.finished_at,
            one.erased_at,
        )
        for one in arrivals
    ]
    return hashlib.sha256(repr((phase, progress, rows, lookups)).encode()).hexdigest()[:16]


def _step(label: str, people: int, agreed: int) -> tuple[str, int, Fraction, int]:
    """A step with how many got there, their share, and the same in hundredths for the bar."""
    share = Fraction(people, agreed) if agreed else Fraction(0)
    return label, people, share, whole_percent(share)


def root_of(request: HttpRequest) -> str:
    """Scheme and host as the person asked for them."""
    return request.build_absolute_uri("/").rstrip("/")


@require_http_methods(EDITING)
@allowed("campaigns")
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, CampaignForm(), [])
    return _take(request, None)


@require_http_methods(EDITING)
@allowed("campaigns")
def edit(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    found = queries.campaign_for_staff(campaign_id)
    if request.method != "POST":
        asked = forms_of(queries.questions_of(found))
        return _form_page(request, CampaignForm.of(found), asked, found)
    return _take(request, found)


def _take(request: HttpRequest, found: Campaign | None) -> HttpResponse:
    """Saves the form, or shows it again with every word that was typed."""
    form, asked = CampaignForm(request.POST), sent_questions(request.POST)
    add, out, up = (request.POST.get(name, "") for name in ("add", "out", "up"))
    if add or out or up:
        moved = rearranged(asked, add=bool(add), out=out, up=up)
        at = len(moved) - 1 if add else int(up) - 1 if up.isdecimal() else None
        return _form_page(
            request,
            CampaignForm(initial={name: form[name].value() for name in form.fields}),
            moved,
            found,
            opened=at,
        )
    if not all([form.is_valid(), *(one.is_valid() for one in asked)]):
        return _form_page(request, form, asked, found, status=422)
    requested = [one for one in asked if not one.is_blank]
    questions = [one.question(position) for position, one in enumerate(requested)]
    try:
        if found is None:
            found = setting_up.create(
                user_id=request.user.pk, values=form.values(), questions=questions
            )
        else:
            setting_up.update(
                campaign=found,
                values=form.values(),
                questions=questions,
                version=form.cleaned_data["version"],
            )
    except (BadInput, Conflict) as error:
        form.refuse(error)
        return _form_page(request, form, asked, found, status=error.status)
    messages.success(request, _("Saved."))
    return redirect("campaigns:campaign", campaign_id=found.pk)


def _form_page(
    request: HttpRequest,
    form: CampaignForm,
    asked: Sequence[QuestionForm],
    found: Campaign | None = None,
    *,
    status: int = 200,
    opened: int | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "asked": asked,
        "campaign": found,
        "part": "settings",
        "opened": opened,
        "may_add": len(asked) < MOST_QUESTIONS,
        "phase": found.phase(timezone.now()) if found else None,
        "has_answers": found is not None and queries.has_answers(found),
    }
    return render(request, "tasks/campaigns/form.html", context, status=status)


@allowed("campaigns")
@require_POST
def open_now(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    return _opened(request, campaign_id, _("Campaign opened. Share the link to invite people."))


@allowed("campaigns")
@require_POST
def reopen(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    return _opened(request, campaign_id, _("Campaign reopened."), again=True)


def _opened(
    request: HttpRequest, campaign_id: uuid.UUID, done: str, *, again: bool = False
) -> HttpResponse:
    found = queries.campaign_for_staff(campaign_id)
    try:
        setting_up.open_now(campaign=found, again=again)
        messages.success(request, done)
    except BadInput as error:
        context = live_context(request, found) | {"hindrance": str(error), "setting": error.field}
        return render(request, "tasks/campaigns/campaign.html", context, status=422)
    return redirect("campaigns:campaign", campaign_id=found.pk)


@require_http_methods(EDITING)
@allowed("campaigns")
def close(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """Says what closing means now, then closes."""
    found = queries.campaign_for_staff(campaign_id)
    if request.method != "POST":
        context = {
            "campaign": found,
            "phase": found.phase(timezone.now()),
            "unfinished": queries.unfinished(found),
        }
        return render(request, "tasks/campaigns/close.html", context)
    setting_up.close(campaign=found)
    messages.success(request, _("Campaign closed. All responses are kept."))
    return redirect("campaigns:campaign", campaign_id=found.pk)


@require_http_methods(EDITING)
@allowed("campaigns")
def delete(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """Asks once, then deletes a campaign that nobody took part in."""
    found = queries.campaign_for_staff(campaign_id)
    if request.method != "POST":
        context = {"campaign": found, "has_answers": queries.has_answers(found)}
        return render(request, "tasks/campaigns/discard.html", context)
    try:
        setting_up.delete(campaign=found)
    except Conflict as error:
        messages.error(request, str(error))
        return redirect("campaigns:campaign", campaign_id=found.pk)
    messages.success(request, _("Campaign deleted."))
    return redirect("campaigns:list")


@allowed("campaigns")
@require_POST
def duplicate(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    found = queries.campaign_for_staff(campaign_id)
    made = setting_up.duplicate(campaign=found, user_id=request.user.pk)
    messages.success(request, _("Campaign duplicated as a draft. Set its title and dates."))
    return redirect("campaigns:edit", campaign_id=made.pk)
