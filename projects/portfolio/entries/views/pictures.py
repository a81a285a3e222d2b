"""The pictures of an entry: sent, described, put in order, taken away, looked at."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.actions import send_message
from chat.commands.base import build
from chat.commands.forms import run_for
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict, NotFound, TooMany
from futura.limits import START
from futura.llm.stages import is_configured as can_look
from projects.editing import Stale, rebased
from projects.portfolio.builder.starting import open_for
from projects.portfolio.commands.images import (
    ArrangeImages,
    AttachImages,
    DeleteImage,
    DescribeImages,
    ImageFields,
)
from projects.portfolio.entries import limits, queries
from projects.portfolio.entries.pictures import serving
from projects.portfolio.entries.pictures.reading import ACCEPT
from projects.portfolio.entries.pictures.storing import keep
from projects.portfolio.entries.preview import own_url
from projects.portfolio.entries.views.lists import wanted_order
from projects.portfolio.entries.views.pages import Opened, frame, opened, page
from projects.portfolio.models import EntryImage, StoredImage
from projects.portfolio.schema.tables import tidied
from projects.views import answers


@dataclass
class Told:
    """Words of one picture as they were sent, or as they stand."""

    image: EntryImage
    alt: str
    caption: str
    version: int
    problem: str = ""

    @property
    def thumbnail(self) -> str:
        """Where a small one is."""
        return own_url(self.image, 480)


@require_http_methods(["GET", "HEAD", "POST"])
def pictures(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """One form for all of it, so that no gesture loses words that were typed beside it.

    POST takes files, then the words of every picture, then one gesture: `do` is `up:<id>`,
    `down:<id>`, `hero:<id>`, `delete:<id>`, or `order` with the ids as they were dragged.
    """
    at = opened(request, portfolio_id, entry_id)
    if request.method != "POST":
        return _page(request, at, _told(queries.in_order(at.entry)))
    if request.POST.get("do") == "look":
        return _look(at)
    batch, problems = _take_files(request, at)
    words, told = _take_words(request, at)
    problems += [one.problem for one in told if one.problem]
    batch = batch or words
    if not problems and (do := request.POST.get("do", "")):
        try:
            batch = _gesture(request, at, do) or batch
        except (BadInput, Conflict) as error:
            problems.append(str(error))
    if problems or request.htmx:  # type: ignore[attr-defined]
        if not problems:
            told = _told(queries.in_order(at.entry))
        status = 422 if problems else 200
        return _page(request, at, told, status=status, problems=problems, batch=batch)
    return answers.went(at.url("pictures"), batch, at="pictures")


@require_POST
def upload(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> HttpResponse:
    """Files alone, from the conversation; what cannot be used is told on the page of pictures."""
    at = opened(request, portfolio_id, entry_id)
    batch, problems = _take_files(request, at)
    if problems:
        told = _told(queries.in_order(at.entry))
        return _page(request, at, told, status=422, problems=problems, batch=batch)
    return answers.went(answers.next_url(request, at.url("pictures")), batch)


def _look(at: Opened) -> HttpResponse:
    """Asks the model to look at the pictures, in the conversation about the entry."""
    rates.check(START, at.identity)
    send_message(
        identity=at.identity, session=open_for(at.entry.owner, at.entry),
        text=_("Look at my pictures and propose their words."),
        parts=[{"type": "invoke", "tool": "lookAtPictures", "sent": True}],
    )  # fmt: skip
    return redirect(at.url("workspace"))


def _take_files(request: HttpRequest, at: Opened) -> tuple[OperationBatch | None, list[str]]:
    """Every file that can be used, as one gesture; and why others cannot."""
    files = [one for one in request.FILES.getlist("files") if one]
    if not files:
        return None, []
    problems = []
    try:
        rates.check(limits.UPLOAD, at.identity)
    except TooMany as error:
        return None, [str(error)]
    if len(files) > limits.UPLOADS_AT_ONCE:
        told = _("At most %(n)d pictures at once; the others were left out.")
        problems.append(told % {"n": limits.UPLOADS_AT_ONCE})
    kept: list[StoredImage] = []
    for one in files[: limits.UPLOADS_AT_ONCE]:
        try:
            kept.append(keep(at.portfolio, one, one.size or 0))
        except BadInput as error:
            problems.append(f"{_name(one)}: {error}")
    try:
        command = {"id": at.entry.pk, "files": [stored.pk for stored in kept]}
        batch = run_for(request, build(AttachImages, command)) if kept else None
    except BadInput as error:
        return None, [*problems, str(error)]
    return batch, problems


def _name(file: UploadedFile[Any]) -> str:
    name = " ".join(str(file.name or "").split())
    return name[:60] or _("A file")


def _told(images: Sequence[EntryImage]) -> list[Told]:
    return [Told(one, one.alt, one.caption, one.version) for one in images]


def _take_words(request: HttpRequest, at: Opened) -> tuple[OperationBatch | None, list[Told]]:
    """Keeps every description that was sent; those that cannot be kept come back as typed."""
    told = _told(queries.in_order(at.entry))
    changed = []
    for one in told:
        sent = _sent(request, one)
        if sent is None:
            continue
        values, version = sent
        try:
            clean = tidied(ImageFields, values)
            new = rebased("portfolio_image", one.image, clean, version)
            if any(getattr(one.image, name) != value for name, value in new.items()):
                changed.append({"id": one.image.pk, "version": one.image.version, **new})
        except Stale as error:
            other = "; ".join(f"{clash.label}: {clash.theirs}" for clash in error.clashes)
            one.problem = _("Changed elsewhere meanwhile (%(other)s). Save again to keep yours.")
            one.problem %= {"other": other}
        except BadInput as error:
            one.problem = str(error)
        one.alt, one.caption = values["alt"], values["caption"]
    if any(one.problem for one in told):
        return None, told
    try:
        command = build(DescribeImages, {"images": changed}) if changed else None
        return (run_for(request, command) if command else None), told
    except Conflict as error:
        if told:
            told[0].problem = str(error)
        return None, told


def _sent(request: HttpRequest, one: Told) -> tuple[dict[str, str], int | None] | None:
    key = one.image.pk
    if f"alt-{key}" not in request.POST:
        return None
    values = {name: request.POST.get(f"{name}-{key}", "") for name in ("alt", "caption")}
    version = request.POST.get(f"version-{key}", "")
    is_number = version.isascii() and version.isdigit() and len(version) <= 9
    return values, int(version) if is_number else None


def _gesture(request: HttpRequest, at: Opened, do: str) -> OperationBatch:
    """Raises BadInput, Conflict."""
    images = queries.in_order(at.entry)
    ids = [one.pk for one in images]
    verb, _colon, named = do.partition(":")
    if verb in {"up", "down", "order"}:
        order = wanted_order(ids, do, request.POST.getlist("order"))
        return run_for(request, ArrangeImages(id=at.entry.pk, order=tuple(order)))
    one = next((image for image in images if str(image.pk) == named), None)
    if one is None:
        raise Conflict(_("This picture is not there any more."))
    if verb == "hero":
        return run_for(request, ArrangeImages(id=at.entry.pk, hero=one.pk))
    if verb == "delete":
        return run_for(request, DeleteImage(id=one.pk))
    raise BadInput(_("A picture goes up, down, to the front, or away."), field="do")


def _page(
    request: HttpRequest,
    at: Opened,
    told: Sequence[Told],
    *,
    status: int = 200,
    problems: Sequence[str] = (),
    batch: OperationBatch | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "told": told,
        "problems": problems,
        "accept": ACCEPT,
        "most_bytes": limits.UPLOAD_BYTES,
        "can_look": can_look() and bool(told),
        "most_mib": limits.UPLOAD_BYTES // limits.MiB,
    }
    if batch is not None:
        context["done"] = answers.notice_of(batch)
    if request.htmx:  # type: ignore[attr-defined]
        whole = {**frame(request, at, "pictures"), **context}
        return render(request, "projects/portfolio/entries/_pictures.html", whole, status=status)
    return page(request, at, "pictures", status=status, **context)


@require_safe
def picture(
    request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID, picture_id: uuid.UUID
) -> HttpResponse:
    """The picture itself, for its owner; `?w=480` for a smaller one."""
    at = opened(request, portfolio_id, entry_id)
    image = queries.image_for(at.identity, picture_id)
    if image.entry_id != at.entry.pk:
        raise NotFound
    try:
        stored = image.image
    except StoredImage.DoesNotExist:
        raise NotFound from None
    width = serving.width_wished(request)
    return serving.respond(request, stored, is_public=False, width=width)
