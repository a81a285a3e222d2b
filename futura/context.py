"""What every template may use."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(_request: HttpRequest) -> dict[str, Any]:
    """The site's address and whether a model is configured."""
    return {
        "site_url": settings.SITE_URL,
        "model_configured": bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL),
    }
