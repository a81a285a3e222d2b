"""How conversations about an entry look: sources, pictures, questions, next steps."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.assistant import cards
from chat.events.kinds import Reference
from chat.models import Message, Session
from chat.operations import diff, words
from chat.operations.presenter import ChangingPresenter
from chat.operations.registry import operable
from chat.presenters import Rendered
from projects.portfolio.builder import briefing, drafting, quick
from projects.portfolio.builder.starting import entry_of
from projects.portfolio.builder.state import KIND
from projects.portfolio.entries.preview import fragments
from projects.portfolio.models import Entry

MESSAGE_CHARS: Final = 20_000
_TEMPLATES: Final = "projects/portfolio/builder"


class BuilderPresenter(ChangingPresenter):
    """Beside the thread stand what was changed, and a preview."""

    kind = KIND
    message_chars = MESSAGE_CHARS
    event_kinds = frozenset({"operations", KIND})
    state_event = KIND
    composer_label = _("Tell about your work")
    composer_placeholder = _("Tell, correct, or say what to change")
    name = _("Portfolio entry")

    def page_url(self, session: Session) -> str:
        """The page of the entry with its conversation."""
        entry = entry_of(session)
        if entry is None:
            return reverse("builder:gone", args=[session.pk])
        return workspace_url(entry)

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """Sources of sentences, questions and the ledger's line; calls of tools are hidden."""
        context = {"part": part, "session": session, "message": message}
        match part.get("type"):
            case "drafting" if message.status == Message.Status.STREAMING:
                if any(one.get("draft") for one in message.parts):
                    return None
                entry = entry_of(session)
                context["standing"] = drafting.standing_text(entry, part) if entry else ""
                return Rendered(f"{_TEMPLATES}/_drafting.html", context)
            case "sourced":
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
        """The same in words, for exports."""
        match part.get("type"):
            case "operations":
                return cards.in_words(part)
            case "sourced":
                return "\n".join(
                    f"- {one.get('text', '')} ({one.get('label') or one.get('quote', '')})"
                    for one in part.get("sentences", ())
                )
            case "clarify":
                return "\n".join(f"- {one}" for one in part.get("alternatives", ()))
        return ""

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        """What an event changes on the open page."""
        return self.snapshot(session=session, view=view)

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """Next steps, and what follows the entry: its preview."""
        if view != "chat":
            return ()
        entry = entry_of(session)
        found = [actions_of(session, entry=entry, oob=True)]
        if entry is None:
            return found
        title = Rendered(f"{_TEMPLATES}/_title.html", {"entry": entry})
        return [*found, title, *fragments(entry)]

    def list_notes(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """“Public” or “draft”: two queries."""
        found = Session.objects.filter(pk__in=session_ids, kind=KIND)
        by_entry = {
            str(state.get("entry_id")): pk for pk, state in found.values_list("pk", "state")
        }
        rows = Entry.objects.filter(
            pk__in=[one for one in by_entry if one != "None"], deleted_at=None
        )
        return {
            by_entry[str(pk)]: gettext("public") if status == "published" else gettext("draft")
            for pk, status in rows.values_list("pk", "status")
        }

    def deletion(self, session: Session) -> str:
        """Deleting a conversation leaves its entry."""
        return gettext("The entry stays, with its history.")

    def records(self, session: Session) -> Mapping[str, Any]:
        """The entry as programs get it beside the past of a conversation."""
        entry = entry_of(session)
        if entry is None:
            return {}
        return {
            "id": str(entry.pk), "title": entry.title, "type": entry.entry_type,
            "location": entry.location, "status": entry.status, "phase": session.state.get("phase"),
            "extractedData": session.state.get("told", {}), "summary": entry.summary,
            "records": briefing.entry_text(entry),
        }  # fmt: skip


def _draft(part: Mapping[str, Any], session: Session) -> dict[str, Any]:
    """A draft as a comparison, and what of it waits."""
    draft = part.get("draft")
    if not draft:
        return {}
    texts = [
        {"label": words.label(operable("portfolio_entry"), one["field"]),
         "sides": diff.sides(one["before"], one["after"])}
        for one in draft["texts"]
    ]  # fmt: skip
    return {"texts": texts, "batch": draft["batch"],
            "waiting": cards.waiting_in(draft["batch"], session)}  # fmt: skip


def workspace_url(entry: Entry) -> str:
    """The page of an entry with its conversation."""
    return reverse("entries:workspace", args=[entry.portfolio_id, entry.pk])


def actions_of(session: Session, *, entry: Entry | None = None, oob: bool = False) -> Rendered:
    """The chips below the conversation, from the database as it stands."""
    found = entry or entry_of(session)
    chips = quick.actions_for(session, found) if found else []
    return Rendered(f"{_TEMPLATES}/_actions.html", {"chips": chips, "session": session, "oob": oob})
