"""What the updating conversation says when it is not telling from the ledger."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.agent.create.questions import varied

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


def opening(name: str, seed: str) -> str:
    """The first word of a conversation."""
    return varied(OPENINGS, seed) % {"name": name or _("your project")}


def closing_line(seed: str) -> str:
    """Asks for more."""
    return varied(MORE, seed)
