"""The parts of the concierge's answers beside their text, and how they look: suggestions, boxes to
tick, changes with undo, links to opened conversations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from chat.assistant import cards
from chat.guides import Part
from chat.models import Message, Session
from chat.operations.rendering import ChangingPresenter
from chat.presenters import Rendered
from projects.concierge.greeting import Suggestion
from projects.concierge.state import KIND, ConciergeState, Pending
from projects.hooks import Opened
from projects.modes.talking import yes_or_no

MESSAGE_CHARS: Final = 50_000


class ConciergePresenter(ChangingPresenter):
    """The thread itself carries what was changed: there is no panel beside it."""

    kind = KIND
    message_chars = MESSAGE_CHARS
    event_kinds = frozenset({"operations", KIND})
    state_event = KIND
    composer_label = gettext_lazy("Ask a question or add a to-do")
    composer_placeholder = gettext_lazy("Ask a question or add a to-do")
    name = gettext_lazy("Assistant")

    def page_url(self, session: Session) -> str:
        return reverse("concierge:talk", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        match part.get("type"):
            case "offers":
                context = {"part": part, "session": session, "message": message}
                return Rendered("projects/concierge/_offers.html", context)
            case "ticks":
                pending = ConciergeState.model_validate(session.state).memory.pending
                is_open = pending is not None and pending.key == part.get("key")
                context = {"part": part, "session": session, "is_open": is_open}
                return Rendered("projects/concierge/_ticks.html", context)
            case "opened":
                return Rendered("projects/concierge/_opened.html", {"part": part})
            case "operations":
                return cards.rendered(part, session)
        return None

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        match part.get("type"):
            case "offers":
                texts = [str(item.get("text", "")) for item in part.get("offers", ())]
                return "\n".join(f"- {text}" for text in texts)
            case "ticks":
                return numbered([str(item.get("label", "")) for item in part.get("rows", ())])
            case "operations":
                return cards.in_words(part)
            case "opened":
                return str(part.get("url", ""))
        return ""


def numbered(texts: Sequence[str]) -> str:
    """Lines that begin with 1., 2., …"""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))


# The parts themselves --------------------------------------------------------------------------
def opened(acts: Sequence[Any]) -> list[Part]:
    """A link for each conversation that a turn opened, once."""
    links = {act.url: act for act in acts if isinstance(act, Opened)}
    return [
        Part(
            {"type": "opened", "quiet": True, "kind": entry.kind, "url": url, "title": entry.title}
        )
        for url, entry in links.items()
    ]


def choices_part(pending: Pending) -> Part:
    """How a question can be answered by hand: boxes to tick, or a yes and a no."""
    if pending.kind == "tick":
        rows = [{"id": str(option.id), "label": option.label} for option in pending.options]
        return Part(
            {"type": "ticks", "quiet": True, "key": pending.key, "rows": rows,
             "is_ticked": pending.is_ticked}
        )  # fmt: skip
    return yes_or_no()


def suggested(suggestions: Sequence[Suggestion], kind: str) -> Part:
    """Numbered suggestions: `greeting`, or `near` for “did you mean”."""
    offers = [asdict(suggestion) for suggestion in suggestions]
    return Part({"type": "offers", "quiet": True, "kind": kind, "offers": offers})
