"""`/staff/campaigns/<id>/data`: what can be taken out, the dictionary, the files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.export import PIECE_BYTES, sent
from chat.staff import audit
from chat.staff.models import Access
from futura import roles
from futura.attachments import streamed
from tasks.campaigns.models import Campaign
from tasks.campaigns.views.staff import for_campaign
from tasks.datasets import codebooks, rows
from tasks.datasets.rows import TABLES, TYPES, Choice, Column, Format, Row, Table, has_parquet
from tasks.staff import second


def choice_of(request: HttpRequest) -> Choice:
    """What is asked for; ids of conversations only by those who may read them."""
    return Choice(
        has_words=request.GET.get("words") == "1",
        has_ids=request.GET.get("ids") == "1" and roles.may(request.user, "review"),
    )


@require_safe
@for_campaign("export")
def page(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The tables with their columns, and what can be chosen."""
    choice = choice_of(request)
    context = {
        "campaign": campaign,
        "part": "data",
        "choice": choice,
        "query": request.GET.urlencode(),
        "agreement": second.agreement_in(campaign),
        "tables": [(table, rows.columns(campaign, table, choice)) for table in TABLES],
        "has_parquet": has_parquet(),
    }
    return render(request, "tasks/datasets/page.html", context)


@require_safe
@for_campaign("export")
def codebook(request: HttpRequest, campaign: Campaign, form: codebooks.Format) -> HttpResponse:
    """What the columns mean. It tells of nobody, so its taking is not noted."""
    text = codebooks.written(campaign, choice_of(request), form)
    answer = HttpResponse(text, codebooks.TYPES[form])
    name = f"{campaign.slug}-codebook.{form}"
    answer["Content-Disposition"] = content_disposition_header(True, name) or ""
    return answer


@require_safe
@for_campaign("export")
def download(
    request: HttpRequest, campaign: Campaign, table: Table, form: Format
) -> HttpResponseBase:
    """A table as a file; that it was taken is noted before the first row goes out."""
    if form == "parquet" and not has_parquet():
        messages.error(
            request, _("Parquet is not available: the extra “parquet” is not installed.")
        )
        return page(request, campaign_id=campaign.pk)
    choice = choice_of(request)
    columns = rows.columns(campaign, table, choice)
    noted = audit.exported(
        user=request.user,
        what=f"{table}.{form}",
        about={
            "campaign": campaign.title,
            "own words": choice.has_words,
            "conversation ids": choice.has_ids,
        },
        group_id=campaign.pk,
    )
    pieces = sent(partial(_file, campaign, table, form, columns, noted))
    name = f"{campaign.slug}-{table}-{timezone.localdate().isoformat()}.{form}"
    return streamed(pieces, TYPES[form], name)


def _file(
    campaign: Campaign, table: Table, form: Format, columns: Sequence[Column], noted: Access
) -> Iterator[bytes]:
    """The file piece by piece."""
    people = 2_000 if form == "parquet" else rows.CHUNK
    chunks = _chunks(campaign, table, columns, noted, people=people)
    if form == "parquet":  # made on disk first: its index stands at its end
        with tempfile.TemporaryFile() as file:
            rows.write_parquet(file, columns, chunks)
            file.seek(0)
            yield from iter(partial(file.read, PIECE_BYTES), b"")
        return
    yield rows.head_of(form, columns)
    for chunk in chunks:
        yield rows.written(form, columns, chunk)


def _chunks(
    campaign: Campaign, table: Table, columns: Sequence[Column], noted: Access, *, people: int
) -> Iterator[list[Row]]:
    """All rows; how many went out is noted as they go, for the reader may leave before the end."""
    number = 0
    after: int | None = 0
    while after is not None:
        chunk = rows.chunk(campaign, table, columns, after=after, people=people)
        number, after = number + len(chunk.rows), chunk.last
        Access.objects.filter(pk=noted.pk).update(rows=number, last_at=timezone.now())
        yield chunk.rows
