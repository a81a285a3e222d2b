"""Staff pages: `/staff/campaigns`; one campaign with its people, set up, opened, shared, closed."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from itertools import chain
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import languages
from chat.identity import identity_of
from chat.resends import once
from futura.attachments import streamed
from futura.errors import BadInput, Conflict
from futura.parameters import whole
from futura.percent import whole_percent
from futura.roles import Right
from futura.staff import View, allowed
from tasks.campaigns import queries, sharing
from tasks.campaigns.actions import joining, setting_up
from tasks.campaigns.forms import (
    MOST_QUESTIONS,
    AnswersForm,
    CampaignForm,
    CodesForm,
    QuestionForm,
    forms_of,
    rearranged,
    sent_questions,
)
from tasks.campaigns.models import Campaign
from tasks.campaigns.privacy_notice import promises_of
from tasks.forms import StartForm

EDITING: Final = ["GET", "HEAD", "POST"]


def for_campaign(right: Right) -> Callable[[View], View]:
    """Hands a view its campaign, for staff who hold the right. Raises NotFound."""

    def decorate(view: View) -> View:
        @wraps(view)
        def with_campaign(
            request: HttpRequest, campaign_id: uuid.UUID, **more: Any
        ) -> HttpResponseBase:
            return view(request, queries.campaign_for_staff(campaign_id), **more)

        return allowed(right)(with_campaign)

    return decorate


@require_safe
@allowed("campaigns", "insights", "export")
def campaign_list(request: HttpRequest) -> HttpResponse:
    """All campaigns, newest first, with how far their people are."""
    page, rows = queries.campaigns_page(whole(request.GET.get("page")) or 1)
    context = {"page": page, "rows": rows}
    return render(request, "tasks/campaigns/list.html", context)


@require_safe
@for_campaign("campaigns")
def campaign(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """One campaign: where it stands, how far its people are, who came last."""
    return render(request, "tasks/campaigns/campaign.html", live_context(request, campaign))


@require_safe
@for_campaign("campaigns")
def live(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The part of its page that moves (a fragment, asked for every few seconds)."""
    context = live_context(request, campaign)
    if request.GET.get("have") == context["have"]:
        return HttpResponse(status=204)  # nothing moved: what is read or held stays as it is
    return render(request, "tasks/campaigns/_live.html", context)


def live_context(request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
    """What the page of a campaign shows, in a constant number of queries."""
    progress = queries.progress_of([campaign.pk])[campaign.pk]
    steps = [
        (_("Gave consent"), progress.agreed),
        (_("Started"), progress.talking),
        (_("Submitted"), progress.sent),
        (_("Finished"), progress.finished),
    ]
    context = {
        "campaign": campaign,
        "progress": progress,
        # with the share who got there, and the same in hundredths for the bar
        "funnel": [
            (
                label,
                people,
                share := Fraction(people, max(progress.agreed, 1)),
                whole_percent(share),
            )
            for label, people in steps
        ],
        "arrivals": queries.arrivals(campaign),
        "lookups": queries.lookups_of(campaign),
        "part": "people",
        "link": sharing.address_of(campaign, root_of(request)),
    }
    moving = render_to_string("tasks/campaigns/_moving.html", context, request)
    have = hashlib.sha256(moving.encode()).hexdigest()[:16]
    return {**context, "moving": moving, "have": have}


def root_of(request: HttpRequest) -> str:
    """Scheme and host as the person asked for them."""
    return request.build_absolute_uri("/").rstrip("/")


@require_http_methods(EDITING)
@allowed("campaigns")
@once
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, CampaignForm(), [])
    return _take(request, None)


@require_http_methods(EDITING)
@for_campaign("campaigns")
def edit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        requested = forms_of(queries.questions_of(campaign))
        return _form_page(request, CampaignForm.of(campaign), requested, campaign)
    return _take(request, campaign)


