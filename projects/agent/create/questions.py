"""The questions of a creating conversation: which dimension is next, and in which words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from futura.text import content_stems
from projects.agent.create.state import CreateState
from projects.dimensions import DIMENSIONS, FIELDS

Words = str | Promise
QUESTIONS: Final[Mapping[str, Sequence[Words]]] = {
    "core_integrity_ideals": (
        _("When this has gone well, what will you be able to point at?"),
        _("What has to be true before you would call it done?"),
        _("Is there a standard you would not give up here, even under pressure?"),
        _("What does success look like for you, as concretely as you can put it?"),
    ),
    "core_people_bonds": (
        _("Who is in this with you, and who else should hear how it goes?"),
        _("Whose help, or whose yes, does it take?"),
        _("Are you on your own with this, or is anybody else involved?"),
        _("Who will notice first when it goes well, or badly?"),
    ),
    "core_goals_momentum": (
        _("By when should it be there, and what comes before that?"),
        _("Which dates or milestones are fixed already?"),
        _("What would a first stage be, and when could it be reached?"),
        _("How far along do you want to be in a month or two?"),
    ),
    "core_meaning_identity": (
        _("What makes this worth your time?"),
        _("Why this, and why you?"),
        _("What sets it apart from what is there already?"),
        _("If you told a friend about it, what would you be proud of?"),
    ),
    "core_reality_understanding": (
        _("How do things stand today, before any of this?"),
        _("What is the problem, as it shows itself now?"),
        _("What is there already, and what stands in the way?"),
        _("Which limits do you have to live with?"),
    ),
    "core_trust_safeguards": (
        _("What could go wrong here, and what would you do then?"),
        _("Which part of it makes you a little nervous?"),
        _("If one thing fails, which one had better not be it?"),
        _("Where would you want a plan B?"),
    ),
    "core_opportunity_freedom": (
        _("Which other ways of doing it have you thought of?"),
        _("What would you like to try out before you settle?"),
        _("Where are you still free to choose?"),
        _("Is there a smaller or bolder version worth considering?"),
    ),
    "core_power_resources": (
        _("What do you have to work with: money, time, tools, hands?"),
        _("Is there a budget, or a number of hours a week?"),
        _("What is still missing that you would have to get?"),
        _("Which skills and tools are at hand?"),
    ),
    "core_harmony_integration": (
        _("How will you see that it is moving along?"),
        _("How does it fit with everything else you have going on?"),
        _("Whose feedback would you want along the way, and how often?"),
        _("How will you keep track of it from week to week?"),
    ),
}
PROBES: Final[Mapping[str, Sequence[Words]]] = {
    "core_integrity_ideals": (
        _("Could you put a number or a picture on that?"),
        _("How would somebody else see that it is so?"),
    ),
    "core_people_bonds": (
        _("Could you name one or two of them, or say what they do?"),
        _("Who would that be, for instance?"),
    ),
    "core_goals_momentum": (
        _("Roughly which month are you thinking of?"),
        _("Is there any date at all that you could hold on to?"),
    ),
    "": (
        _("Could you give me one example?"),
        _("Can you make that a little more concrete?"),
        _("What would that be, for instance?"),
    ),
}
_ORDER: Final = tuple(
    sorted(FIELDS, key=lambda field: not DIMENSIONS[FIELDS.index(field)].is_always_asked)
)


def order_of(fields: Sequence[str], scores: Mapping[str, int]) -> list[str]:
    """Relevant dimensions as they are asked about: the three forced ones, then by relevance."""
    forced = [
        field
        for field in ("core_integrity_ideals", "core_reality_understanding", "core_goals_momentum")
        if field in fields
    ]
    rest = [field for field in _ORDER if field in fields and field not in forced]
    return [*forced, *sorted(rest, key=lambda field: -scores.get(field, 0))]


def next_field(state: CreateState, covered: Sequence[str]) -> str:
    """The dimension to ask about now; empty when enough was asked, or everything is told.

    What the person asked for comes first and is not limited.
    """
    if state.wanted:
        return state.wanted[0]
    if state.questions_asked >= state.question_limit:
        return ""
    done = {*covered, *state.later, *(one.field for one in state.asked)}
    return next((field for field in state.dimensions_detected if field not in done), "")


def question(field: str, state: CreateState, seed: str, about: str = "") -> str:
    """Words for a question about a dimension, other ones than before.

    `about` is what the person wanted to be asked about: words that speak of it come first.
    """
    said = {one.text for one in state.asked}
    named = content_stems(" ".join([about, *(_ALIKE[word] for word in words_of(about, _ALIKE))]))
    near = [one for one in QUESTIONS[field] if named & content_stems(str(one))]
    fresh = [one for one in near if str(one) not in said]
    return _picked(fresh or QUESTIONS[field], state, seed)


_ALIKE: Final = {
    "money": "budget money", "cost": "budget money", "costs": "budget money",
    "price": "budget money", "budget": "budget money", "time": "hours time week",
    "deadline": "when date by", "deadlines": "dates", "date": "dates", "risk": "wrong nervous",
    "risks": "wrong nervous", "team": "with you who", "people": "with you who",
}  # fmt: skip


def words_of(text: str, known: Mapping[str, str]) -> list[str]:
    """The words of a text that are known."""
    return [word for one in text.lower().split() if (word := one.strip(".,!?")) in known]


def probe(field: str, state: CreateState, seed: str) -> str:
    """Words that ask for something more definite."""
    return _picked(PROBES.get(field, PROBES[""]), state, seed)


def varied(choices: Sequence[Words], seed: str) -> str:
    """One of several wordings, always the same for a seed.

    With a seed `name:turn` each turn has the wording after that of the turn before.
    """
    name, colon, turn = seed.rpartition(":")
    is_turn = bool(colon) and turn.isdigit()
    first = hashlib.sha256((name if is_turn else seed).encode()).digest()[0]
    return str(choices[(first + (int(turn) if is_turn else 0)) % len(choices)])


def _picked(choices: Sequence[Words], state: CreateState, seed: str) -> str:
    said = {one.text for one in state.asked}
    fresh = [one for one in choices if str(one) not in said]
    return varied(fresh or choices, f"{seed} {len(state.asked)}")
