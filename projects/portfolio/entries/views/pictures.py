"""The pictures of an entry: sent, described, put in order, taken away, looked at."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import rates
from chat.actions import send_message
from chat.commands.base import Command, build
from chat.commands.run import run_for
from chat.identity import identity_of
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict, TooMany
from futura.limits import START
from futura.llm.stages import is_configured as can_look
from futura.rows import only
from projects.editing import Stale, rebased
from projects.portfolio import queries
from projects.portfolio.article import owner_url
from projects.portfolio.builder.starting import open_for
from projects.portfolio.commands import images as commands
from projects.portfolio.entries import limits
from projects.portfolio.entries.pictures import ACCEPT, respond, store_upload
from projects.portfolio.entries.views.pages import page, requested_order
from projects.portfolio.models import Entry, EntryImage, StoredImage
from projects.portfolio.schema.forms import SchemaForm
from projects.views import answers


class PictureForm(SchemaForm):
    """The texts of one picture; its fields are named by its id."""

    def __init__(self, image: EntryImage, data: Any = None) -> None:
        self.image = image
        super().__init__(commands.TEXT_FIELDS, data, row=image)

    def add_prefix(self, field_name: str) -> str:
        return f"{field_name}-{self.image.pk}"

    @property
    def thumbnail(self) -> str:
        return owner_url(self.image, 480)

    @property
    def problem(self) -> str:
        return " ".join(str(item) for items in self.errors.values() for item in items)


@require_http_methods(["GET", "HEAD", "POST"])
def pictures(request: HttpRequest, entry: Entry) -> HttpResponse:
    """One form for all of it, so that no gesture loses words that were typed beside it.

    POST takes files, then the words of every picture, then one gesture: `do` is `up:<id>`,
    `down:<id>`, `hero:<id>`, `delete:<id>`, or `order` with the ids as they were dragged.
    """
    if request.method != "POST":
        return _page(request, entry)
    do = request.POST.get("do", "")
    if do == "look":
        rates.check(START, identity_of(request))
        send_message(
            identity=identity_of(request), session=open_for(entry),
            text=_("Suggest texts for my pictures."),
            parts=[{"type": "invoke", "tool": "lookAtPictures", "sent": True}],
        )  # fmt: skip
        return redirect(entry.url("workspace"))
    batch, problems = _save_files(request, entry)
    rows = [
        PictureForm(image, request.POST if f"alt-{image.pk}" in request.POST else None)
        for image in queries.in_order(entry)
    ]
    try:
        described = _save_texts(request, rows)
        batch = batch or described
        problems += [row.problem for row in rows if row.problem]
        if do and not problems:
            batch = run_for(request, _arrangement(request, entry, do))
    except (BadInput, Conflict) as error:
        problems.append(str(error))
    if problems or request.htmx:  # type: ignore[attr-defined]
        return _page(request, entry, batch, problems, rows if problems else ())
    return answers.went(entry.url("pictures"), batch, at="pictures")


@require_POST
def upload(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Files alone, from the conversation; what cannot be used is told on the page of pictures."""
    batch, problems = _save_files(request, entry)
    if problems:
        return _page(request, entry, batch, problems)
    return answers.went(answers.next_url(request, entry.url("pictures")), batch)


def _save_files(request: HttpRequest, entry: Entry) -> tuple[OperationBatch | None, list[str]]:
    """What was added, and why others were not."""
    files = [file for file in request.FILES.getlist("files") if file]
    batch: OperationBatch | None = None
    problems: list[str] = []
    if len(files) > limits.UPLOADS_AT_ONCE:
        problem = _("At most %(n)d pictures at once. The others were not added.")
        problems.append(problem % {"n": limits.UPLOADS_AT_ONCE})
    try:
        if files:
            rates.check(limits.UPLOAD, identity_of(request))
        stored: list[uuid.UUID] = []
        for file in files[: limits.UPLOADS_AT_ONCE]:
            try:
                stored.append(store_upload(entry.portfolio, file, file.size or 0).pk)
            except BadInput as error:
                name = " ".join(str(file.name or "").split())[:60] or _("A file")
                problems.append(f"{name}: {error}")
        if stored:
            values = {"id": entry.pk, "files": stored}
            batch = run_for(request, build(commands.AttachImages, values))
    except (TooMany, BadInput, Conflict) as error:
        problems.append(str(error))
    return batch, problems


def _save_texts(request: HttpRequest, rows: Sequence[PictureForm]) -> OperationBatch | None:
    """Saves every description, unless one cannot be saved. Raises BadInput, Conflict."""
    changed = []
    for row in rows:
        image = row.image
        if not row.is_valid():
            continue
        try:
            new = rebased(image, row.values(), row.seen())
        except Stale as error:
            other = "; ".join(f"{clash.label}: {clash.theirs}" for clash in error.clashes)
            problem = _(
                "Changed elsewhere in the meantime (%(other)s). Save again to keep your version."
            )
            row.add_error("alt", problem % {"other": other})
            row.renew(error.row, error.left)
        else:
            if any(getattr(image, name) != value for name, value in new.items()):
                changed.append({"id": image.pk, "version": image.version, **new})
    if not changed or any(row.problem for row in rows):
        return None
    return run_for(request, build(commands.DescribeImages, {"images": changed}))


def _arrangement(request: HttpRequest, entry: Entry, do: str) -> Command:
    """Raises BadInput, Conflict."""
    keys = [image.pk for image in queries.in_order(entry)]
    verb, _colon, named = do.partition(":")
    if verb in {"up", "down", "order"}:
        order = requested_order(keys, do, request.POST.getlist("order"))
        return commands.ArrangeImages(id=entry.pk, order=tuple(order))
    key = next((key for key in keys if str(key) == named), None)
    if key is None:
        raise Conflict(_("This picture no longer exists."))
    if verb == "hero":
        return commands.ArrangeImages(id=entry.pk, hero=key)
    if verb == "delete":
        return commands.DeleteImage(id=key)
    raise BadInput(_("Choose move up, move down, hero image or delete."), field="do")


def _page(
    request: HttpRequest,
    entry: Entry,
    batch: OperationBatch | None = None,
    problems: Sequence[str] = (),
    rows: Sequence[PictureForm] = (),
) -> HttpResponse:
    rows = rows or [PictureForm(image) for image in queries.in_order(entry)]
    context: dict[str, Any] = {
        "rows": rows,
        "problems": problems,
        "accept": ACCEPT,
        "can_look": can_look() and bool(rows),
        "most_mib": limits.UPLOAD_BYTES // limits.MiB,
    }
    if batch is not None:
        context["done"] = answers.notice_of(batch)
    fragment = "_pictures" if request.htmx else ""  # type: ignore[attr-defined]
    status = 422 if problems else 200
    return page(request, entry, "pictures", context, status=status, template=fragment)


@require_safe
def picture(request: HttpRequest, entry: Entry, picture_id: uuid.UUID) -> HttpResponse:
    """The picture itself, for its owner; `?w=480` for a smaller one."""
    stored = StoredImage.objects.filter(
        pk__in=queries.living_images().filter(entry=entry, pk=picture_id).values("image_id")
    )
    return respond(request, only(stored), is_public=False)
