"""Sends pictures: as pictures only, whatever is in them, and to nobody's cache while private."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified

from futura.errors import NotFound
from projects.portfolio.entries.pictures.storing import draw, name_of
from projects.portfolio.models import StoredImage

_PUBLIC: Final = "public, max-age=3600"  # an hour after it was taken off, it is gone everywhere
_PRIVATE: Final = "private, max-age=3600, must-revalidate"


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
