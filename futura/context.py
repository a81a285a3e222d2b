"""What every template may use."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from futura.llm.stages import is_configured


def site(_request: HttpRequest) -> dict[str, Any]:
    """The site's address and whether a model is configured."""
    return {
        "site_url": settings.SITE_URL,
        "model_configured": is_configured(),
    }
