"""What time it is for the concierge: now, except where an evaluation says otherwise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.utils import timezone

_AT: Final[ContextVar[dt.datetime | None]] = ContextVar("concierge_clock", default=None)


def now() -> dt.datetime:
    """The moment, aware."""
    return _AT.get() or timezone.now()


@contextmanager
def standing_at(moment: dt.datetime) -> Iterator[None]:
    """Lets the clock stand still, in this thread."""
    token = _AT.set(moment)
    try:
        yield
    finally:
        _AT.reset(token)