def _take(request: HttpRequest, campaign: Campaign | None) -> HttpResponse:
    """Saves the form, or shows it again with every word that was typed."""
    form, question = CampaignForm(request.POST), sent_questions(request.POST)
    add, out, up = (request.POST.get(name, "") for name in ("add", "out", "up"))
    if add or out or up:
        moved = rearranged(question, add=bool(add), out=out, up=up)
        at = len(moved) - 1 if add else int(up) - 1 if up.isdecimal() else None
        return _form_page(
            request,
            CampaignForm(initial={name: form[name].value() for name in form.fields}),
            moved,
            campaign,
            opened=at,
        )
    if not all([form.is_valid(), *(item.is_valid() for item in question)]):
        return _form_page(request, form, question, campaign, status=422)
    requested = [item for item in question if not item.is_blank]
    questions = [entry.question(position) for position, entry in enumerate(requested)]
    if campaign is None:
        campaign = setting_up.create(
            user_id=request.user.pk, values=form.values(), questions=questions
        )
        messages.success(request, _("Saved."))
        return redirect("campaigns:campaign", campaign_id=campaign.pk)
    try:
        setting_up.update(
            campaign=campaign,
            values=form.values(),
            questions=questions,
            version=form.cleaned_data["version"],
        )
    except Conflict as error:
        campaign.refresh_from_db()
        form.outdated(error, campaign)
        return _form_page(request, form, question, campaign, status=error.status)
    messages.success(request, _("Saved."))
    return redirect("campaigns:campaign", campaign_id=campaign.pk)


def _form_page(
    request: HttpRequest,
    form: CampaignForm,
    question_forms: Sequence[QuestionForm],
    campaign: Campaign | None = None,
    *,
    status: int = 200,
    opened: int | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "question_forms": question_forms,
        "campaign": campaign,
        "part": "settings",
        "opened": opened,
        "may_add": len(question_forms) < MOST_QUESTIONS,
        "has_answers": campaign is not None and campaign.participations.exists(),
    }
    return render(request, "tasks/campaigns/form.html", context, status=status)


@for_campaign("campaigns")
@require_POST
def open_now(request: HttpRequest, campaign: Campaign, *, again: bool = False) -> HttpResponse:
    """Lets people in, or in again."""
    done = _("Campaign opened. Share the link to invite people.")
    try:
        setting_up.open_now(campaign=campaign, again=again)
        messages.success(request, _("Campaign reopened.") if again else done)
    except Conflict as error:
        messages.warning(request, str(error))
    except BadInput as error:
        hindrance = {"hindrance": str(error), "setting": error.field}
        context = live_context(request, campaign) | hindrance
        return render(request, "tasks/campaigns/campaign.html", context, status=422)
    return redirect("campaigns:campaign", campaign_id=campaign.pk)


