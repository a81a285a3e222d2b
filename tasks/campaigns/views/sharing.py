"""Staff pages that invite: link, QR code, codes; and how the campaign looks to who takes part."""

from __future__ import annotations

import uuid
from itertools import chain
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import languages
from chat.identity import identity_of
from futura.errors import BadInput
from tasks.campaigns import queries, sharing
from tasks.campaigns.actions import setting_up
from tasks.campaigns.forms import AnswersForm, CodesForm
from tasks.campaigns.models import Campaign
from tasks.campaigns.privacy_notice import promises_of
from tasks.campaigns.views.staff import for_campaign, root_of
from tasks.forms import StartForm

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


@require_http_methods(["GET", "HEAD", "POST"])
@for_campaign("campaigns")
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
        "phase": campaign.phase(timezone.now()),
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
    answer = StreamingHttpResponse(chain(["\ufeff"], lines), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{campaign.slug}-codes.csv"'
    return answer


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
        "now": timezone.now(),
        "phase": Campaign.Phase.OPEN,
    }
    identity_of(request)  # asked first: it brings the person's own language along
    template = f"tasks/campaigns/{PAGES[page][0]}.html"
    return languages.answered_in(campaign.language, lambda: render(request, template, context))
