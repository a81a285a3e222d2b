"""Why a conversation wants a look, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.staff.facts import source_of
from chat.staff.models import Review
from chat.staff.queues import LONG_TURNS


def why(review: Review) -> list[str]:
    """Doubts, failures and length; empty where nothing is special."""
    told = []
    source = source_of(review.kind)
    if review.doubts and source is not None:
        told.append(source.doubted(review.doubts))
    if review.has_failed:
        told.append(_("an answer failed"))
    if review.turns >= LONG_TURNS:
        long = ngettext("long talk, %(n)d turn", "long talk, %(n)d turns", review.turns)
        told.append(long % {"n": review.turns})
    if review.flag_reason:
        told.append(review.flag_reason)
    return told
