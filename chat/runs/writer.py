"""The text of a reply on its way out to the log."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from typing import Final

from redis.exceptions import RedisError

from chat.events.kinds import Cursor, Token
from chat.events.log import append_or_raise

log = logging.getLogger(__name__)

RETRY_S: Final = 0.5  # after Redis failed, so that a dead Redis does not slow the answer


class ReplyWriter:
    """Appends text to the log as it comes, and keeps the whole of it.

    `cursor` is the place of the last stretch in the log. When a stretch could not be logged,
    `has_hole` is set: readers notice by the offsets and take a snapshot. `is_beside` makes it a
    text beside the reply, which is never saved. Nothing is logged while `may_log` says no: the run
    may have been taken away.
    """

    def __init__(
        self,
        session_id: uuid.UUID,
        message_id: uuid.UUID,
        lease: uuid.UUID,
        *,
        may_log: Callable[[], bool] = lambda: True,
        is_beside: bool = False,
    ) -> None:
        self.session_id = session_id
        self._message_id = message_id
        self._lease = lease
        self._may_log = may_log
        self._is_beside = is_beside
        self._stretches: list[str] = []
        self._length = 0
        self._silent_until = 0.0
        self.cursor: Cursor | None = None
        self.has_hole = False

    @property
    def text(self) -> str:
        """All of it so far."""
        return "".join(self._stretches)

    def add(self, delta: str) -> None:
        """Goes on with this."""
        if not delta:
            return
        token = Token(self._message_id, self._length, self._lease, delta, self._is_beside)
        self._stretches.append(delta)
        self._length += len(delta)
        if time.monotonic() < self._silent_until or not self._may_log():
            self.has_hole = True
            return
        try:
            self.cursor = append_or_raise(self.session_id, token)
        except RedisError as error:
            log.warning("text of message %s not logged: %s", self._message_id, error)
            self.has_hole = True
            self._silent_until = time.monotonic() + RETRY_S

    def withdraw(self, instead: str) -> None:
        """Takes back everything and has this in its place; readers are sent to look."""
        self._stretches, self._length = [instead], len(instead)
        self.has_hole = True
