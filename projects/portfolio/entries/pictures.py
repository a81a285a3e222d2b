"""Pictures of a portfolio: made harmless, kept once by their content, sent, and let go.

An uploaded file is known by its content, measured before it is unpacked, and drawn anew without
anything that came along with it (places, names, hidden files).
"""

from __future__ import annotations

import base64
import hashlib
import io
import struct
import threading
import zlib
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
from PIL import Image, ImageCms, ImageOps

from futura import parameters
from futura.errors import BadInput, NotFound
from projects.portfolio.entries import limits
from projects.portfolio.entries.publishing import lock
from projects.portfolio.models import EntryImage, Portfolio, StoredImage

# Our own limit is asked before anything is unpacked; Pillow's would warn instead of refusing.
Image.MAX_IMAGE_PIXELS = None
READ: Final = ("JPEG", "PNG", "WEBP", "GIF")
ACCEPT: Final = "image/jpeg,image/png,image/webp,image/gif"
_BROKEN: Final = (
    *(OSError, SyntaxError, ValueError, EOFError, OverflowError, MemoryError),
    *(struct.error, zlib.error, Image.DecompressionBombError),
)
_AT_ONCE: Final = threading.BoundedSemaphore(2)  # unpacked pictures are large
_QUALITY: Final = 86
_SIZE_QUALITY: Final = 80
_EFFORT: Final = 1  # a third of the time of Pillow's own choice, a tenth more bytes
_COLOURS_OF_A_DRAWING: Final = 2_048
ORPHANED_FOR: Final = timedelta(days=1)  # an upload may just be about to name its picture


