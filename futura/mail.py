"""Whether the mails of this site reach anybody."""

from __future__ import annotations

from typing import Final

from django.conf import settings

_LOG: Final = "django.core.mail.backends.console.EmailBackend"


def is_sent() -> bool:
    """Whether there is a mail server; without one mails end in the site's log, unread."""
    return settings.EMAIL_BACKEND != _LOG
