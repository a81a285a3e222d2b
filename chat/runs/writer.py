"""The text of a reply on its way out: the first stretch at once, then in stretches of 40 ms."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Final

from redis.exceptions import RedisError

from chat.events.kinds import Cursor, Token
from chat.events.log import append_or_raise

log = logging.getLogger(__name__)

COALESCE_S: Final = 0.04
RETRY_S: Final = 0.5  # after Redis failed, so that a dead Redis does not slow the answer


class ReplyWriter:
    """Collects text and appends it to the log; safe to flush from any thread.

    `cursor` is the place of the last stretch in the log. When a stretch could not be logged,
    `has_hole` is set: readers notice by the offsets and take a snapshot. `said` is what a reply
    that goes on has said already. Nothing is logged while `may_log` says no: the run may have been
    taken away.
    """

    def __init__(
        self,
        session_id: uuid.UUID,
        message_id: uuid.UUID,
        lease: uuid.UUID,
        said: str = "",
        *,
        may_log: Callable[[], bool] = lambda: True,
    ) -> None:
        self._session_id = session_id
        self._message_id = message_id
        self._lease = lease
        self._may_log = may_log
        self._lock = threading.Lock()
        self._done: list[str] = [said]
        self._done_chars = self._begun_at = len(said)
        self._pending: list[str] = []
        self._silent_until = 0.0
        self.cursor: Cursor | None = None
        self.has_hole = False

    def add(self, delta: str) -> None:
        """The next stretch of the reply."""
        with self._lock:
            self._pending.append(delta)
            is_first = self._done_chars == self._begun_at
        if is_first:
            self.flush()
        else:
            _flusher.soon(self)

    def flush(self) -> None:
        """Appends what is pending, in one stretch."""
        with self._lock:
            text = "".join(self._pending)
            if not text:
                return
            token = Token(self._message_id, self._done_chars, self._lease, text)
            self._pending.clear()
            self._done.append(text)
            self._done_chars += len(text)
            self._append(token)

    def _append(self, token: Token) -> None:
        if time.monotonic() < self._silent_until or not self._may_log():
            self.has_hole = True
            return
        try:
            self.cursor = append_or_raise(self._session_id, token)
        except RedisError as error:
            log.warning("text of message %s not logged: %s", self._message_id, error)
            self.has_hole = True
            self._silent_until = time.monotonic() + RETRY_S

    def taken(self) -> tuple[str, str]:
        """Flushes; the whole text so far, and the cursor that it reaches (or empty)."""
        self.flush()
        with self._lock:
            return "".join(self._done), str(self.cursor or "")


class _Flusher:
    """One thread per process that flushes the writers with pending text every 40 ms."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: set[ReplyWriter] = set()
        self._thread: threading.Thread | None = None

    def soon(self, writer: ReplyWriter) -> None:
        """Has the writer flushed within 40 ms."""
        with self._condition:
            self._waiting.add(writer)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="flusher", daemon=True)
                self._thread.start()
            self._condition.notify()

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._waiting:
                    self._condition.wait()
            time.sleep(COALESCE_S)
            with self._condition:
                writers, self._waiting = self._waiting, set()
            for writer in writers:
                writer.flush()


_flusher = _Flusher()