@require_http_methods(EDITING)
@for_campaign("campaigns")
def close(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Says what closing means now, then closes."""
    if request.method != "POST":
        context = {
            "campaign": campaign,
            "unfinished": queries.unfinished(campaign),
        }
        return render(request, "tasks/campaigns/close.html", context)
    setting_up.close(campaign=campaign)
    messages.success(request, _("Campaign closed. All responses are kept."))
    return redirect("campaigns:campaign", campaign_id=campaign.pk)


@require_http_methods(EDITING)
@for_campaign("campaigns")
def delete(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Asks once, with how many took part, then deletes a campaign with all that they told."""
    if request.method != "POST":
        people = campaign.participations.count()
        has_to_close = people and campaign.is_running
        context = {"campaign": campaign, "people": people, "has_to_close": has_to_close}
        return render(request, "tasks/campaigns/discard.html", context)
    people = whole(request.POST.get("people")) or 0
    try:
        setting_up.delete(campaign=campaign, user=request.user, people=people)
    except Conflict as error:
        messages.error(request, str(error))
        return redirect("campaigns:delete", campaign_id=campaign.pk)
    messages.success(request, _("Campaign deleted."))
    return redirect("campaigns:list")


@require_http_methods(EDITING)
@for_campaign("campaigns")
def erase(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Asks once, then deletes what a participant told who asks for it, by their pseudonym.

    They do so themselves as long as they have the device or the account they answered with.
    """
    taken = queries.participation_called(campaign, request.GET.get("who", ""))
    if taken is not None and request.method != "POST":
        context = {"campaign": campaign, "taken": taken}
        return render(request, "tasks/campaigns/erase.html", context)
    who = request.GET.get("who", "")
    taken = joining.erase_on_request(campaign=campaign, pseudonym=who, user=request.user)
    if taken is None:
        messages.warning(request, _("Nobody here has this pseudonym, or their data was deleted."))
    else:
        messages.success(request, _("The data of %(who)s was deleted.") % {"who": taken.pseudonym})
    return redirect("campaigns:campaign", campaign_id=campaign.pk)


@for_campaign("campaigns")
@require_POST
@once
def duplicate(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    copy = setting_up.duplicate(campaign=campaign, user_id=request.user.pk)
    messages.success(request, _("Campaign duplicated as a draft. Set its title and dates."))
    return redirect("campaigns:edit", campaign_id=copy.pk)


# Inviting, and how it looks to who takes part ----------------------------------------------------
CODES_A_PAGE: Final = 50
PAGES: Final = {
    "welcome": ("welcome", gettext_lazy("Welcome")),
    "consent": ("consent", gettext_lazy("Consent")),
    "before": ("questions", gettext_lazy("Questions before the conversation")),
    "job": ("job", gettext_lazy("Job title")),
    "after": ("questions", gettext_lazy("Questions after submitting")),
    "end": ("end", gettext_lazy("Last page")),
}
"""Pages of the preview with their templates and labels."""


@require_http_methods(EDITING)
@for_campaign("campaigns")
@once
def share(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The link, its picture, and the codes; POST makes new ones."""
    if request.method != "POST":
        return _share_page(request, campaign, CodesForm())
    form = CodesForm(request.POST)
    if not form.is_valid():
        return _share_page(request, campaign, form, status=422)
    try:
        setting_up.make_codes(
            campaign=campaign,
            count=form.cleaned_data["count"],
            max_uses=form.cleaned_data["max_uses"],
            label=form.cleaned_data["label"],
        )
    except BadInput as error:
        form.refuse(error)
        return _share_page(request, campaign, form, status=error.status)
    return redirect("campaigns:share", campaign_id=campaign.pk)


def _share_page(
    request: HttpRequest, campaign: Campaign, form: CodesForm, *, status: int = 200
) -> HttpResponse:
    number = request.GET.get("page", "1")
    context = {
        "campaign": campaign,
        "part": "share",
        "form": form,
        "link": sharing.address_of(campaign, root_of(request)),
        "page": Paginator(campaign.invitations.all(), CODES_A_PAGE).get_page(number[:9]),
    }
    return render(request, "tasks/campaigns/share.html", context, status=status)


@require_safe
@for_campaign("campaigns")
def qr_code(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The QR code of the link, as an SVG file."""
    drawn = sharing.qr_svg(sharing.address_of(campaign, root_of(request)))
    answer = HttpResponse(drawn, content_type="image/svg+xml")
    if request.GET.get("keep"):
        answer["Content-Disposition"] = f'attachment; filename="{campaign.slug}.svg"'
    return answer


@require_safe
@for_campaign("campaigns")
def codes(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """All codes with their links as CSV."""
    rows = campaign.invitations.iterator(chunk_size=500)
    lines = sharing.table_of(rows, campaign, root_of(request))
    name = f"{campaign.slug}-codes.csv"
    return streamed(chain(["\ufeff"], lines), "text/csv; charset=utf-8", name)


@for_campaign("campaigns")
@require_POST
def revoke(_request: HttpRequest, campaign: Campaign, invitation_id: uuid.UUID) -> HttpResponse:
    setting_up.revoke_code(campaign=campaign, invitation_id=invitation_id)
    return redirect("campaigns:share", campaign_id=campaign.pk)


@require_safe
@for_campaign("campaigns")
def preview(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The pages as a participant sees them; `?page=` names one. Nothing can be sent."""
    requested = request.GET.get("page", "")
    page = requested if requested in PAGES else "welcome"
    place = page if page in {"before", "after"} else "before"
    questions = queries.questions_of(campaign, place)
    form = StartForm() if page == "job" else AnswersForm(questions)
    context = {
        "campaign": campaign,
        "is_preview": True,
        "page": page,
        "pages": [(name, label) for name, (_template, label) in PAGES.items()],
        "form": form,
        "place": place,
        "promises": promises_of(campaign),
    }
    identity_of(request)  # asked first: it brings the person's own language along
    template = f"tasks/campaigns/{PAGES[page][0]}.html"
    return languages.answered_in(campaign.language, lambda: render(request, template, context))
