"""The thresholds of a creating conversation, and what basic mode says: questions, what it took."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from futura.text import quoted, sentences
from projects.dimensions import BY_FIELD, DIMENSIONS, FIELDS
from projects.modes.basic import Tap
from projects.modes.create.reading import Extract
from projects.modes.state import CreateState

LISTENED_CHARS: Final = 200
RELEVANT_FROM: Final = 6  # of 10
SIMPLE_AT_MOST: Final = 4  # relevant dimensions
QUESTIONS_SIMPLE: Final = 5
QUESTIONS_COMPLEX: Final = 10
FINISH_HINT_FROM: Final = 5  # questions
FORCED: Final = ("core_integrity_ideals", "core_reality_understanding", "core_goals_momentum")


def is_only_a_start(text: str) -> bool:
    """Less than two sentences and 200 characters (DECISIONS 26)."""
    return len(text) < LISTENED_CHARS and len(list(sentences(text))) < 2


def relevant(scores: Mapping[str, int]) -> list[str]:
    """Dimensions from the threshold on, after the three forced ones, in the order of asking."""
    others = [dimension.field for dimension in DIMENSIONS if dimension.field not in FORCED]
    others = [field for field in others if scores.get(field, 0) >= RELEVANT_FROM]
    return [*FORCED, *sorted(others, key=lambda field: -scores.get(field, 0))]


EVERYTHING: Final = relevant(dict.fromkeys(FIELDS, RELEVANT_FROM))
"""What is asked about where nothing tells how much a dimension matters."""


def has_room(state: CreateState) -> bool:
    """Whether another question may be put without being asked for."""
    is_simple = len(state.dimensions_detected) <= SIMPLE_AT_MOST
    return state.questions_asked < (QUESTIONS_SIMPLE if is_simple else QUESTIONS_COMPLEX)


def open_fields(state: CreateState, covered: Sequence[str]) -> list[str]:
    """Dimensions to ask about now, the next one first; none when enough was asked or told.

    What the person asked for comes first and is not limited.
    """
    if state.requested:
        return state.requested[:1]
    done = {*covered, *state.later, *(question.field for question in state.asked)}
    fields = [field for field in state.dimensions_detected if field not in done]
    return fields if has_room(state) else []


def may_probe(state: CreateState) -> bool:
    probed = {question.field for question in state.asked if question.is_probe}
    return bool(state.current) and state.current not in probed and has_room(state)


QUESTIONS: Final[Mapping[str, Sequence[str | Promise]]] = {
    "core_integrity_ideals": (
        _("When this has gone well, what will you be able to show?"),
        _("What has to be true before you would call it done?"),
        _("What does success look like for you, as concretely as you can put it?"),
    ),
    "core_people_bonds": (
        _("Who works on this with you, and who should be kept informed?"),
        _("Whose help or approval do you need?"),
        _("Are you on your own with this, or is anybody else involved?"),
    ),
    "core_goals_momentum": (
        _("When should it be done, and what has to happen before?"),
        _("Which dates or milestones are fixed already?"),
        _("What would be a first milestone, and when could you reach it?"),
    ),
    "core_meaning_identity": (
        _("What makes this worth your time?"),
        _("Why this project, and why you?"),
        _("How does it differ from what already exists?"),
    ),
    "core_reality_understanding": (
        _("What is the situation today?"),
        _("What exists already, and what is in the way?"),
        _("Which constraints do you have to accept?"),
    ),
    "core_trust_safeguards": (
        _("What could go wrong here, and what would you do then?"),
        _("Which single part must not fail?"),
        _("Where would you want a plan B?"),
    ),
    "core_opportunity_freedom": (
        _("Which other ways of doing it have you thought of?"),
        _("Which decisions are still open?"),
        _("Is there a smaller or bolder version worth considering?"),
    ),
    "core_power_resources": (
        _("What do you have available: money, time, tools, people?"),
        _("Is there a budget, or a number of hours a week?"),
        _("What do you still need to get?"),
    ),
    "core_harmony_integration": (
        _("How will you see that it makes progress?"),
        _("How does it fit with everything else you do?"),
        _("Whose feedback would you want along the way, and how often?"),
    ),
}


def question(field: str, earlier: Sequence[str], seed: str) -> str:
    """Words for a question about a dimension, other ones than those `asked` before."""
    fresh = [words for words in QUESTIONS[field] if str(words) not in earlier] or QUESTIONS[field]
    return str(fresh[hashlib.sha256(seed.encode()).digest()[0] % len(fresh)])


def taken(extract: Extract) -> str:
    """Where basic mode has put what was written: “Added to “Goals and momentum”. 2 to-dos …”."""
    parts = []
    if names := ", ".join(quoted(BY_FIELD[field].name) for field in extract.dimensions):
        parts.append(gettext("Added to %(names)s.") % {"names": names})
    elif extract.parts:
        parts.append(gettext("Added to the context, word for word."))
    if n := len(extract.tasks):
        phrase = ngettext("%(n)d to-do is on the list.", "%(n)d to-dos are on the list.", n)
        parts.append(phrase % {"n": n})
    return " ".join(parts)


def choices(number: int) -> dict[str, Any]:
    """The buttons under the question of that number; the fifth says that this may be enough."""
    buttons = [[Tap.LATER, gettext("Later")], [Tap.FINISH, gettext("Review the draft")]]
    return {"type": "choices", "quiet": True, "number": number, "buttons": buttons,
            "has_hint": number == FINISH_HINT_FROM}  # fmt: skip
