"""The text of a reply on its way out: the first stretch at once, then in stretches of 40 ms."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Final

from redis.exceptions import RedisError

from chat.events.kinds import Cursor, Token
from chat.events.log import append_all, append_or_raise

log = logging.getLogger(__name__)

COALESCE_S: Final = 0.04
RETRY_S: Final = 0.5  # after Redis failed, so that a dead Redis does not slow the answer


class ReplyWriter:
    """Collects text and appends it to the log; safe to flush from any thread.

    `cursor` is the place of the last stretch in the log. When a stretch could not be logged,
    `has_hole` is set: readers notice by the offsets and take a snapshot. `said` is what a reply
    that goes on has said already. `is_beside` makes it a text beside the reply, which is never
    saved. Nothing is logged while `may_log` says no: the run may have been
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
        is_beside: bool = False,
    ) -> None:
        self.session_id = session_id
        self._message_id = message_id
        self._lease = lease
        self._may_log = may_log
        self._is_beside = is_beside
        self.in_order = threading.Lock()  # whoever appends holds it
        self._done: list[str] = [said]
        self._done_chars = self._begun_at = len(said)
        self._pending: deque[str] = deque()
        self._silent_until = 0.0
        self.cursor: Cursor | None = None
        self.has_hole = False

    def add(self, delta: str) -> None:
        self._pending.append(delta)
        if self._done_chars == self._begun_at:
            self.flush()
        else:
            _flusher.soon(self)

    def withdraw(self, instead: str) -> None:
        """Takes back everything and has this in its place; readers are sent to look."""
        with self.in_order:
            self._pending.clear()
            self._done, self._done_chars = [instead], len(instead)
            self.has_hole = True

    def flush(self) -> None:
        """Appends what is pending, in one stretch."""
        with self.in_order:
            token = self.take()
            if token is not None:
                self.note(_append(self.session_id, token))

    def take(self) -> Token | None:
        """Under `in_order`: what is pending, as it goes to the log; it counts as said now."""
        parts = []
        while self._pending:
            parts.append(self._pending.popleft())
        text = "".join(parts)
        if not text:
            return None
        token = Token(self._message_id, self._done_chars, self._lease, text, self._is_beside)
        self._done.append(text)
        self._done_chars += len(text)
        if time.monotonic() < self._silent_until or not self._may_log():
            self.has_hole = True
            return None
        return token

    def note(self, placed: Cursor | RedisError) -> None:
        """Under `in_order`: where it came to stand, or why it did not."""
        if isinstance(placed, Cursor):
            self.cursor = placed
            return
        log.warning("text of message %s not logged: %s", self._message_id, placed)
        self.has_hole = True
        self._silent_until = time.monotonic() + RETRY_S

    def taken(self) -> tuple[str, str]:
        """Flushes; the whole text so far, and the cursor that it reaches (or empty)."""
        self.flush()
        with self.in_order:
            return "".join(self._done), str(self.cursor or "")


def _flush_all(writers: Iterable[ReplyWriter]) -> set[ReplyWriter]:
    """Flushes many in one round trip; those that somebody else is flushing are left over."""
    busy: set[ReplyWriter] = set()
    with ExitStack() as held:
        taken: list[tuple[ReplyWriter, Token]] = []
        for writer in writers:
            if not writer.in_order.acquire(blocking=False):
                busy.add(writer)
                continue
            held.callback(writer.in_order.release)
            token = writer.take()
            if token is not None:
                taken.append((writer, token))
        placed = append_all([(writer.session_id, token) for writer, token in taken])
        for (writer, _token), place in zip(taken, placed, strict=True):
            writer.note(place)
    return busy


def _append(session_id: uuid.UUID, token: Token) -> Cursor | RedisError:
    try:
        return append_or_raise(session_id, token)
    except RedisError as error:
        return error


class _Flusher:
    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: set[ReplyWriter] = set()
        self._thread: threading.Thread | None = None

    def soon(self, writer: ReplyWriter) -> None:
        if writer in self._waiting:
            return  # taken out before it is flushed, so that this text goes with it
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
            for writer in _flush_all(writers):
                self.soon(writer)


_flusher = _Flusher()
