"""Answers with a file to keep, of which nobody in between keeps a copy."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncIterable, Iterable, Iterator
from itertools import chain, count
from typing import TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.http import content_disposition_header

ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)
# names within a ZIP, each with what the file holds, piece by piece
Files = Iterable[tuple[str, Iterable[str] | Iterable[bytes]]]


def attachment(content: str, kind: str, name: str) -> HttpResponse:
    """A text as a file of that media type."""
    return _to_keep(HttpResponse(content, content_type=kind), name)


def streamed(
    pieces: Iterable[str] | AsyncIterable[bytes], kind: str, name: str
) -> StreamingHttpResponse:
    """The same of a text or bytes that come piece by piece."""
    return _to_keep(StreamingHttpResponse(pieces, content_type=kind), name)


def _to_keep(answer: ResponseT, name: str) -> ResponseT:
    disposition = content_disposition_header(as_attachment=True, filename=name)
    answer["Content-Disposition"] = str(disposition)
    answer["Cache-Control"] = "private, no-store"
    return answer


class _Output:
    """What a ZIP is written to where nobody seeks: it holds what was not taken yet."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes, /) -> int:
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Nothing waits anywhere else."""

    close = flush

    def taken(self) -> bytes:
        data = bytes(self._written)
        self._written.clear()
        return data


def zipped(files: Files) -> Iterator[bytes]:
    """A ZIP of these files in pieces, never held whole. A name that is taken gets a number."""
    output, names = _Output(), set[str]()
    with zipfile.ZipFile(output, "w") as archive:
        for name, pieces in files:
            info = zipfile.ZipInfo(_free(name, names), timezone.localtime().timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as file:
                for piece in pieces:
                    file.write(piece.encode() if isinstance(piece, str) else piece)
                    yield output.taken()
    yield output.taken()


def _free(name: str, names: set[str]) -> str:
    """The name, numbered where a file system that ignores case would have it twice."""
    stem, _dot, ending = name.rpartition(".")
    numbered = (f"{stem}-{number}.{ending}" for number in count(2))
    free = next(item for item in chain([name], numbered) if item.casefold() not in names)
    names.add(free.casefold())
    return free