# Reading ----------------------------------------------------------------------------------------
def read_picture(file: IO[bytes], size: int) -> tuple[StoredImage, bytes]:
    """The picture in a file of `size` bytes, drawn anew: its row, not yet saved, and its bytes.

    Raises BadInput for too many bytes, when it is none of the known kinds, damaged, too large
    unpacked, or too small to be seen.
    """
    if size > limits.UPLOAD_BYTES:
        problem = _("This file is larger than %(n)d MB.")
        raise BadInput(problem % {"n": limits.UPLOAD_BYTES // limits.MiB}, field="files")
    sent = file.read(limits.UPLOAD_BYTES + 1)
    if not sent:
        raise BadInput(_("This file is empty."), field="files")
    try:
        with _AT_ONCE, Image.open(io.BytesIO(sent), formats=READ) as opened:
            _check_size(opened)
            kind = str(opened.format)
            # a JPEG is unpacked at half or a quarter, where that is enough
            opened.draft("RGB", (limits.STORED_SIDE, limits.STORED_SIDE))
            snapshot = _upright(opened)
            media_type, body = _encoded(snapshot, kind)
    except _BROKEN as error:
        raise BadInput(
            _("This file is not a supported picture. Use JPEG, PNG, WebP or GIF."),
            field="files",
        ) from error
    row = StoredImage(
        sha256=hashlib.sha256(sent).hexdigest(),
        media_type=media_type,
        width=snapshot.width,
        height=snapshot.height,
    )
    return row, body


def _check_size(opened: Image.Image) -> None:
    """Only the head of the file was read so far."""
    width, height = opened.size
    if width * height > limits.MOST_PIXELS or max(width, height) > limits.LONGEST_SIDE:
        problem = _(
            "This picture is too large: %(width)d × %(height)d pixels. Make it smaller first."
        )
        raise BadInput(problem % {"width": width, "height": height}, field="files")
    if min(width, height) < limits.SHORTEST_SIDE:
        raise BadInput(_("This picture is too small."), field="files")


def _upright(opened: Image.Image) -> Image.Image:
    """Turned as the camera was held, in sRGB, small enough, without anything beside the dots."""
    if opened.mode in {"RGB", "L", "CMYK"}:  # first: what follows has fewer dots to look at
        _shrink(opened, limits.STORED_SIDE)
    turned = ImageOps.exif_transpose(opened)
    profile = turned.info.get("icc_profile")
    normalized = turned.convert(_mode(turned))
    if isinstance(profile, bytes) and len(profile) < limits.MiB:
        # the colours stay as they are where the profile is of no use
        with suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            srgb = ImageCms.createProfile("sRGB")
            normalized = ImageCms.profileToProfile(normalized, source, srgb) or normalized
    clean = Image.new(normalized.mode, normalized.size)
    clean.paste(normalized)
    _shrink(clean, limits.STORED_SIDE)
    return clean


def _mode(image: Image.Image) -> str:
    is_see_through = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
    return "RGBA" if is_see_through else "RGB"


def _shrink(image: Image.Image, side: int) -> None:
    """In place. Half the time of Lanczos, and no difference that one sees at this size."""
    if max(image.size) > side:
        image.thumbnail((side, side), Image.Resampling.HAMMING)


def _encoded(image: Image.Image, kind: str) -> tuple[str, bytes]:
    """Its media type and bytes: a photograph as JPEG, a see-through one as WebP; drawings, of few
    colours, without loss.
    """
    out = io.BytesIO()
    sample = image.resize((192, 192), Image.Resampling.NEAREST)
    if kind != "JPEG" and sample.getcolors(_COLOURS_OF_A_DRAWING) is not None:
        image.save(out, "WEBP", lossless=True, method=0)
    elif image.mode == "RGBA":
        image.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    else:
        image.save(out, "JPEG", quality=_QUALITY, optimize=True)
        return "image/jpeg", out.getvalue()
    return "image/webp", out.getvalue()


def copy_to_look_at(file: IO[bytes], side: int = 768) -> str:
    """A small copy of a stored picture as a data URL, for a model that sees."""
    with _AT_ONCE, Image.open(file, formats=READ) as opened:
        opened.draft("RGB", (side, side))
        snapshot = opened.convert("RGB")
    _shrink(snapshot, side)
    out = io.BytesIO()
    snapshot.save(out, "JPEG", quality=_SIZE_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"


def sizes_of(file: IO[bytes]) -> dict[int, bytes]:
    """Smaller ones of a picture that is kept, as WebP by width in pixels; each made of the next
    larger one.
    """
    sizes: dict[int, bytes] = {}
    with _AT_ONCE, Image.open(file, formats=READ) as opened:
        snapshot = opened.convert(_mode(opened))
        for width in sorted(limits.SIZES, reverse=True):
            if snapshot.width <= width:
                continue
            height = max(1, round(snapshot.height * width / snapshot.width))
            snapshot = snapshot.resize((width, height), Image.Resampling.LANCZOS)
            out = io.BytesIO()
            snapshot.save(out, "WEBP", quality=_SIZE_QUALITY, method=_EFFORT)
            sizes[width] = out.getvalue()
    return sizes


# Storing ----------------------------------------------------------------------------------------
def store_upload(portfolio: Portfolio, file: IO[bytes], size: int) -> StoredImage:
    """The stored picture of a file: the one that is there already, or a new one.

    Reads and draws outside any transaction. Raises BadInput.
    """
    own = StoredImage.objects.filter(portfolio=portfolio)
    if size <= limits.UPLOAD_BYTES:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        file.seek(0)
        if stored := own.filter(sha256=sha256).first():
            return stored
    living = EntryImage.objects.filter(entry__portfolio=portfolio, deleted_at=None)
    if living.count() >= limits.PICTURES:
        problem = _("A portfolio has at most %(n)d pictures. Delete some first.")
        raise BadInput(problem % {"n": limits.PICTURES}, field="files")
    if own.count() >= limits.STORED_PICTURES:
        raise BadInput(_("Too many deleted pictures are kept for restoring."), field="files")
    new, body = read_picture(file, size)
    new.portfolio = portfolio
    suffix = {"image/jpeg": "jpg", "image/webp": "webp"}[new.media_type]
    name = f"portfolio/{timezone.now():%Y/%m}/{new.pk}.{suffix}"
    with transaction.atomic():
        lock(portfolio.pk)
        if stored := own.filter(sha256=new.sha256).first():  # another tab was faster
            return stored
        new.file = default_storage.save(name, ContentFile(body))
        try:
            new.save(force_insert=True)
        except DatabaseError:
            delete_files(new)
            raise
        return new


def name_of(stored: StoredImage, size: int | None) -> tuple[str, str]:
    """The file that answers a wish for a width, and its media type: the smallest that is as wide,
    or the whole picture.
    """
    for width in limits.SIZES:
        if size is not None and size <= width < stored.width:
            return _sized(stored, width), "image/webp"
    return str(stored.file), stored.media_type


def _sized(stored: StoredImage, width: int) -> str:
    return f"{PurePosixPath(str(stored.file)).with_suffix('')}-{width}.webp"


def _draw(stored: StoredImage) -> None:
    """Draws the smaller sizes of a picture when the first of them is asked for. Safe at once: one
    draws, others wait. Raises OSError where the picture is gone or damaged.
    """
    with transaction.atomic():
        lock(stored.portfolio_id)
        with default_storage.open(str(stored.file)) as file:
            sizes = sizes_of(file)
        for width, body in sizes.items():
            if not default_storage.exists(_sized(stored, width)):
                default_storage.save(_sized(stored, width), ContentFile(body))


def respond(request: HttpRequest, stored: StoredImage, *, is_public: bool) -> HttpResponse:
    """A picture, or with `?w=480` the smaller one that is as wide. NotFound when its file is gone.

    The caller has looked whether this visitor may see it.
    """
    width = parameters.whole(request.GET.get("w"), digits=5)
    name, media_type = name_of(stored, width)
    etag = f'"{stored.sha256[:32]}-{width or 0}"'
    if request.headers.get("If-None-Match") == etag:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        body = _read(name)
        if body is None and name != str(stored.file):
            with suppress(OSError):
                _draw(stored)
            body = _read(name)
        if body is None:
            raise NotFound
        answer = HttpResponse(body, content_type=media_type)
        answer["Content-Disposition"] = "inline"
    answer["ETag"] = etag
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cross-Origin-Resource-Policy"] = "same-origin"
    if is_public:  # an hour after it was taken off, it is gone everywhere
        answer["Cache-Control"] = "public, max-age=3600"
    else:
        answer["Cache-Control"] = "private, max-age=3600, must-revalidate"
        answer["Vary"] = "Cookie"
    return answer


def _read(name: str) -> bytes | None:
    """The whole file: it is small, and streams of files are none to an asynchronous server."""
    try:
        with default_storage.open(name) as file:
            return bytes(file.read())
    except FileNotFoundError:
        return None


def delete_files(stored: StoredImage) -> None:
    """Takes a picture's files away; missing ones are no fault."""
    for name in (str(stored.file), *(_sized(stored, width) for width in limits.SIZES)):
        with suppress(FileNotFoundError):
            default_storage.delete(name)


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
            lock(stored.portfolio_id)
            if not orphans.filter(pk=stored.pk).delete()[0]:
                continue
            transaction.on_commit(partial(delete_files, stored))
        gone += 1
    return gone
