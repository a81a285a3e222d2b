"""The redaction of a campaign: its names, and what looks like a mail address or a telephone number.

A placeholder is the same wherever the same words stand (a keyed print of them), in every call of
every talk of the campaign. It is put back from what was hidden in the same turn: nothing is kept.
"""

from __future__ import annotations

import base64
import hmac
import re
import uuid
from collections.abc import Sequence
from typing import Final

from django.conf import settings

from tasks.campaigns.models import Campaign

_PRINT_CHARS: Final = 5
_EMAIL: Final = r"(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
# Seven digits or more with the signs people put between them; no code of O*NET (15-2051.00), no
# day (2027-03-01), no span of years (2019-2023).
_PHONE: Final = (
    r"(?P<phone>(?<![\w.,/-])(?!\d{2}-\d{4}\.\d{2}\b)(?!\d{4}-\d{2}-\d{2}\b)"
    r"(?!(?:19|20)\d{2} ?[-–/] ?(?:19|20)\d{2}\b)"
    r"(?:\+|\(|\b)\d(?:[ ()./–-]{0,3}\d){6,14}(?![\w/-]|[.,]\d))"
)
_PLACED: Final = re.compile(
    rf"\[?\b((?:person|email|phone)-[a-z2-7]{{{_PRINT_CHARS},}})\b\]?", re.IGNORECASE
)


class Mask:
    """Hides names, addresses and numbers of one campaign; see `futura.llm.redaction.Redaction`."""

    note = (
        "Some words were replaced to protect people: [person-…], [email-…], [phone-…] stand for"
        " names, mail addresses and telephone numbers. Where you need one, copy it exactly, with"
        " its brackets. Never ask what it stands for."
    )

    def __init__(self, place: str, names: Sequence[str]) -> None:
        """`place` keeps the placeholders of campaigns apart."""
        self._key = hmac.digest(settings.SECRET_KEY.encode(), place.encode(), "sha256")
        self._words: dict[str, str] = {}
        self._pattern = re.compile("|".join([_EMAIL, _PHONE, *_names(names)]), re.IGNORECASE)

    def hide(self, text: str) -> str:
        return self._pattern.sub(self._placed, text)

    def _placed(self, match: re.Match[str]) -> str:
        kind, words = match.lastgroup or "person", match.group()
        if kind == "phone" and sum(sign.isdigit() for sign in words) < 7:
            return words
        text = " ".join(words.casefold().split())
        details = hmac.digest(self._key, f"{kind} {text}".encode(), "sha256")
        name = f"{kind}-{base64.b32encode(details).decode().lower()[:_PRINT_CHARS]}"
        if self._words.get(name, "").islower() or name not in self._words:
            self._words[name] = words  # as it was written first, better with its capitals
        return f"[{name}]"

    def show(self, text: str) -> str:
        """The text with the words that stood there; what it never hid stays as it is."""
        return _PLACED.sub(
            lambda match: self._words.get(match.group(1).lower(), match.group()), text
        )


def _names(names: Sequence[str]) -> list[str]:
    """The names as one group, the longest first, as whole words with any blanks between."""
    parts = [
        r"\s+".join(re.escape(word) for word in name.split())
        for name in sorted(names, key=len, reverse=True)
        if name.strip()
    ]
    return [rf"(?P<person>(?<!\w)(?:{'|'.join(parts)})(?!\w))"] if parts else []


def mask_of(session_id: uuid.UUID) -> Mask | None:
    """The mask of the campaign a talk belongs to, when that masks: one query."""
    masking = Campaign.objects.filter(responses=session_id, masks=True)
    campaign = masking.only("known_names").first()
    return Mask(str(campaign.pk), campaign.known_names) if campaign else None
