"""One thread per worker process: renews the heartbeats of its runs and hears who shall stop."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import DatabaseError, connection
from django.utils import timezone
from redis.exceptions import RedisError

from chat.events.connection import redis
from chat.models import Run
from chat.wake import STOP_CHANNEL
from futura.llm.client import CancelToken

log = logging.getLogger(__name__)

BEAT_S: Final = 3.0
LISTEN_S: Final = 1.0
LONGEST_PAUSE_S: Final = 15.0


class _Watch:
    """The runs of this process by id, each with its lease and the switch that ends it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[uuid.UUID, tuple[uuid.UUID, CancelToken]] = {}
        self._thread: threading.Thread | None = None
        self._beat_at = 0.0
        self._busy = threading.Event()  # there are runs
        self._pause_s = 0.0  # before the next try; more than nothing while Redis is away

    def add(self, run_id: uuid.UUID, lease: uuid.UUID, cancel: CancelToken) -> None:
        with self._lock:
            if not self._runs:
                self._beat_at = time.monotonic() + BEAT_S
            self._runs[run_id] = (lease, cancel)
            self._busy.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
                self._thread.start()

    def remove(self, run_id: uuid.UUID) -> None:
        with self._lock:
            self._runs.pop(run_id, None)
            if not self._runs:
                self._busy.clear()

    def _work(self) -> None:
        while True:
            try:
                self._listen()
            except (RedisError, OSError) as error:
                self._outlast(error)

    def _outlast(self, error: Exception) -> None:
        """Waits longer from try to try, without a word while there is no run to be stopped."""
        if not self._busy.is_set():
            self._busy.wait()
            return
        if not self._pause_s:
            log.warning("not listening for stops until Redis is back: %s", error)
        self._pause_s = min(LONGEST_PAUSE_S, self._pause_s * 2 or LISTEN_S)
        again_at = time.monotonic() + self._pause_s
        while time.monotonic() < again_at:
            time.sleep(LISTEN_S)
            self._beat_when_due()

    def _listen(self) -> None:
        with redis().pubsub(  # type: ignore[no-untyped-call]
            ignore_subscribe_messages=True
        ) as channel:
            channel.subscribe(STOP_CHANNEL)
            if self._pause_s:
                self._pause_s = 0.0
                log.info("listening for stops again")
            while True:
                heard: Any = channel.get_message(timeout=LISTEN_S)
                if heard:
                    self._stop(str(heard["data"]))
                self._beat_when_due()

    def _stop(self, run_id: str) -> None:
        try:
            _lease, cancel = self._runs[uuid.UUID(run_id)]
        except (ValueError, KeyError):
            return  # another process has it
        cancel.cancel()

    def _beat_when_due(self) -> None:
        with self._lock:
            runs = dict(self._runs)
        if runs and time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + BEAT_S
            try:
                _beat(runs)
            except DatabaseError as error:
                log.warning("heartbeats not written: %s", error)
            finally:
                connection.close()


def _beat(runs: dict[uuid.UUID, tuple[uuid.UUID, CancelToken]]) -> None:
    """Renews what is still held; cancels what was taken away or asked to stop."""
    held = Run.objects.filter(
        pk__in=runs,
        lease__in=[lease for lease, _cancel in runs.values()],
        status=Run.Status.RUNNING,
    )
    held.update(heartbeat_at=timezone.now())
    wanted = dict(held.values_list("pk", "stop_requested_at"))
    for run_id, (_lease, cancel) in runs.items():
        if run_id not in wanted or wanted[run_id] is not None:
            cancel.cancel()


_watch = _Watch()


@contextmanager
def watched(run_id: uuid.UUID, lease: uuid.UUID, cancel: CancelToken) -> Iterator[None]:
    """While inside, the run's heart beats and a stop reaches `cancel`."""
    _watch.add(run_id, lease, cancel)
    try:
        yield
    finally:
        _watch.remove(run_id)
