"""Staff pages that invite: link, QR code, codes; and how the campaign looks to who takes part."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import languages
from chat.identity import identity_of
from futura.errors import BadInput
from futura.staff import allowed
from tasks.campaigns import queries, sharing
from tasks.campaigns.actions import setting_up
from tasks.campaigns.forms import AnswersForm, CodesForm
from tasks.campaigns.models import Campaign
from tasks.campaigns.privacy_notice import promises_of
from tasks.campaigns.views.staff import root_of
from tasks.forms import StartForm

CODES_A_PAGE: Final = 50
_TEMPLATES: Final = {
    "welcome": "welcome",
    "consent": "consent",
    "before": "questions",
    "job": "job",
    "after": "questions",
    "end": "end",
}
PAGES: Final = tuple(_TEMPLATES)


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("campaigns")
def share(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """The link, its picture, and the codes; POST makes new ones."""
    found = queries.campaign_for_staff(campaign_id)
    if request.method != "POST":
        return _share_page(request, found, CodesForm())
    form = CodesForm(request.POST)
    if not form.is_valid():
        return _share_page(request, found, form, status=422)
    try:
        setting_up.make_codes(
            campaign=found,
            count=form.cleaned_data["count"],
            max_uses=form.cleaned_data["max_uses"],
            label=form.cleaned_data["label"],
        )
    except BadInput as error:
        form.refuse(error)
        return _share_page(request, found, form, status=error.status)
    return redirect("campaigns:share", campaign_id=found.pk)


def _share_page(
    request: HttpRequest, found: Campaign, form: CodesForm, *, status: int = 200
) -> HttpResponse:
    number = request.GET.get("page", "1")
    context = {
        "campaign": found,
        "phase": found.phase(timezone.now()),
        "part": "share",
        "form": form,
        "link": sharing.address_of(found, root_of(request)),
        "page": Paginator(queries.invitations_of(found), CODES_A_PAGE).get_page(number[:9]),
    }
    return render(request, "tasks/campaigns/share.html", context, status=status)


@require_safe
@allowed("campaigns")
def picture(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """The QR code of the link, as an SVG file."""
    found = queries.campaign_for_staff(campaign_id)
    drawn = sharing.picture_of(sharing.address_of(found, root_of(request)))
    answer = HttpResponse(drawn, content_type="image/svg+xml")
    if request.GET.get("keep"):
        answer["Content-Disposition"] = f'attachment; filename="{found.slug}.svg"'
    return answer


@require_safe
@allowed("campaigns")
def codes(request: HttpRequest, campaign_id: uuid.UUID) -> StreamingHttpResponse:
    """All codes with their links as CSV."""
    found = queries.campaign_for_staff(campaign_id)
    rows = queries.invitations_of(found).iterator(chunk_size=500)
    lines = sharing.table_of(rows, found, root_of(request))
    answer = StreamingHttpResponse(_with_mark(lines), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{found.slug}-codes.csv"'
    return answer


def _with_mark(lines: Any) -> Any:
    yield "\ufeff"
    yield from lines


@allowed("campaigns")
@require_POST
def revoke(_request: HttpRequest, campaign_id: uuid.UUID, invitation_id: uuid.UUID) -> HttpResponse:
    found = queries.campaign_for_staff(campaign_id)
    setting_up.revoke_code(campaign=found, invitation_id=invitation_id)
    return redirect("campaigns:share", campaign_id=found.pk)


@require_safe
@allowed("campaigns")
def preview(request: HttpRequest, campaign_id: uuid.UUID) -> HttpResponse:
    """The pages as a participant sees them; `?page=` names one. Nothing can be sent."""
    found = queries.campaign_for_staff(campaign_id)
    wanted = request.GET.get("page", "")
    page = wanted if wanted in PAGES else PAGES[0]
    place = page if page in {"before", "after"} else "before"
    context = {
        "campaign": found,
        "is_preview": True,
        "page": page,
        "pages": list(zip(PAGES, _labels(), strict=True)),
        "form": StartForm() if page == "job" else AnswersForm(queries.questions_of(found, place)),
        "place": place,
        "promises": promises_of(found),
        "now": timezone.now(),
        "phase": Campaign.Phase.OPEN,
    }
    identity_of(request)  # asked first: it brings the person's own language along
    template = f"tasks/campaigns/{_TEMPLATES[page]}.html"
    return languages.answered_in(found.spoken, lambda: render(request, template, context))


def _labels() -> list[str]:
    return [
        *(_("Welcome"), _("Consent"), _("Questions before the conversation"), _("Job title")),
        *(_("Questions after submitting"), _("Last page")),
    ]
