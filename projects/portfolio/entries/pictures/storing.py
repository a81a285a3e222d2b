"""Keeps pictures of a portfolio: once by their content, with their sizes beside them, within its
quota; sends them as pictures only; and lets go of files that nothing refers to any more.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath
from typing import IO, Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.translation import gettext as _

from futura.errors import BadInput, NotFound
from projects.portfolio.entries import limits, naming
from projects.portfolio.entries.pictures.reading import (
    Picture,
    fingerprint,
    read_picture,
    sizes_of,
)
from projects.portfolio.models import EntryImage, Portfolio, StoredImage

ORPHANED_FOR: Final = timedelta(days=1)  # an upload may just be about to name its picture
_PUBLIC: Final = "public, max-age=3600"  # an hour after it was taken off, it is gone everywhere
_PRIVATE: Final = "private, max-age=3600, must-revalidate"


def keep(portfolio: Portfolio, file: IO[bytes], size: int) -> StoredImage:
    """The stored picture of a file: the one that is there already, or a new one.

    Reads and draws outside any transaction. Raises BadInput, TooLong.
    """
    if size <= limits.UPLOAD_BYTES and (known := _known(portfolio, fingerprint(file))):
        return known
    check_quota(portfolio)
    return _store(portfolio, read_picture(file, size))


def _known(portfolio: Portfolio, sha256: str) -> StoredImage | None:
    return StoredImage.objects.filter(portfolio=portfolio, sha256=sha256).first()


def check_quota(portfolio: Portfolio) -> None:
    """Raises BadInput when a portfolio is full."""
    living = EntryImage.objects.filter(entry__portfolio=portfolio, deleted_at=None).count()
    if living >= limits.PICTURES:
        words = _("A portfolio has at most %(n)d pictures. Delete some first.")
        raise BadInput(words % {"n": limits.PICTURES}, field="files")
    if StoredImage.objects.filter(portfolio=portfolio).count() >= limits.PICTURES_KEPT:
        words = _("Too many deleted pictures are kept for restoring.")
        raise BadInput(words, field="files")


def _store(portfolio: Portfolio, picture: Picture) -> StoredImage:
    key = uuid.uuid4()
    name = f"portfolio/{timezone.now():%Y/%m}/{key}.{picture.suffix}"
    with transaction.atomic():
        naming.lock(portfolio.pk)
        if known := _known(portfolio, picture.sha256):  # another tab was faster
            return known
        kept = default_storage.save(name, ContentFile(picture.body))
        try:
            return StoredImage.objects.create(
                pk=key,
                portfolio=portfolio,
                sha256=picture.sha256,
                file=kept,
                media_type=picture.media_type,
                width=picture.width,
                height=picture.height,
            )
        except DatabaseError:
            _delete(kept)
            raise


def name_of(stored: StoredImage, size: int | None) -> tuple[str, str]:
    """The file that answers a wish for a width, and its media type: the smallest that is as wide,
    or the whole picture.
    """
    if size is not None:
        for width in limits.SIZES:
            if size <= width < stored.width:
                return _sized(str(stored.file), width), "image/webp"
    return str(stored.file), stored.media_type


def _sized(name: str, width: int) -> str:
    """The file of a smaller one, beside the whole."""
    return str(PurePosixPath(name).with_suffix("")) + f"-{width}.webp"


def draw(stored: StoredImage) -> None:
    """Draws the smaller sizes of a picture when the first of them is asked for. Safe at once: one
    draws, others wait. Raises OSError where the picture is gone or damaged.
    """
    with transaction.atomic():
        naming.lock(stored.portfolio_id)
        names = {width: _sized(str(stored.file), width) for width in limits.SIZES}
        with default_storage.open(str(stored.file)) as file:
            sizes = sizes_of(file)
        for width, body in sizes.items():
            if not default_storage.exists(names[width]):
                default_storage.save(names[width], ContentFile(body))


def respond(
    request: HttpRequest, stored: StoredImage, *, is_public: bool, width: int | None = None
) -> HttpResponse:
    """A picture, or the smaller one that is as wide as wished. NotFound when its file is gone.

    The caller has looked whether this visitor may see it.
    """
    name, media_type = name_of(stored, width)
    etag = f'"{stored.sha256[:32]}-{width or 0}"'
    keeping = _PUBLIC if is_public else _PRIVATE
    if request.headers.get("If-None-Match") == etag:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        body = _read(name)
        if body is None and name != str(stored.file):
            with suppress(OSError):
                draw(stored)
            body = _read(name)
        if body is None:
            raise NotFound
        answer = HttpResponse(body, content_type=media_type)
        answer["Content-Disposition"] = "inline"
    answer["ETag"] = etag
    answer["Cache-Control"] = keeping
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cross-Origin-Resource-Policy"] = "same-origin"
    if not is_public:
        answer["Vary"] = "Cookie"
    return answer


def _read(name: str) -> bytes | None:
    """The whole file: it is small, and streams of files are none to an asynchronous server."""
    try:
        with default_storage.open(name) as file:
            return bytes(file.read())
    except FileNotFoundError:
        return None


def width_wished(request: HttpRequest) -> int | None:
    """`?w=480`; anything else is the whole picture."""
    text = request.GET.get("w", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else None


def delete_files(stored: StoredImage) -> None:
    """Takes a picture's files away; missing ones are no fault."""
    _delete(str(stored.file))


def _delete(name: str) -> None:
    for one in (name, *(_sized(name, width) for width in limits.SIZES)):
        with suppress(FileNotFoundError):
            default_storage.delete(one)


def purge(now: datetime | None = None) -> int:
    """Lets go of pictures that neither a row of an entry, deleted ones included, nor a photo ever
    named (an undo brings those back); how many. Safe to run twice, and beside uploads.
    """
    gone = 0
    named = EntryImage.objects.filter(image=OuterRef("pk"))
    before = (now or timezone.now()) - ORPHANED_FOR
    orphans = StoredImage.objects.filter(~Exists(named), is_photo=False, created_at__lt=before)
    for stored in orphans.iterator(chunk_size=200):
        with transaction.atomic():
            naming.lock(stored.portfolio_id)
            if EntryImage.objects.filter(image=stored).exists():
                continue
            if not StoredImage.objects.filter(pk=stored.pk, is_photo=False).delete()[0]:
                continue
            transaction.on_commit(partial(delete_files, stored))
        gone += 1
    return gone
