"""Parts that an answer keeps beside its text: links to opened conversations, suggestions, ticks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.guides import Part
from projects.concierge.basic.shapes import Pending
from projects.concierge.commands import Opened
from projects.concierge.greeting import Suggestion


def opened(acts: Sequence[Any]) -> list[Part]:
    """A link for each conversation that a turn opened, once."""
    links = {one.url: one for one in acts if isinstance(one, Opened)}
    return [
        Part({"type": "opened", "quiet": True, "kind": one.kind, "url": url, "title": one.title})
        for url, one in links.items()
    ]


def asked(pending: Pending) -> Part:
    """How a question can be answered by hand: boxes to tick, or a yes and a no."""
    if pending.kind == "tick":
        rows = [{"id": str(one.id), "label": one.label} for one in pending.options]
        return Part(
            {"type": "ticks", "quiet": True, "key": pending.key, "rows": rows,
             "is_ticked": pending.is_ticked}
        )  # fmt: skip
    return yes_or_no()


def yes_or_no() -> Part:
    """Buttons under a question."""
    no = Suggestion(_("No, leave it"), say=_("No, leave it as it is."))
    return suggested([Suggestion(_("Yes"), say=_("Yes.")), no], "reply")


def suggested(suggestions: Sequence[Suggestion], kind: str) -> Part:
    """Numbered suggestions: `greeting`, or `near` for “did you mean”."""
    return Part(
        {
            "type": "offers",
            "quiet": True,
            "kind": kind,
            "offers": [{"text": one.text, "say": one.say, "href": one.href} for one in suggestions],
        }
    )
