"""Runs a turn's independent model calls at the same time, so that no answer waits for another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Self, TypeVar

from django.db import connections

from futura.errors import ModelUnavailable

T = TypeVar("T")


class Parallel:
    """Model calls in threads of their own; a context that is left only when all have ended."""

    def __init__(self, threads: int = 3) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="survey-turn")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def start(self, call: Callable[[], T]) -> Callable[[], T | ModelUnavailable]:
        """Begins a call; what is given back waits for its answer, or for the reason why the model
        gave none. Cancelled is raised there.
        """

        def attempted() -> T | ModelUnavailable:
            try:
                return call()
            except ModelUnavailable as error:
                return error
            finally:
                connections.close_all()

        # in a copy of this context, so that its log lines and spans belong to the turn
        return self._pool.submit(copy_context().run, attempted).result
