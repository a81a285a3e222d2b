"""Work that is handed to another thread: it speaks and counts days as whoever hands it over."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from django.utils import timezone, translation

T = TypeVar("T")


def carried(work: Callable[..., T]) -> Callable[..., T]:
    """The same work with the context variables, the language and the time zone of this moment.

    Language and zone by themselves: Django's are bound to the thread they were set in, and a copy
    of the context does not take them along.
    """
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def at_home(*args: object) -> T:
        with translation.override(language), timezone.override(zone):
            return work(*args)

    return partial(copy_context().run, at_home)
