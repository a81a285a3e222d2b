"""`/staff/campaigns/<id>/insights`: the sums of a campaign, counted anew on request, as a table."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from chat.staff import audit
from chat.staff.queues import tags_in_use
from futura.attachments import attachment
from futura.roles import may
from tasks.campaigns.models import Campaign
from tasks.campaigns.queries import lookups_of
from tasks.campaigns.views.staff import for_campaign
from tasks.insights import page, stored_reports
from tasks.insights.forms import Selection, SelectionForm
from tasks.insights.report import Line, is_too_small, suppressed, visible


@for_campaign("insights")
@require_POST
def count(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Has the selection counted anew, and goes back to it."""
    stored_reports.want(
        campaign, stored_reports.rounded(campaign, _form(request, campaign).selection)
    )
    query = request.GET.urlencode()
    there = reverse("insights:page", args=[campaign.pk])
    return redirect(f"{there}?{query}" if query else there)


@require_safe
@for_campaign("insights")
def table(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """The sums as CSV; nothing of too small a group."""
    selection = stored_reports.rounded(campaign, _form(request, campaign).selection)
    insight = stored_reports.find(campaign, selection)
    report = stored_reports.report_in(insight)
    if report is None or is_too_small(report, campaign.min_group):
        messages.warning(request, _("There are no results of this selection to export."))
        return insights(request, campaign_id=campaign.pk)
    audit.exported(
        user=request.user,
        what="insights.csv",
        about={"campaign": campaign.title, "selection": selection.key},
        group_id=campaign.pk,
    )
    name = f"insights-{campaign.slug}-{timezone.localdate().isoformat()}.csv"
    text = page.table(visible(report, campaign.min_group), campaign.min_group)
    return attachment(text, "text/csv; charset=utf-8", name)


def _form(request: HttpRequest, campaign: Campaign) -> SelectionForm:
    """What is chosen; offered are the occupations that are large enough to be seen.

    Tags mark single people as somebody likes: what two of them differ by is for those to see who
    may read what each person said.
    """
    everybody = stored_reports.report_in(stored_reports.find(campaign, Selection()))
    least, jobs, may_read = campaign.min_group, tuple[Line, ...](), may(request.user, "review")
    if everybody is not None:
        jobs = suppressed(visible(everybody, least).occupations, least).lines
    return SelectionForm(
        request.GET,
        occupations=[(job.key, job.name) for job in jobs if job.key],
        tags=tags_in_use(Q(group_id=campaign.pk)) if may_read else None,
    )


@require_safe
@for_campaign("insights")
def insights(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The page; of what was never counted it says so and has it counted."""
    form = _form(request, campaign)
    selection = stored_reports.rounded(campaign, form.selection)
    insight = stored_reports.find(campaign, selection)
    report = stored_reports.report_in(insight)
    if report is not None:
        report = visible(report, campaign.min_group)
    context: dict[str, Any] = {
        "campaign": campaign,
        "form": form,
        "insight": insight,
        "lookups": lookups_of(campaign),
        "is_counting": insight is not None and insight.wanted_at is not None,
        "is_new": insight is None,
        "is_narrowed": form.selection != Selection(),
        "rounded": selection if selection != form.selection else None,
        "query": request.GET.urlencode(),
        "has_group": report is not None and not is_too_small(report, campaign.min_group),
        "report": report,
        "has_times": report is not None and report.rated >= campaign.min_group,
    }
    if report is not None and context["has_group"]:
        context |= {
            "way": page.way(report),
            "curve": page.curve(report),
            "sections": page.sections(report, campaign.min_group, whole=request.GET.get("all", "")),
            "levels": list(page.LEVELS.values()),
        }
    fragment = request.headers.get("HX-Target") == "insights-sums"
    template = "tasks/insights/_sums.html" if fragment else "tasks/insights/page.html"
    return render(request, template, context)
