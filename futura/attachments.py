"""Answers with a file to keep."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def attachment(content: str, kind: str, name: str) -> HttpResponse:
    """A text as a file of that media type; nobody in between keeps a copy."""
    answer = HttpResponse(content, content_type=kind)
    disposition = content_disposition_header(as_attachment=True, filename=name)
    answer["Content-Disposition"] = str(disposition)
    answer["Cache-Control"] = "private, no-store"
    return answer
