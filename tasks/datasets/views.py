"""`/staff/campaigns/<id>/data`: what can be taken out, the dictionary, the files."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence

from channels.db import database_sync_to_async
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from chat.staff import audit
from chat.staff.models import Access
from futura import roles
from tasks.campaigns.models import Campaign
from tasks.campaigns.views.staff import for_campaign
from tasks.datasets import rows
from tasks.datasets.rows import TABLES, TYPES, Choice, Column, Format, Row, Table, has_parquet


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
    return _page(request, campaign)


def _page(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    choice = choice_of(request)
    context = {
        "campaign": campaign,
        "part": "data",
        "choice": choice,
        "query": request.GET.urlencode(),
        "tables": [(table, rows.columns(campaign, table, choice)) for table in TABLES],
        "has_parquet": has_parquet(),
    }
    return render(request, "tasks/datasets/page.html", context)


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
        return _page(request, campaign)
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
    day = timezone.localdate().isoformat()
    headers = {
        "Content-Disposition": f'attachment; filename="{campaign.slug}-{table}-{day}.{form}"',
        "Cache-Control": "private, no-store",
        "X-Accel-Buffering": "no",
    }
    if form == "parquet":
        file = tempfile.TemporaryFile()  # noqa: SIM115 (the response closes it)
        # made on disk first: its index stands at its end
        _note(noted, rows.write_parquet(file, columns, _chunks(campaign, table, columns)))
        file.seek(0)
        return FileResponse(file, content_type=TYPES[form], headers=headers)
    return StreamingHttpResponse(
        _stream(campaign, table, form, columns, noted), content_type=TYPES[form], headers=headers
    )


async def _stream(
    campaign: Campaign, table: Table, form: Format, columns: Sequence[Column], noted: Access
) -> AsyncIterator[bytes]:
    """The file chunk by chunk; no connection is held in between."""
    read = database_sync_to_async(_piece, thread_sensitive=False)
    number, after = 0, 0
    try:
        if head := rows.head_of(form, columns):
            yield head
        while True:
            content, count, last = await read(campaign, table, form, columns, after)
            number += count
            if content:
                yield content
            if last is None:
                return
            after = last
    finally:
        note = database_sync_to_async(_note, thread_sensitive=False)
        await note(noted, number)


def _piece(
    campaign: Campaign, table: Table, form: Format, columns: Sequence[Column], after: int
) -> tuple[bytes, int, int | None]:
    """The next rows as they go out, how many, and where the next begin."""
    result = rows.chunk(campaign, table, columns, after=after)
    return rows.written(form, columns, result.rows), len(result.rows), result.last


def _note(noted: Access, number: int) -> None:
    """How many rows went out, also when the reader left before the end."""
    Access.objects.filter(pk=noted.pk).update(rows=number, last_at=timezone.now())


def _chunks(campaign: Campaign, table: Table, columns: Sequence[Column]) -> Iterator[list[Row]]:
    after: int | None = 0
    while after is not None:
        chunk = rows.chunk(campaign, table, columns, after=after, people=2_000)
        yield chunk.rows
        after = chunk.last
