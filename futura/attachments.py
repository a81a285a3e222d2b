"""Answers with a file to keep, of which nobody in between keeps a copy."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)


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
