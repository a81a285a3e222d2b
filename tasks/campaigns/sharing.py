"""What invites people: codes that nobody guesses, the address, its picture, codes as a table."""

from __future__ import annotations

import io
import secrets
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlencode

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from futura.text import latin_slug
from tasks.campaigns.models import Campaign, Invitation
from tasks.export import lines

_QUIET: Final = 4  # modules of white around a code, as the standard asks


def address_of(campaign: Campaign, root: str, code: str = "") -> str:
    """The link to share; `root` is scheme and host, without a slash at its end."""
    path = reverse("s:welcome", args=[campaign.slug])
    return f"{root}{path}?{urlencode({'code': code})}" if code else f"{root}{path}"


def qr_svg(address: str) -> bytes:
    """A QR code of an address as an SVG file, black on white in any theme."""
    out = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(out, kind="svg", border=_QUIET, scale=8, dark="#000", light="#fff", xmldecl=True)
    return out.getvalue()


def table_of(invitations: Iterable[Invitation], campaign: Campaign, root: str) -> Iterator[str]:
    """The codes as lines of CSV with a head, one after the other."""
    yield lines([[_("Code"), _("Link"), _("Label"), _("Participants"), _("Used"), _("Revoked")]])
    for invitation in invitations:
        revoked = invitation.revoked_at
        cells = [
            invitation.code,
            address_of(campaign, root, invitation.code),
            invitation.label,
            "" if invitation.max_uses is None else invitation.max_uses,
            invitation.uses,
            revoked.isoformat(timespec="seconds") if revoked else "",
        ]
        yield lines([cells])


# Codes ------------------------------------------------------------------------------------------
# without 0 and O, 1 and I and L, which people mistake for one another
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_CHARS: Final = 10
SLUG_CHARS: Final = 8


def new_code() -> str:
    """Ten signs, 49 bits: 7KQ4M-X2WPD."""
    signs = _signs(CODE_CHARS)
    return f"{signs[:5]}-{signs[5:]}"


def new_slug(title: str) -> str:
    """The words of a title, and an end that nobody guesses (39 bits)."""
    words = latin_slug(title)[:40].strip("-")
    end = _signs(SLUG_CHARS).lower()
    return f"{words}-{end}" if words else end


def _signs(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


def read_code(typed: str) -> str:
    """A code as it is stored, however it was typed; empty for what can be none."""
    signs = "".join(sign for sign in typed.upper() if sign.isalnum())
    if len(signs) != CODE_CHARS or set(signs) - set(ALPHABET):
        return ""
    return f"{signs[:5]}-{signs[5:]}"
