"""JSON of campaigns for programs of staff, by access token: the tables of the files, in pages."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema
from pydantic import AwareDatetime

from chat.commands.tokens import token_in
from chat.staff import audit
from futura import roles
from futura.errors import NotAllowed
from onet.api import Camel
from tasks.campaigns.models import Campaign
from tasks.campaigns.queries import PROGRESS, campaign_for_staff
from tasks.datasets import rows
from tasks.datasets.rows import TABLES, Choice
from tasks.insights import stored_reports
from tasks.insights.forms import Selection
from tasks.insights.report import SORTED_BY, is_too_small, suppressed, visible

PAGE = 200


def _exporter(request: HttpRequest) -> Any:
    """The member of staff whose token it is; None is answered with 401. Raises NotAllowed."""
    token = token_in(request)
    if token is None:
        return None
    if not roles.may(token.user, "export"):
        raise NotAllowed(_("Only staff who may export read the answers to campaigns."))
    request.user = token.user
    return token.user


router = Router(auth=_exporter, tags=["Campaigns"], by_alias=True)


class CampaignOut(Camel):
    """A campaign and how far its people are."""

    id: uuid.UUID
    slug: str
    title: str
    status: str
    is_invented: bool
    created_at: datetime
    agreed: int
    talking: int
    sent: int


class ColumnOut(Camel):
    """A column of a table: the dictionary."""

    table: Literal["tasks", "people"]
    name: str
    type: Literal["text", "whole", "number", "truth", "moment", "list"]
    about: str


class PageOut(Camel):
    """Rows of some people; `next` is what to ask for `after`, null at the end."""

    rows: list[dict[str, Any]]
    next: int | None = None


class RowsQuery(Schema):
    """What is to be in the rows, and where they begin."""

    after: int = Field(0, ge=0, le=2_000_000_000, description="`next` of the page before.")
    since: AwareDatetime | None = Field(
        None, description="Only people of whom anything changed from then on: replace their rows."
    )
    words: bool = Field(False, description="With the people’s own words.")
    ids: bool = Field(False, description="With ids of conversations; needs the right to review.")


class InsightsOut(Camel):
    """What everybody’s answers add up to; lines of too small groups are left out."""

    made_at: datetime | None = None
    report: dict[str, Any] | None = None


@router.get("/campaigns", response=list[CampaignOut], summary="Campaigns")
def campaigns(request: HttpRequest) -> QuerySet[Campaign]:  # noqa: ARG001
    """All campaigns, newest first."""
    return Campaign.objects.annotate(**PROGRESS).order_by("-created_at")[:1_000]


@router.get(
    "/campaigns/{campaign_id}/dictionary", response=list[ColumnOut], summary="Data dictionary"
)
def dictionary(
    request: HttpRequest,  # noqa: ARG001
    campaign_id: uuid.UUID,
) -> list[dict[str, Any]]:
    """Every column of both tables, own words and ids included."""
    campaign = campaign_for_staff(campaign_id)
    return [
        {"table": table, "name": column.name, "type": column.kind, "about": str(column.about)}
        for table in TABLES
        for column in rows.columns(campaign, table, Choice(has_words=True, has_ids=True))
    ]


@router.get("/campaigns/{campaign_id}/insights", response=InsightsOut, summary="Insights")
def insights(
    request: HttpRequest,  # noqa: ARG001
    campaign_id: uuid.UUID,
) -> dict[str, Any]:
    """The stored sums of everybody; null while they were never counted or the group is small."""
    campaign = campaign_for_staff(campaign_id)
    insight = stored_reports.find(campaign, Selection())
    report = stored_reports.report_in(insight)
    if insight is None or report is None:
        return {}
    if is_too_small(report, campaign.min_group):
        return {"made_at": insight.made_at}
    report = visible(report, campaign.min_group)
    for name in SORTED_BY:
        setattr(report, name, list(suppressed(getattr(report, name), campaign.min_group).lines))
    return {"made_at": insight.made_at, "report": report.model_dump(mode="json")}


@router.get("/campaigns/{campaign_id}/{table}", response=PageOut, summary="Rows of a table")
def table_rows(
    request: HttpRequest,
    campaign_id: uuid.UUID,
    table: Literal["tasks", "people"],
    query: Query[RowsQuery],
) -> dict[str, Any]:
    """The rows of the next 200 people; `tasks` has one per task, `people` one per person."""
    campaign = campaign_for_staff(campaign_id)
    if query.ids and not roles.may(request.user, "review"):
        raise NotAllowed(_("Only staff who may review see ids of conversations."))
    columns = rows.columns(campaign, table, Choice(has_words=query.words, has_ids=query.ids))
    chunk = rows.chunk(campaign, table, columns, after=query.after, people=PAGE, since=query.since)
    audit.exported(
        user=request.user,
        what=f"{table} by API",
        about={"campaign": campaign.title, "own words": query.words, "after": query.after},
        group_id=campaign.pk,
        rows=len(chunk.rows),
    )
    return {"rows": chunk.rows, "next": chunk.last}
