"""What every page may show of the catalogue: its name for the attribution in the footer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from onet import queries as onet


def catalogue(_request: HttpRequest) -> dict[str, Any]:
    """The active catalogue, read only where a template asks for it."""
    return {"catalogue": SimpleLazyObject(onet.catalogue)}
