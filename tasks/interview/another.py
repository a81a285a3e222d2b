"""“Ask me something else”: the button that wants another question, as a message of the person."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _

REQUEST: Final = _("Ask me something else")


def is_request(text: str) -> bool:
    """Whether a message is the button's own text, in any language of the interface."""
    wanted = text.strip().casefold().rstrip(".!")
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if wanted == str(REQUEST).casefold():
                return True
    return False
