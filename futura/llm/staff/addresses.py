"""Addresses of the ledger pages: the filters of the present one, with something changed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import date

from django.http import QueryDict
from django.urls import reverse

from futura.llm.staff.queries import Grouping

# which field of the address a line's key goes into; a day is a stretch of one day
_FIELD_OF: Mapping[str, str] = {
    Grouping.STAGE: "stage",
    Grouping.MODEL: "model",
    Grouping.SESSION: "session",
}


def changed(query: QueryDict, changes: Mapping[str, str | None]) -> str:
    """The address's query with some fields set, or taken out (None); starts with `?`."""
    kept = query.copy()
    kept.pop("page", None)
    for name, value in changes.items():
        if value:
            kept[name] = value
        else:
            kept.pop(name, None)
    return f"?{kept.urlencode()}"


def calls_of_line(query: QueryDict, grouping: str, key: str | date | uuid.UUID | None) -> str:
    """The list of the calls behind one line; empty for calls outside of conversations."""
    if key is None:
        return ""
    if isinstance(key, date):
        day = key.isoformat()
        changes: dict[str, str | None] = {"since": day, "until": day, "month": None, "span": None}
    else:
        changes = {_FIELD_OF[grouping]: str(key)}
    return reverse("ledger:calls") + changed(query, {**changes, "by": None, "sort": None})
