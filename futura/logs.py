"""What is kept out of the log."""

from __future__ import annotations

import logging


class NotReadiness(logging.Filter):
    """Drops Django's error line for each "not ready yet" of /readyz; its answer says enough."""

    def filter(self, record: logging.LogRecord) -> bool:
        """False for a record about a request of /readyz."""
        request = getattr(record, "request", None)
        return getattr(request, "path", "") != "/readyz"
