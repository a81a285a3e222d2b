"""What the creating conversation says: the model's words as they come, else plain sentences."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.assistant.delimiter import delimiter_of
from chat.guides import GuideEvent, StageDone, StageStarted, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.client import ChatMessage
from futura.text import quoted
from projects.dimensions import BY_FIELD
from projects.modes.basic import Tap
from projects.modes.create import prompts
from projects.modes.create.guards import Wordings, varied
from projects.modes.create.reading import Extract

STAGE: Final = "agent_response"
_WORDINGS: Final[Mapping[str, Wordings]] = {
    "opening": (
        gettext_lazy(
            "What are you working on? Tell me everything you have in mind, in any order. I "
            "take notes first and ask questions afterwards."
        ),
        gettext_lazy(
            "What would you like to achieve? Half sentences are fine. I take notes first and "
            "ask questions afterwards."
        ),
    ),
    "more": (
        gettext_lazy("Got it. Tell me everything else you have in mind for it."),
        gettext_lazy("Noted. Please continue, in any order."),
    ),
    "thanks": (
        gettext_lazy("Noted."),
        gettext_lazy("Good, that is in the draft."),
        gettext_lazy("All right."),
    ),
    "later": (
        gettext_lazy("That is fine, it can be decided later."),
        gettext_lazy("That is fine. I leave it open."),
    ),
    "ready": (
        gettext_lazy("Please review the draft. Should I create the project like this?"),
        gettext_lazy("Here is the draft. Should I create the project?"),
    ),
}


def words(step: str, seed: str) -> str:
    """One of the wordings of a step: `opening`, `more`, `thanks`, `later` or `ready`."""
    return varied(_WORDINGS[step], seed)


def opening(seed: str, name: str = "") -> str:
    """The first word of a conversation; `name` is that of a draft that is filled already."""
    if not name:
        return words("opening", seed)
    return _(
        "I have put what is known about **%(name)s** into a draft. Tell me what you want to "
        "achieve, in any order. I take notes first and ask questions afterwards."
    ) % {"name": name}


def unread() -> str:
    """Says that a message changed nothing at the last look, and what does."""
    return _(
        "Nothing was created or changed. Use the button when the draft is ready, edit the "
        "draft in its form, or add to-dos as lines that begin with a dash."
    )


def taken(extract: Extract) -> str:
    """Where basic mode has put what was written: “Kept under “Goals and momentum”. 2 tasks …”."""
    parts = []
    if names := ", ".join(quoted(BY_FIELD[field].name) for field in extract.dimensions):
        parts.append(_("Added to %(names)s.") % {"names": names})
    elif extract.parts:
        parts.append(_("Added to the context, word for word."))
    if n := len(extract.tasks):
        phrase = ngettext("%(n)d to-do is on the list.", "%(n)d to-dos are on the list.", n)
        parts.append(phrase % {"n": n})
    return " ".join(parts)


def created(name: str) -> str:
    """Says that the project is there, and how it goes on."""
    there = _("The project **%(name)s** is created.") % {"name": name}
    return "\n\n".join([there, _("Tell me here when something changes.")])


def choices(number: int, *, has_hint: bool) -> dict[str, Any]:
    """The buttons under the question of that number; `has_hint` says that this may be enough."""
    buttons = [[Tap.LATER, str(_("Later"))], [Tap.FINISH, str(_("Review the draft"))]]
    return {"type": "choices", "quiet": True, "number": number, "buttons": buttons,
            "has_hint": has_hint}  # fmt: skip


def written(
    turn: Turn[Any], step: prompts.Step, fallback: str, records: prompts.Texts, *, may_stop: bool
) -> Generator[GuideEvent, None, str]:
    """The reply as the model writes it; `fallback` where it fails before the first word.

    Raises ModelUnavailable when it breaks off later, Cancelled when the person stops it.
    """
    yield StageStarted(STAGE, _("Writing"))
    past: Sequence[ChatMessage] = [
        {"role": one.role, "content": one.text[:2_000]} for one in turn.history if one.text
    ]
    messages = prompts.reply_messages(step, records, past, delimiter_of(turn), may_stop=may_stop)
    text = ""
    try:
        for delta in turn.llm.stream_text(STAGE, messages, prompt_version=prompts.REPLY_VERSION):
            text += delta
            yield Text(delta)
    except ModelUnavailable as error:
        if text:  # what came of the answer is kept; the run says that it broke off
            raise
        yield Text(fallback)
        yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
        return fallback
    yield StageDone(STAGE, "model")
    return text
