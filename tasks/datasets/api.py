"""JSON of campaigns for programs of staff, by access token: set up, the tables of the files in
pages, and the deletion of what somebody told.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language, gettext as _
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime
from pydantic.alias_generators import to_camel

from chat.commands.tokens import READS, token_in
from chat.staff import audit
from futura import locks, roles
from futura.errors import BadInput, NotAllowed, NotFound
from onet.api import Camel
from tasks.campaigns.actions import setting_up
from tasks.campaigns.actions.joining import erase_on_request
from tasks.campaigns.forms import CampaignForm
from tasks.campaigns.models import Campaign
from tasks.campaigns.queries import PROGRESS, campaign_for_staff
from tasks.datasets import rows
from tasks.datasets.rows import TABLES, Choice
from tasks.insights import stored_reports
from tasks.insights.forms import Selection
from tasks.insights.report import SORTED_BY, is_too_small, suppressed, visible

PAGE = 200


def _staff(request: HttpRequest) -> Any:
    """The member of staff whose token it is; None is answered with 401. Raises NotAllowed."""
    token = token_in(request)
    if token is None:
        return None
    if request.method in READS:
        if not roles.may(token.user, "export"):
            raise NotAllowed(_("Only staff who may export read the answers to campaigns."))
    elif not roles.may(token.user, "campaigns"):
        raise NotAllowed(_("Only staff who may set up campaigns change them."))
    request.user = token.user
    return token.user


router = Router(auth=_staff, tags=["Campaigns"], by_alias=True)


class CampaignOut(Camel):
    """A campaign and how far its people are."""

    id: uuid.UUID
    slug: str = Field(description="The end of its address, behind `/s/`.")
    title: str
    status: Literal["draft", "open", "closed"]
    is_invented: bool
    created_at: datetime
    agreed: int
    talking: int
    sent: int


class NewCampaign(Camel):
    """What the page of a new campaign asks for; what is left out is as it stands there."""

    title: str
    consent: str = Field("", description="Needed to open it.")
    language: str | None = None
    welcome: str | None = None
    closing: str | None = None
    opens_at: AwareDatetime | None = None
    closes_at: AwareDatetime | None = None
    grace_hours: int | None = None
    access: Literal["link", "codes"] | None = None
    max_people: int | None = None
    job_titles: list[str] = Field([], description="To choose from; any when there are none.")
    retention_days: int | None = None
    masks: bool = False
    min_group: int | None = None


class CampaignChange(Camel):
    """Whether people are let in."""

    status: Literal["open", "closed"]


class ColumnOut(Camel):
    """A column of a table: the dictionary."""

    table: Literal["tasks", "people"]
    name: str
    type: Literal["text", "whole", "number", "truth", "moment", "list"]
    about: str
    values: list[str] = Field(description="The only ones that occur, or a range; empty for any.")
    unit: str
    missing: str = Field(description="What it means that there is no value.")


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


def _campaign_out(campaign: Campaign) -> Campaign:
    return Campaign.objects.annotate(**PROGRESS).get(pk=campaign.pk)


@router.post(
    "/campaigns", response={201: CampaignOut}, url_name="campaigns", summary="Set up a campaign"
)
def post_campaign(request: HttpRequest, wish: NewCampaign) -> Status[Campaign]:
    """As a draft, without extra questions: nobody gets in before it is open.

    With the same header `Idempotency-Key` and the same in it the campaign of the first time.
    """
    usual = {name: field.initial for name, field in CampaignForm.base_fields.items()}
    values = wish.model_dump(exclude_none=True) | {"job_titles": "\n".join(wish.job_titles)}
    form = CampaignForm({**usual, "language": get_language(), **values})
    if not form.is_valid():
        name, texts = next(iter(form.errors.items()))
        raise BadInput(str(texts[0]), field=to_camel(name))
    with transaction.atomic():
        key, sent = request.headers.get("Idempotency-Key", ""), wish.model_dump_json()
        campaign_id = locks.id_under(key, f"{request.user.pk} {sent}") if key else uuid.uuid4()
        campaign = Campaign.objects.filter(pk=campaign_id).first()
        if campaign is None:
            values = {**form.values(), "id": campaign_id}
            campaign = setting_up.create(user_id=request.user.pk, values=values)
    return Status(201, _campaign_out(campaign))


@router.patch(
    "/campaigns/{campaign_id}",
    response=CampaignOut,
    url_name="campaign",
    summary="Open or close a campaign",
)
def patch_campaign(
    request: HttpRequest,  # noqa: ARG001
    campaign_id: uuid.UUID,
    change: CampaignChange,
) -> Campaign:
    """Opening one that was closed lets people in again."""
    campaign = campaign_for_staff(campaign_id)
    if change.status == "open":
        return _campaign_out(setting_up.open_now(campaign=campaign, again=True))
    return _campaign_out(setting_up.close(campaign=campaign))


@router.delete(
    "/campaigns/{campaign_id}/people/{person}",
    response=CampaignOut,
    url_name="campaign_person",
    summary="Delete what a participant told",
)
def delete_person(request: HttpRequest, campaign_id: uuid.UUID, person: str) -> Campaign:
    """For good and at once, by the pseudonym; counts stay. 404 when it was done before."""
    campaign = campaign_for_staff(campaign_id)
    if erase_on_request(campaign=campaign, pseudonym=person, user=request.user) is None:
        raise NotFound
    return _campaign_out(campaign)


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
        {
            "table": table,
            "name": column.name,
            "type": column.kind,
            "about": str(column.about),
            "values": list(column.values),
            "unit": str(column.unit),
            "missing": str(column.missing),
        }
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
