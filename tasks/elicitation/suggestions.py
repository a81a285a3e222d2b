"""Cards to tap: five likely tasks that were neither said nor shown, thin groups first."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import Final

from chat.guides import Utterance
from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from futura.text import content_overlap, content_stems
from onet.classify import groups_of
from onet.groups import ActivityGroup
from tasks.elicitation.gaps import Reference, covers
from tasks.elicitation.prompts import SuggestedTasks, SuggestionInput, suggestion_messages
from tasks.elicitation.state import LEVELS, Card, SurveyState

CARDS: Final = 5
"""Cards in one display (spec 1, suggestion generation)."""

ENOUGH: Final = 3
"""So few are still worth a display."""

LONGEST_WORDS: Final = 20
ALIKE: Final = 0.5
"""Overlap of content stems from which a card says what was shown or said before."""

_INFO, _MIND, _OUTPUT, _PEOPLE = ActivityGroup

GENERAL_CARDS: Final = (
    ("Look up regulations, prices or instructions before starting", _INFO),
    ("Read incoming messages and pick out what needs action", _INFO),
    ("Check finished work for mistakes", _INFO),
    ("Gather numbers for a regular overview", _INFO),
    ("Follow news and changes in the field", _INFO),
    ("Ask customers what they need", _INFO),
    ("Plan the coming week", _MIND),
    ("Decide what is urgent and what can wait", _MIND),
    ("Find the cause of recurring faults", _MIND),
    ("Compare offers and choose between them", _MIND),
    ("Estimate how long a job will take", _MIND),
    ("Think up better ways to do routine jobs", _MIND),
    ("Set targets and review whether they were met", _MIND),
    ("Draw up rotas or timetables", _MIND),
    ("Write reports on what was done", _OUTPUT),
    ("Enter details into a database", _OUTPUT),
    ("Prepare presentations or handouts", _OUTPUT),
    ("Draft letters and contracts", _OUTPUT),
    ("Train newcomers in daily routines", _PEOPLE),
    ("Hand over to the next shift or a stand-in", _PEOPLE),
    ("Answer questions by phone", _PEOPLE),
    ("Calm down people who complain", _PEOPLE),
    ("Agree deadlines with other departments", _PEOPLE),
    ("Advise colleagues on tricky cases", _PEOPLE),
    ("Order supplies and keep to the budget", _PEOPLE),
    ("File forms, receipts and expense claims", _PEOPLE),
)
"""Our own cards for any job, where the catalogue offers nothing."""

HANDS_ON_CARDS: Final = (
    ("Keep an eye on stock and reorder in time", _INFO),
    ("Inspect tools or rooms for damage", _INFO),
    ("Set up equipment before use", _OUTPUT),
    ("Clean and put away materials", _OUTPUT),
    ("Carry out small repairs", _OUTPUT),
    ("Pack and send out deliveries", _OUTPUT),
)
"""The same for jobs with things to handle; they come last."""


def suggest_by_rules(
    state: SurveyState, reference: Reference, *, seed: str, count: int = CARDS
) -> list[Card]:
    """Up to `count` cards from the occupation's statements, filled up with general ones."""
    pool = [(shortened(s.text), _group(s.text, s.groups)) for s in reference.for_cards]
    general = list(GENERAL_CARDS)
    random.Random(seed).shuffle(general)  # noqa: S311
    parts: list[list[Pair]] = []
    for pairs in (pool, general, list(HANDS_ON_CARDS)):
        parts.append(_fresh(pairs, state, [pair for part in parts for pair in part]))
    return _numbered(_spread(parts, state, count), state)


