"""The story of an entry, block by block: add, edit, move, delete."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.commands.base import build
from chat.commands.run import run_for
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict, NotFound
from projects.portfolio import blocks, queries
from projects.portfolio.commands.story import TOP, ChangeBlocks
from projects.portfolio.entries import stories
from projects.portfolio.entries.publishing import own_article, own_url
from projects.portfolio.entries.stories import BlockForm
from projects.portfolio.entries.views.pages import Opened, opened, page
from projects.portfolio.models import Entry, EntryImage
from projects.views import answers

Edit = dict[str, Any]


@require_safe
def story(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """The blocks in order, beside what visitors will read."""
    return _page(request, opened(request, portfolio_id, entry_id))


def _page(request: HttpRequest, at: Opened, *, status: int = 200, **more: Any) -> HttpResponse:
    images = {str(image.pk): image for image in queries.images_of(at.entry)}
    rows = []
    for place, block in enumerate(at.entry.blocks):
        row = {
            "place": place,
            "digest": stories.digest_of(block),
            "name": stories.KINDS.get(block.get("type", ""), ""),
            "words": blocks.text_of([block]),
        }
        previews = [images[key] for key in blocks.pictures_in(block) if key in images][:4]
        rows.append((row, [(own_url(image, 480), image.alt) for image in previews]))
    context = {
        "rows": rows, "kinds": list(stories.KINDS.items()), "article": own_article(at.entry),
    }  # fmt: skip
    return page(request, at, "story", {**context, **more}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def block(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """One block: `?at=2` an existing one, `?kind=quote&at=3` a new one before that place."""
    at = opened(request, portfolio_id, entry_id)
    images = queries.in_order(at.entry)
    if request.method != "POST":
        return _block_page(request, at, _requested(request, at.entry, images), images)
    form = BlockForm(request.POST.get("kind", ""), request.POST, images=images)
    if not form.is_valid():
        return _block_page(request, at, form, images, status=422)
    try:
        batch = _change(request, at, _saving(at.entry, form))
    except Conflict as error:
        _offer_again(form, at.entry)
        form.add_error(None, str(error))
        return _block_page(request, at, form, images, status=409)
    except BadInput as error:
        answers.refuse(form, error)
        return _block_page(request, at, form, images, status=422)
    return answers.went(at.url("story"), batch, at=f"block-{form.cleaned_data['at']}")


def _requested(request: HttpRequest, entry: Entry, images: Sequence[EntryImage]) -> BlockForm:
    place = _place(request.GET.get("at", ""), len(entry.blocks))
    if "kind" in request.GET:
        return BlockForm(request.GET["kind"], images=images, at=place, was="")
    if place >= len(entry.blocks):
        raise NotFound
    stored = entry.blocks[place]
    was = stories.digest_of(stored)
    return BlockForm(stored["type"], images=images, block=stored, at=place, was=was)


def _place(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else otherwise


def _saving(entry: Entry, form: BlockForm) -> Edit:
    """What stores the block that was typed. Raises Conflict when it is not there any more."""
    place, was, keys = form.cleaned_data["at"], form.cleaned_data["was"], _keys(entry)
    if not was:
        return {"do": "insert", "blocks": [form.block()], "after": _before(keys, place)}
    standing = stories.standing_at(entry.blocks, place, was)
    if standing is None:
        raise Conflict(_("This block was changed or deleted in the meantime. Your text is below."))
    return {"do": "set", "id": keys[standing], "block": form.block(entry.blocks[standing])}


def _keys(entry: Entry) -> list[str]:
    return [str(block["id"]) for block in blocks.identified(entry.blocks)]


def _before(keys: Sequence[str], place: int) -> str:
    return keys[min(place, len(keys)) - 1] if place and keys else TOP


def _offer_again(form: BlockForm, entry: Entry) -> None:
    """Saving once more puts it over what stands there now, or adds it where there is nothing."""
    now = Entry.objects.get(pk=entry.pk).blocks
    place = form.cleaned_data["at"]
    same = place < len(now) and now[place]["type"] == form.name
    form.data = form.data.copy()  # type: ignore[attr-defined]
    form.data["was"] = stories.digest_of(now[place]) if same else ""  # type: ignore[index]


def _change(request: HttpRequest, at: Opened, edit: Edit) -> OperationBatch:
    """Changes the story as it was found. Raises Conflict when somebody was faster."""
    values = {"id": at.entry.pk, "edits": [edit], "version": at.entry.version}
    return run_for(request, build(ChangeBlocks, values))


def _block_page(
    request: HttpRequest,
    at: Opened,
    form: BlockForm,
    images: Sequence[EntryImage],
    *,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "kind": form.name,
        "kind_name": stories.KINDS[form.name],
        "is_new": not form["was"].value(),
        "pictures": [(image, own_url(image, 480)) for image in images],
        "chosen": form["images_shown"].value() or [] if "images_shown" in form.fields else [],
        "back": f"{at.url('story')}#block-{form['at'].value()}",
    }
    return page(request, at, "block", context, status=status)


@require_POST
def arrange(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """A step up or down, or away: `do`, with `at` and `was` to find the block."""
    at = opened(request, portfolio_id, entry_id)
    do, place = request.POST.get("do", ""), _place(request.POST.get("at", ""), 0)
    if do not in {"up", "down", "delete"}:
        raise BadInput(_("Choose move up, move down or delete."), field="do")
    try:
        standing = stories.standing_at(at.entry.blocks, place, request.POST.get("was", ""))
        if standing is None:
            raise Conflict(_("This block was changed or deleted in the meantime. Reload the page."))
        keys = _keys(at.entry)
        key = keys.pop(standing)
        to = min(len(keys), max(0, standing + {"up": -1, "down": 1, "delete": 0}[do]))
        edit: Edit = {"do": "move", "id": key, "after": _before(keys, to)}
        if do == "delete":
            to, edit = max(0, min(to, len(keys) - 1)), {"do": "delete", "ids": [key]}
        batch = _change(request, at, edit)
    except Conflict as error:
        fresh = opened(request, portfolio_id, entry_id)
        return _page(request, fresh, status=409, problem=str(error))
    return answers.went(at.url("story"), batch, at=f"block-{to}")
