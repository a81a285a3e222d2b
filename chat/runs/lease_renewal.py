"""One thread per worker process: renews leases, hears who shall stop; how the process ends."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, connection
from redis.exceptions import RedisError

from chat.events.log import redis
from chat.runs.lease import STOP_CHANNEL
from futura.llm.client import CancelToken

log = logging.getLogger(__name__)

BEAT_S: Final = 3.0
LISTEN_S: Final = 1.0
LONGEST_PAUSE_S: Final = 15.0
FRESH_S: Final = 13.0
"""Less than the reaper's patience (`chat.runs.sweep.SILENT_FOR`): so long a lease holds for sure
after it was renewed, whatever became of this process meanwhile."""

# a row that somebody else has locked is left for the next time: it must not hold up the others
_RENEW: Final = """
UPDATE chat_run SET heartbeat_at = statement_timestamp()
WHERE id IN (
    SELECT id FROM chat_run WHERE lease = ANY(%s) AND status = 'running' FOR UPDATE SKIP LOCKED
)
RETURNING lease, stop_requested_at IS NOT NULL
"""
_STILL_HELD: Final = "SELECT lease FROM chat_run WHERE lease = ANY(%s) AND status = 'running'"


class Hold:
    """One run in this worker's hands, from before its claim to after its end."""

    def __init__(self, run_id: uuid.UUID, lease: uuid.UUID, cancel: CancelToken) -> None:
        self.run_id = run_id
        self.lease = lease
        self.cancel = cancel
        self.is_claimed = False
        self.is_handed_over = False  # given up because this worker ends, by nobody's wish
        self._renewed_at = 0.0

    @property
    def is_fresh(self) -> bool:
        """Whether nobody can have taken the run away yet; False long after a stall."""
        return time.monotonic() < self._renewed_at + FRESH_S

    def renewed(self, since: float) -> None:
        """Notes a renewal that was sent at `since` (monotonic) and came through."""
        self._renewed_at = max(self._renewed_at, since)
        self.is_claimed = True


class _Watch:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holds: dict[uuid.UUID, Hold] = {}
        self._thread: threading.Thread | None = None
        self._beat_at = 0.0
        self._busy = threading.Event()  # there are runs
        self._pause_s = 0.0  # before the next try; more than nothing while Redis is away

    def add(self, hold: Hold) -> None:
        with self._lock:
            if not self._holds:
                self._beat_at = time.monotonic() + BEAT_S
            self._holds[hold.lease] = hold
            self._busy.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
                self._thread.start()

    def remove(self, hold: Hold) -> None:
        with self._lock:
            self._holds.pop(hold.lease, None)
            if not self._holds:
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
                message: Any = channel.get_message(timeout=LISTEN_S)
                if message:
                    self._stop(str(message["data"]))
                self._beat_when_due()

    def _stop(self, run_id: str) -> None:
        for hold in self._all():
            if str(hold.run_id) == run_id:
                hold.cancel.cancel()

    def hand_over(self) -> int:
        given_up = [hold for hold in self._all() if hold.is_claimed and not hold.cancel.cancelled]
        for hold in given_up:
            hold.is_handed_over = True
            hold.cancel.cancel()
        return len(given_up)

    def _all(self) -> list[Hold]:
        with self._lock:
            return list(self._holds.values())

    def _beat_when_due(self) -> None:
        claimed = [hold for hold in self._all() if hold.is_claimed]
        if claimed and time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + BEAT_S
            try:
                _beat(claimed)
            except (DatabaseError, InterfaceError) as error:
                log.warning("heartbeats not written: %s", error)
            finally:
                connection.close()


def _beat(holds: Sequence[Hold]) -> None:
    since = time.monotonic()
    leases = [hold.lease for hold in holds]
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [leases])
        renewed: dict[uuid.UUID, bool] = dict(cursor.fetchall())
        missing = [lease for lease in leases if lease not in renewed]
        if missing:
            cursor.execute(_STILL_HELD, [missing])
            locked = {lease for (lease,) in cursor.fetchall()}
            missing = [lease for lease in missing if lease not in locked]
    for hold in holds:
        if hold.lease in renewed:
            hold.renewed(since)
        if renewed.get(hold.lease) or hold.lease in missing:
            hold.cancel.cancel()


_watch = _Watch()


def hand_over() -> int:
    """Breaks off every run of this process, to be gone on with elsewhere; how many."""
    return _watch.hand_over()


@contextmanager
def watched(run_id: uuid.UUID, lease: uuid.UUID, cancel: CancelToken) -> Iterator[Hold]:
    """While inside, a stop reaches `cancel`, and once claimed the run's heart beats.

    Enter it before the claim: then no stop falls between the two.
    """
    hold = Hold(run_id, lease, cancel)
    _watch.add(hold)
    try:
        yield hold
    finally:
        _watch.remove(hold)


_ending: Final = threading.Event()
_timers: Final[list[threading.Timer]] = []


def is_ending() -> bool:
    """Whether this process takes no new runs any more."""
    return _ending.is_set()


def begin(grace_s: float) -> None:
    """From now on nothing new; what still runs after `grace_s` is broken off.

    A run that is broken off keeps its text and is marked interrupted, with Continue. Quick, and
    safe in a signal handler; the process ends by itself once its runs are over.
    """
    if _ending.is_set():
        return
    _ending.set()
    timer = threading.Timer(grace_s, _break_off)
    timer.daemon = True
    _timers.append(timer)
    timer.start()


def call_off() -> None:
    """Takes new runs again, as if nobody had asked: for a process that goes on."""
    while _timers:
        _timers.pop().cancel()
    _ending.clear()


def _break_off() -> None:
    count = hand_over()
    if count:
        log.warning("%d answers were broken off: this worker had to end", count)
