"""Reads an uploaded picture and makes it harmless: known by its content, measured before it is
unpacked, drawn anew without anything that came along with it (places, names, hidden files).
"""

from __future__ import annotations

import base64
import hashlib
import io
import struct
import threading
import zlib
from dataclasses import dataclass, field
from typing import IO, Final

from django.utils.translation import gettext as _
from PIL import Image, ImageCms, ImageOps

from futura.errors import BadInput, TooLong
from projects.portfolio.entries import limits

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
_SAMPLE: Final = (192, 192)
_COLOURS_OF_A_DRAWING: Final = 2_048
_PLAIN: Final = frozenset({"RGB", "L", "CMYK"})  # a palette would be picked from, not mixed


@dataclass(frozen=True)
class Picture:
    """A picture drawn anew."""

    sha256: str  # of what was sent
    media_type: str
    suffix: str
    width: int
    height: int
    body: bytes = field(repr=False)


def read_picture(file: IO[bytes], size: int) -> Picture:
    """The picture in a file of `size` bytes.

    Raises TooLong for too many bytes, BadInput when it is none of the known kinds, damaged, too
    large unpacked, or too small to be seen.
    """
    if size > limits.UPLOAD_BYTES:
        raise TooLong(limit=limits.UPLOAD_BYTES, length=size, field="files")
    sent = file.read(limits.UPLOAD_BYTES + 1)
    if not sent:
        raise BadInput(_("This file is empty."), field="files")
    with _AT_ONCE:
        try:
            return _drawn_anew(sent)
        except _BROKEN as error:
            raise BadInput(
                _("This file is not a supported picture. Use JPEG, PNG, WebP or GIF."),
                field="files",
            ) from error


def fingerprint(file: IO[bytes]) -> str:
    """The SHA-256 of a file, which is left at its beginning."""
    told = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    file.seek(0)
    return told


def _drawn_anew(sent: bytes) -> Picture:
    with Image.open(io.BytesIO(sent), formats=READ) as opened:
        _check_size(opened)
        kind = str(opened.format)
        # a JPEG is unpacked at half or a quarter, where that is enough
        opened.draft("RGB", (limits.KEPT_SIDE, limits.KEPT_SIDE))
        opened.load()
        if opened.mode in _PLAIN:  # first: what follows has fewer dots to look at
            _shrink(opened, limits.KEPT_SIDE)
        picture = _upright(opened)
    _shrink(picture, limits.KEPT_SIDE)
    media_type, suffix, body = _kept(picture, kind)
    return Picture(
        sha256=hashlib.sha256(sent).hexdigest(),
        media_type=media_type,
        suffix=suffix,
        width=picture.width,
        height=picture.height,
        body=body,
    )


def _check_size(opened: Image.Image) -> None:
    """Only the head of the file was read so far."""
    width, height = opened.size
    if width * height > limits.MOST_PIXELS or max(width, height) > limits.LONGEST_SIDE:
        raise BadInput(
            _("This picture is too large: %(width)d × %(height)d pixels. Make it smaller first.")
            % {"width": width, "height": height},
            field="files",
        )
    if min(width, height) < limits.SHORTEST_SIDE:
        raise BadInput(_("This picture is too small."), field="files")


def _upright(opened: Image.Image) -> Image.Image:
    """Turned as the camera was held, in sRGB, without anything beside the dots."""
    turned = ImageOps.exif_transpose(opened)
    profile = turned.info.get("icc_profile")
    mode = "RGBA" if _is_see_through(turned) else "RGB"
    plain = turned.convert(mode)
    if isinstance(profile, bytes) and len(profile) < limits.MiB:
        plain = _in_srgb(plain, profile)
    clean = Image.new(mode, plain.size)
    clean.paste(plain)
    return clean


def _is_see_through(picture: Image.Image) -> bool:
    return picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info


def _in_srgb(picture: Image.Image, profile: bytes) -> Image.Image:
    """As other screens show it; the colours as they are where the profile is of no use."""
    try:
        found = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        turned = ImageCms.profileToProfile(picture, found, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return picture
    return turned or picture


def _shrink(picture: Image.Image, side: int) -> None:
    """In place. Half the time of Lanczos, and no difference that one sees at this size."""
    if max(picture.size) > side:
        picture.thumbnail((side, side), Image.Resampling.HAMMING)


def _kept(picture: Image.Image, kind: str) -> tuple[str, str, bytes]:
    """A photograph as JPEG, a see-through one as WebP; drawings without loss."""
    out = io.BytesIO()
    if kind in {"PNG", "GIF", "WEBP"} and _is_drawing(picture):
        picture.save(out, "WEBP", lossless=True, method=0)
    elif picture.mode == "RGBA":
        picture.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    else:
        picture.save(out, "JPEG", quality=_QUALITY, optimize=True)
        return "image/jpeg", "jpg", out.getvalue()
    return "image/webp", "webp", out.getvalue()


def _is_drawing(picture: Image.Image) -> bool:
    """Few colours: lines and letters, which blur when they are kept like a photograph."""
    sample = picture.resize(_SAMPLE, Image.Resampling.NEAREST)
    return sample.getcolors(_COLOURS_OF_A_DRAWING) is not None


def copy_to_look_at(file: IO[bytes], side: int = 768) -> str:
    """A small copy of a stored picture as a data URL, for a model that sees."""
    with _AT_ONCE, Image.open(file, formats=READ) as opened:
        opened.draft("RGB", (side, side))
        picture = opened.convert("RGB")
    _shrink(picture, side)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_SIZE_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"


def sizes_of(file: IO[bytes]) -> dict[int, bytes]:
    """Smaller ones of a picture that is kept, as WebP by width in pixels; each made of the next
    larger one.
    """
    with _AT_ONCE, Image.open(file, formats=READ) as opened:
        opened.load()
        return _sizes(opened.convert("RGBA" if _is_see_through(opened) else "RGB"))


def _sizes(picture: Image.Image) -> dict[int, bytes]:
    made: dict[int, bytes] = {}
    for width in sorted(limits.SIZES, reverse=True):
        if picture.width <= width:
            continue
        height = max(1, round(picture.height * width / picture.width))
        picture = picture.resize((width, height), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        picture.save(out, "WEBP", quality=_SIZE_QUALITY, method=_EFFORT)
        made[width] = out.getvalue()
    return made
