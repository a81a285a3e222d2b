"""How conversations about an entry look: sources, pictures, questions, next steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from chat.assistant import cards
from chat.events.kinds import Reference
from chat.models import Message, Session
from chat.operations import labels
from chat.operations.cards import sides
from chat.operations.registry import operable
from chat.operations.rendering import ChangingPresenter
from chat.presenters import Rendered
from projects.portfolio import blocks, queries
from projects.portfolio.builder import drafting
from projects.portfolio.builder.context import BuilderState, entry_of, entry_text
from projects.portfolio.entries import limits
from projects.portfolio.entries.publishing import check, preview_of
from projects.portfolio.models import Entry

MESSAGE_CHARS: Final = 20_000
_TEMPLATES: Final = "projects/portfolio/builder"
_MISSING: Final = "projects/portfolio/entries/_missing.html"
_PREVIEW: Final = "projects/portfolio/entries/_preview.html"


class BuilderPresenter(ChangingPresenter):
    """Beside the thread stand what was changed, and a preview."""

    kind = queries.BUILDER
    message_chars = MESSAGE_CHARS
    event_kinds = frozenset({"operations", queries.BUILDER})
    state_event = queries.BUILDER
    composer_label = _("Describe your work")
    composer_placeholder = _("Describe, correct or request a change")
    name = _("Portfolio entry")

    def page_url(self, session: Session) -> str:
        entry = entry_of(session)
        return entry.url() if entry else reverse("builder:gone", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """Sources of sentences, questions and the ledger's line; calls of tools are hidden."""
        context = {"part": part, "session": session, "message": message}
        match part.get("type"):
            case "drafting" if message.status == Message.Status.STREAMING:
                if any(part.get("draft") for part in message.parts):
                    return None
                entry = entry_of(session)
                context["standing"] = drafting.standing_text(entry, part) if entry else ""
                return Rendered(f"{_TEMPLATES}/_drafting.html", context)
            case "sourced":
                sentences = part.get("sentences", ())
                context["unsupported"] = sum(not item.get("is_supported") for item in sentences)
                return Rendered(f"{_TEMPLATES}/_sourced.html", context | _draft(part, session))
            case "images":
                there = [part["portfolio"], part["entry"]]
                context["upload_url"] = reverse("entries:upload", args=there)
                context["back_url"] = reverse("entries:workspace", args=there)
                return Rendered(f"{_TEMPLATES}/_images.html", context)
            case "clarify":
                return Rendered(f"{_TEMPLATES}/_clarify.html", context)
            case "operations":
                return cards.line(part, session)
        return None

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        match part.get("type"):
            case "operations":
                return cards.in_words(part)
            case "sourced":
                return "\n".join(
                    f"- {item.get('text', '')} ({item.get('label') or item.get('quote', '')})"
                    for item in part.get("sentences", ())
                )
            case "clarify":
                return "\n".join(f"- {item}" for item in part.get("alternatives", ()))
        return ""

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        return self.snapshot(session=session, view=view)

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """Next steps, and what follows the entry: its title, how much is missing, its preview."""
        if view != "chat":
            return ()
        entry = entry_of(session)
        steps = {"chips": actions_for(session, entry) if entry else [], "session": session}
        changing = [Rendered(f"{_TEMPLATES}/_actions.html", {**steps, "oob": True})]
        if entry is not None:
            preview = preview_of(entry)
            changing += [
                Rendered(f"{_TEMPLATES}/_title.html", {"entry": entry}),
                Rendered(_MISSING, {"failed": preview["failed"], "oob": True}),
                Rendered(_PREVIEW, {"entry": entry, "preview": preview, "oob": True}),
            ]
        return changing

    def records(self, session: Session) -> Mapping[str, Any]:
        """The entry as programs get it beside the past of a conversation."""
        entry = entry_of(session)
        if entry is None:
            return {}
        return {
            "id": str(entry.pk), "title": entry.title, "type": entry.entry_type,
            "location": entry.location, "status": entry.status, "phase": session.state.get("phase"),
            "extractedData": session.state.get("told", {}), "summary": entry.summary,
            "records": entry_text(entry),
        }  # fmt: skip


def _draft(part: Mapping[str, Any], session: Session) -> dict[str, Any]:
    draft = part.get("draft")
    if not draft:
        return {}
    texts = [
        {"label": labels.label(operable("portfolio_entry"), item["field"]),
         "sides": sides(item["before"], item["after"])}
        for item in draft["texts"]
    ]  # fmt: skip
    return {"texts": texts, "batch": draft["batch"],
            "waiting": cards.waiting_in(draft["batch"], session)}  # fmt: skip


# Next steps -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Action:
    """A chip: what stands on it, and what tapping it says, or where it leads."""

    key: str
    label: str
    says: str = ""
    is_main: bool = False
    href: str = ""


def actions_for(session: Session, entry: Entry) -> list[Action]:
    """At most four next steps, the most useful first. About eight queries."""
    state = BuilderState.model_validate(session.state)
    steps = [*_pictures(entry, state), *_end(entry)]
    if state.open:
        skip = Action("skip", gettext("Skip this question"), gettext("Skip this question."))
        steps.insert(0, skip)
    elif entry.blocks:
        steps.insert(0, Action("more", gettext("Ask me more"), gettext("Ask me more.")))
    rank = {key: at for at, key in enumerate(state.hinted)}
    steps.sort(key=lambda step: rank.get(step.key, len(rank)))
    return steps[:4]


def _pictures(entry: Entry, state: BuilderState) -> list[Action]:
    images = queries.images_of(entry)
    is_told = blocks.word_count(entry.blocks) >= limits.LEAST_WORDS
    if not images and (is_told or not state.open):
        return [Action("pictures", gettext("Add pictures"), gettext("I want to add pictures."))]
    if any(not image.alt for image in images):
        return [Action("words", gettext("Describe the pictures"), href=entry.url("pictures"))]
    return []


def _end(entry: Entry) -> list[Action]:
    details = Action("details", gettext("Details"), href=entry.url("details"))
    if not entry.blocks or entry.status == Entry.Status.PUBLISHED:
        return [details]
    if check(entry):
        return [Action("check", gettext("What is missing?"), gettext("What is missing?")), details]
    publish = entry.url("publish")
    return [Action("publish", gettext("Publish"), is_main=True, href=publish), details]
