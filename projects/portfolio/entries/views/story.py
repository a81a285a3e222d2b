"""The story of an entry, block by block: add, edit, move, delete."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.forms import run_for
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict, NotFound
from projects.portfolio.commands.entries import SetStory
from projects.portfolio.entries import queries, stories
from projects.portfolio.entries.forms import BLOCKS, BlockForm
from projects.portfolio.entries.preview import own_article, own_url
from projects.portfolio.entries.views.pages import Opened, opened, page
from projects.portfolio.models import Entry, EntryImage
from projects.views import answers

Story = list[dict[str, Any]]


@require_safe
def story(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """The blocks in order, beside what visitors will read."""
    return _page(request, opened(request, portfolio_id, entry_id))


def _page(request: HttpRequest, at: Opened, *, status: int = 200, **more: Any) -> HttpResponse:
    known = {str(one.pk): one for one in queries.images_of(at.entry)}
    context = {
        "rows": [(one, _thumbnails(known, one)) for one in stories.rows_of(at.entry.blocks)],
        "kinds": list(stories.KINDS.items()),
        "article": own_article(at.entry),
    }
    return page(request, at, "story", status=status, **context, **more)


def _thumbnails(known: Mapping[str, EntryImage], row: stories.Row) -> list[tuple[str, str]]:
    return [(own_url(known[one], 480), known[one].alt) for one in row.pictures if one in known][:4]


@require_http_methods(["GET", "HEAD", "POST"])
def block(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """One block: `?at=2` an existing one, `?kind=quote&at=3` a new one before that place."""
    at = opened(request, portfolio_id, entry_id)
    images = queries.in_order(at.entry)
    if request.method != "POST":
        return _block_page(request, at, _asked(request, at.entry, images), images)
    form = _kind(request.POST.get("kind", ""))(request.POST, images=images)
    if not form.is_valid():
        return _block_page(request, at, form, images, status=422)
    try:
        batch = _write(request, at, lambda told: _saved(told, form))
    except Conflict as error:
        _offer_again(form, at.entry)
        form.add_error(None, str(error))
        return _block_page(request, at, form, images, status=409)
    except BadInput as error:
        form.add_error(None, str(error))
        return _block_page(request, at, form, images, status=422)
    return answers.went(at.url("story"), batch, at=f"block-{form.cleaned_data['at']}")


def _kind(name: str) -> type[BlockForm]:
    try:
        return BLOCKS[name]
    except KeyError:
        raise BadInput(_("There is no such block."), field="kind") from None


def _asked(request: HttpRequest, entry: Entry, images: Sequence[EntryImage]) -> BlockForm:
    place = _place(request.GET.get("at", ""), len(entry.blocks))
    if "kind" in request.GET:
        kind = request.GET["kind"]
        return _kind(kind)(initial={"kind": kind, "at": place, "was": ""}, images=images)
    if place >= len(entry.blocks):
        raise NotFound
    told = entry.blocks[place]
    form = _kind(told["type"])
    known = {"kind": told["type"], "at": place, "was": stories.digest_of(told)}
    return form(initial=form.shown(told) | known, images=images)


def _place(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else otherwise


def _saved(told: Story, form: BlockForm) -> Story:
    """The story with what was typed. Raises Conflict when the block is not there any more."""
    place, was = form.cleaned_data["at"], form.cleaned_data["was"]
    if not was:
        return stories.put(told, place, form.block())
    where = stories.found(told, place, was)
    if where is None:
        raise Conflict(
            _("This block was changed or taken away meanwhile. What you typed stands below.")
        )
    form.former = told[where]
    return stories.changed(told, where, form.block())


def _offer_again(form: BlockForm, entry: Entry) -> None:
    """Saving once more puts it over what stands there now, or adds it where there is nothing."""
    now = Entry.objects.get(pk=entry.pk).blocks
    place = form.cleaned_data["at"]
    same = place < len(now) and now[place]["type"] == form.cleaned_data["kind"]
    data = form.data.copy()  # type: ignore[attr-defined]
    data["was"] = stories.digest_of(now[place]) if same else ""
    form.data = data


def _write(request: HttpRequest, at: Opened, change: Callable[[Story], Story]) -> OperationBatch:
    """Changes the story as it stands; once more when somebody was faster."""
    for attempt in (1, 2):
        entry = at.entry if attempt == 1 else Entry.objects.get(pk=at.entry.pk)
        told = change(list(entry.blocks))
        try:
            return run_for(
                request, SetStory(id=entry.pk, blocks=tuple(told), version=entry.version)
            )
        except Conflict:
            if attempt == 2:
                raise
    raise AssertionError  # the second attempt returned or raised


def _block_page(
    request: HttpRequest,
    at: Opened,
    form: BlockForm,
    images: Sequence[EntryImage],
    *,
    status: int = 200,
) -> HttpResponse:
    kind = str(form["kind"].value())
    context = {
        "form": form,
        "kind": kind,
        "kind_name": stories.KINDS[kind],
        "is_new": not form["was"].value(),
        "pictures": [(one, own_url(one, 480)) for one in images],
        "chosen": form["images_shown"].value() or [] if kind == "gallery" else [],
        "back": f"{at.url('story')}#block-{form['at'].value()}",
    }
    return page(request, at, "block", status=status, **context)


@require_POST
def arrange(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """A step up or down, or away: `do`, with `at` and `was` to find the block."""
    at = opened(request, portfolio_id, entry_id)
    do, was = request.POST.get("do", ""), request.POST.get("was", "")
    place = _place(request.POST.get("at", ""), 0)
    if do not in {"up", "down", "delete"}:
        raise BadInput(_("A block goes up, down or away."), field="do")
    went_to = place

    def change(told: Story) -> Story:
        nonlocal went_to
        where = stories.found(told, place, was)
        if where is None:
            raise Conflict(_("This block was changed or taken away meanwhile. Look at it again."))
        if do == "delete":
            went_to = max(0, min(where, len(told) - 2))
            return stories.without(told, where)
        went_to = max(0, min(len(told) - 1, where + (1 if do == "down" else -1)))
        return stories.moved(told, where, went_to)

    try:
        batch = _write(request, at, change)
    except Conflict as error:
        fresh = opened(request, portfolio_id, entry_id)
        return _page(request, fresh, status=409, problem=str(error))
    return answers.went(at.url("story"), batch, at=f"block-{went_to}")
