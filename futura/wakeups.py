"""How a worker takes what only wakes it; loaded by workers alone."""

from __future__ import annotations

from celery.worker.request import Request


class UnnotedRequest(Request):
    """A message of a queue without acknowledgements."""

    def acknowledge(self) -> None:
        """Says nothing to the broker, which has forgotten the message."""
        self.acknowledged = True