def suggest_with_model(
    state: SurveyState, reference: Reference, *, history: Sequence[Utterance], seed: str, llm: Llm
) -> list[Card]:
    """The model's cards, filled up by rules where it repeats what was said or shown.

    Raises ModelUnavailable, also when none of them can be used.
    """
    answer = llm.structured(
        "suggestions",
        suggestion_messages(SuggestionInput(state=state, history=history, count=CARDS)),
        SuggestedTasks,
        prompt_version=SuggestedTasks.VERSION,
    )
    offered = [
        (shortened(task.statement), ActivityGroup(task.gwa_category))
        for task in answer.suggestions
        if _is_statement(task.statement)
    ]
    chosen = _spread([_fresh(offered, state)], state, CARDS)
    if not chosen:
        raise ModelUnavailable("No card can be used.", reason="unusable_suggestions")
    missing = CARDS - len(chosen)
    if missing:
        filler = suggest_by_rules(state, reference, seed=seed, count=CARDS * 2)
        others = [(card.statement, card.group) for card in filler]
        chosen += [pair for pair in others if not any(alike(pair[0], text) for text, _ in chosen)][
            :missing
        ]
    return _numbered(chosen, state)


def has_cards_left(state: SurveyState, reference: Reference) -> bool:
    """Whether a display would still show enough that is new."""
    return len(suggest_by_rules(state, reference, seed="")) >= ENOUGH


def alike(left: str, right: str) -> bool:
    """Whether two cards say the same thing."""
    return left.lower() == right.lower() or content_overlap(left, right) >= ALIKE


def shortened(statement: str) -> str:
    """The statement in at most 20 words, cut at a comma or before a joining word if possible."""
    text = re.sub(r"\s+", " ", statement).strip().rstrip(".")
    words = text.split(" ")
    if len(words) <= LONGEST_WORDS:
        return text
    words = words[:LONGEST_WORDS]
    for at in range(len(words) - 1, 6, -1):
        if words[at - 1].endswith((",", ";")) or words[at].lower() in _JOINS:
            words = words[:at]
            break
    while words[-1].lower().strip(",;") in _WEAK:
        words.pop()
    return " ".join(words).rstrip(",; ")


_JOINS: Final = frozenset("and or by to for using such so that which when while if".split())
_WEAK: Final = frozenset("and or the a an of to for in on by with as such from at using".split())


def _is_statement(text: str) -> bool:
    return len(content_stems(text)) >= 2 and len(text) <= 300 and "<" not in text


def _group(text: str, groups: Sequence[ActivityGroup]) -> ActivityGroup:
    """One group for a card: the rules' first guess where the catalogue agrees."""
    guessed = [group for group in groups_of(text) if not groups or group in groups]
    return (guessed or list(groups) or [ActivityGroup.WORK_OUTPUT])[0]


Pair = tuple[str, ActivityGroup]


def _fresh(pairs: Iterable[Pair], state: SurveyState, beside: Sequence[Pair] = ()) -> list[Pair]:
    """Those that were neither shown nor said nor are `beside`, without doubles among themselves."""
    shown = [*state.shown_suggestion_statements, *(text for text, _ in beside)]
    said = [m.text for m in state.mentioned_activities]
    fresh: list[Pair] = []
    for text, group in pairs:
        seen = any(alike(text, other) for other in (*shown, *(t for t, _ in fresh)))
        if not seen and not any(covers(words, text) for words in said):
            fresh.append((text, group))
    return fresh


def _spread(parts: Sequence[list[Pair]], state: SurveyState, count: int) -> list[Pair]:
    """Rounds over the groups, least covered first; a part begins when the one before is used up."""
    order = sorted(ActivityGroup, key=lambda group: LEVELS.index(state.gwa_coverage[group]))
    chosen: list[Pair] = []
    for part in parts:
        waiting = {group: [pair for pair in part if pair[1] == group] for group in order}
        while len(chosen) < count and any(waiting.values()):
            for group in order:
                if waiting[group] and len(chosen) < count:
                    chosen.append(waiting[group].pop(0))
    return chosen


def _numbered(pairs: Sequence[Pair], state: SurveyState) -> list[Card]:
    display = state.suggestions_shown + 1
    return [
        Card(id=f"card-{display}-{number}", statement=text, group=group, display=display)
        for number, (text, group) in enumerate(pairs, 1)
    ]
