"""What the updating conversation says when it is not telling from the ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.guides import GuideEvent, Part
from projects.agent.create.questions import varied
from projects.agent.toolbox import Picture
from projects.agent.update.state import OpenQuestion
from projects.language import answers, replies
from projects.models import Task

OPENINGS: Final = (
    gettext_lazy(
        "What is new with **%(name)s**? Tell me what changed and I will carry it through."
    ),
    gettext_lazy(
        "**%(name)s**: what has changed? Say it in your own words, I take care of the rest."
    ),
    gettext_lazy("What shall be different in **%(name)s**? Dates, tasks, decisions: just tell me."),
)
MORE: Final = (
    gettext_lazy("Anything else that changed?"),
    gettext_lazy("What else is new?"),
    gettext_lazy("Is there more to change?"),
)
NOTHING: Final = (
    gettext_lazy(
        "I did not find a change in that. You can say things like “push the launch to Q3”, “add a "
        "task to call the printer by Friday”, or “we decided to drop the newsletter”."
    ),
    gettext_lazy(
        "What should be different then? For example: “move the test to next Friday”, “the copy is "
        "done”, or “rename the project to …”."
    ),
)


GO_ON: Final = (
    gettext_lazy("Go ahead: what is it?"),
    gettext_lazy("I am listening. What shall be different?"),
)
CLOSING: Final = (
    gettext_lazy("Good. Come back whenever something changes."),
    gettext_lazy("All right. What was changed stands under Changes, and can be undone there."),
)
LISTED: Final = 8


def opening(name: str, seed: str, waiting: int = 0) -> str:
    """The first word of a conversation; `waiting` changes were put before the person already."""
    if waiting:
        words = ngettext(
            "I have put %(n)d change to **%(name)s** before you: it waits under Changes until you "
            "approve it. Tell me if it should be different, or what else is new.",
            "I have put %(n)d changes to **%(name)s** before you: they wait under Changes until "
            "you approve them. Tell me if one should be different, or what else is new.",
            waiting,
        )
        return words % {"n": waiting, "name": name or _("your project")}
    return varied(OPENINGS, seed) % {"name": name or _("your project")}


def nothing_found(text: str, picture: Picture, seed: str) -> str:
    """The answer to a message that changes nothing: courtesy, a question, or not understood."""
    if answers.is_closing(text):
        return varied(CLOSING, seed)
    if replies.is_yes(text):
        return varied(GO_ON, seed)
    if text.rstrip().endswith("?"):
        return standing(picture)
    return varied(NOTHING, seed)


def standing(picture: Picture) -> str:
    """How the project stands, which is all that can be said to a question by rules."""
    row = picture.row
    still_open = [
        one for one in picture.tasks if not isinstance(one, Task) or one.status in Task.ACTIVE
    ]
    done = len(picture.tasks) - len(still_open)
    parts = [_("Without a model I can only say how it stands.")]
    if row.end_date:
        parts.append(_("It ends on %(day)s.") % {"day": formats.date_format(row.end_date, "j F Y")})
    if done:
        parts.append(ngettext("%(n)d task is done.", "%(n)d tasks are done.", done) % {"n": done})
    if not still_open:
        return " ".join([*parts, _("No task is open.")])
    lines = [f"- {one.title}{_due(one.due_date)}" for one in still_open[:LISTED]]
    if len(still_open) > LISTED:
        lines.append(_("- and %(n)d more") % {"n": len(still_open) - LISTED})
    return "\n".join([" ".join([*parts, _("Open:")]), "", *lines])


def _due(day: dt.date | None) -> str:
    return _(", due %(day)s") % {"day": formats.date_format(day, "j F Y")} if day else ""


def offered_replies(question: OpenQuestion) -> Iterator[GuideEvent]:
    """Buttons under a question: yes and no, or the ways that it names."""
    labels = {one.label: one.label for one in question.options}
    if question.kind == "shift" or len(labels) == 1:
        labels = {_("Yes"): _("Yes.")}
    elif question.kind != "choose":
        return
    taps = labels | {_("No, leave it"): _("No, leave it as it is.")}
    offers = [{"text": text, "say": said, "href": ""} for text, said in taps.items()]
    yield Part({"type": "offers", "quiet": True, "kind": "reply", "offers": offers})


def closing_line(seed: str) -> str:
    """Asks for more."""
    return varied(MORE, seed)
