"""What basic mode asks and shows next: questions about areas not yet touched, cards to tap."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from futura.text import content_overlap, content_stems, jaccard
from onet.candidates import Candidate
from onet.groups import ActivityGroup, group_of
from tasks.interview import phrases
from tasks.interview.areas import (
    ANYTHING_ELSE,
    AREAS,
    GENERAL_CARDS,
    GENERAL_GAPS,
    HANDS_ON_CARDS,
    Area,
)
from tasks.interview.cards import CARDS, numbered
from tasks.interview.gaps import Question, Reference, is_repeat
from tasks.interview.guards import Situation
from tasks.interview.phrases import pick
from tasks.interview.reply import question_in
from tasks.interview.state import LEVELS, Card, Level, SurveyState, Tool

ENOUGH: Final = 3
"""So few cards are still worth a display."""

LONGEST_WORDS: Final = 20
SHORTEST_WORDS: Final = 6
"""A long statement is cut at a comma between these; else it is no card."""

ALIKE: Final = 0.5
"""Overlap of content stems from which a card says what was shown or said before."""

_NEED: Final[dict[Level, float]] = {"none": 1.7, "low": 1.35, "medium": 1.0, "high": 0.8}
_GENERAL_WEIGHT: Final = 3.0
_YES_OR_NO: Final = re.compile(r"^(?:do|does|is|are|have|did)\b", re.IGNORECASE)


def question_for(tool: Tool, s: Situation, reference: Reference, *, seed: str) -> Question | None:
    """The question that a tool puts; None where it has none left, or needs none."""
    if tool is Tool.CUSTOM or (tool is Tool.ENCOURAGE and s.state.new_card_ids):
        question = gap_question(s.state, reference, seed=seed)
        return question or (anything_else(s.state, seed=seed) if tool is Tool.ENCOURAGE else None)
    if tool is Tool.ENCOURAGE:
        return anything_else(s.state, seed=seed)
    if tool is Tool.FOLLOW_UP and s.detail is not None:
        topic = s.detail.text
        wordings = [pick(phrases.FOLLOW_UP, s.state, seed), *map(str, phrases.FOLLOW_UP)]
        filled = [words.format(topic=topic) for words in wordings]
        return _first_unasked(filled, f"detail {topic}", s.state)
    if tool is Tool.SUGGEST:
        return _first_unasked([str(words) for words in phrases.SUGGEST], "", s.state)
    if tool is Tool.OFFER:
        fresh = _first_unasked([str(words) for words in phrases.OFFER], "", s.state)
        return fresh or Question(str(phrases.OFFER_PLAIN))
    return None


def _first_unasked(wordings: Sequence[str], area: str, state: SurveyState) -> Question | None:
    for text in wordings:
        if not is_repeat(question_in(text), area, state.asked):
            return Question(text, area)
    return None


# Questions about areas ---------------------------------------------------------------------------
def gap_question(state: SurveyState, reference: Reference, *, seed: str) -> Question | None:
    """The question about the most wanted area that was neither asked nor spoken about."""
    for area in _by_need(state, reference):
        question = _worded(area, state, reference, seed)
        if question is not None:
            return question
    return None


def anything_else(state: SurveyState, *, seed: str) -> Question | None:
    """A question for more that names no area, never twice the same."""
    first, *rest = ANYTHING_ELSE
    random.Random(seed + "more").shuffle(rest)  # noqa: S311
    for key, words in [first, *rest]:
        question = Question(str(words), f"more {key}")
        if not is_repeat(question.text, question.area, state.asked):
            return question
    return None


def _by_need(state: SurveyState, reference: Reference) -> list[Area]:
    """Areas worth asking about, most wanted first; those already spoken about come last."""
    weights = _weights(state, reference)
    said = frozenset().union(*(content_stems(text) for text in state.said))
    elements = {i for m in state.mentioned_activities for i in m.activity_ids[:1]}
    fresh: list[tuple[float, int, Area]] = []
    stale: list[Area] = []
    for order, area in enumerate(AREAS):
        if not weights.get(area.id):
            continue
        if area.topics & said or (area.element and area.element in elements):
            stale += [area] if area.is_general else []
        else:
            level: Level = state.gwa_coverage[area.group] if area.group else "medium"
            fresh.append((-weights[area.id] * _NEED[level], order, area))
    return [area for *_, area in sorted(fresh)] + stale


def _weights(state: SurveyState, reference: Reference) -> dict[str, float]:
    """Area id → how much the reference and general experience speak for asking."""
    weights = {area.id: 0.4 for area in AREAS if area.is_general}
    for place, key in enumerate(GENERAL_GAPS):
        weights[key] = _GENERAL_WEIGHT - place / 10
    by_element: dict[str, float] = defaultdict(float)
    for statement in reference.statements:
        if any(covers(said, statement.text) for said in state.said):
            continue
        for element in statement.activity_ids:
            by_element[element] += (statement.importance or 3.0) / len(statement.activity_ids)
    for area in AREAS:
        if by_element.get(area.element):
            weights[area.id] = weights.get(area.id, 0.0) + by_element[area.element]
    return weights


def covers(said: str, statement: str) -> bool:
    """Whether what was said already stands for the statement."""
    left, right = content_stems(said), content_stems(statement)
    return bool(left) and (jaccard(left, right) >= 0.4 or (len(left) >= 2 and left <= right))


def _worded(area: Area, state: SurveyState, reference: Reference, seed: str) -> Question | None:
    names = {area.id, str(area.label).casefold()}
    if any(earlier.area.casefold() in names for earlier in state.asked):
        return None
    wordings = list(area.wordings)
    random.Random(f"{seed}{area.id}").shuffle(wordings)  # noqa: S311
    audience = audience_of(state, reference)
    for words in wordings:
        text = str(words).format(audience=audience)
        if not is_repeat(text, "", state.asked):
            pending = (area.yes_means,) if _YES_OR_NO.match(text) else ()
            return Question(text, area.id, pending)
    return None


_AUDIENCES: Final = (
    "patients", "students", "pupils", "children", "residents", "passengers", "guests", "tenants",
    "clients", "customers", "visitors", "members", "families", "patrons", "buyers", "users",
)  # fmt: skip


def audience_of(state: SurveyState, reference: Reference) -> str:
    """Whom this job is done for: "patients", "students", else "the public"."""
    named = Counter(_plurals(state.said))
    named = named or Counter(_plurals(s.text for s in reference.statements))
    return named.most_common(1)[0][0] if named else "the public"


def _plurals(texts: Iterable[str]) -> list[str]:
    stems = [content_stems(text) for text in texts]
    return [
        audience for stem in stems for audience in _AUDIENCES if content_stems(audience) <= stem
    ]


# Cards ----------------------------------------------------------------------------------------
def cards_for(
    state: SurveyState, reference: Reference, *, seed: str, count: int = CARDS
) -> list[Card]:
    """Up to `count` cards from the occupation's statements, filled up with general ones."""
    catalogue = [card for s in reference.for_cards if (card := _card_of(s)) is not None]
    general = list(GENERAL_CARDS)
    random.Random(seed).shuffle(general)  # noqa: S311
    parts: list[list[Card]] = []
    for cards in (catalogue, _general(general), _general(HANDS_ON_CARDS)):
        parts.append(_fresh(cards, state, [card for part in parts for card in part]))
    return numbered(_spread(parts, state, count), state)


def has_cards_left(state: SurveyState, reference: Reference) -> bool:
    """Whether a display would still show enough that is new."""
    return len(cards_for(state, reference, seed="")) >= ENOUGH


def _card_of(statement: Candidate) -> Card | None:
    text = _shortened(statement.text)
    groups = Counter(group_of(element) for element in statement.activity_ids)
    group = groups.most_common(1)[0][0] if groups else ActivityGroup.WORK_OUTPUT
    return Card(id="", statement=text, group=group, task_id=statement.task_id) if text else None


def _shortened(statement: str) -> str:
    """The statement in at most 20 words, cut at a comma if need be; empty where it has none."""
    words = statement.strip().rstrip(".").split()
    if len(words) <= LONGEST_WORDS:
        return " ".join(words)
    ends = [at for at in range(SHORTEST_WORDS, LONGEST_WORDS + 1) if words[at - 1][-1] in ",;"]
    return " ".join(words[: ends[-1]]).rstrip(",;") if ends else ""


def _general(pairs: Iterable[tuple[str, ActivityGroup]]) -> list[Card]:
    return [Card(id="", statement=text, group=group) for text, group in pairs]


def _fresh(cards: Iterable[Card], state: SurveyState, beside: Sequence[Card]) -> list[Card]:
    """Those that were neither shown nor said nor are `beside`, without doubles among themselves."""
    shown = [*state.shown_suggestion_statements, *(card.statement for card in beside)]
    said = [m.text for m in state.mentioned_activities]
    fresh: list[Card] = []
    for card in cards:
        text = card.statement
        if any(_alike(text, other) for other in shown) or any(covers(it, text) for it in said):
            continue
        fresh.append(card)
        shown.append(text)
    return fresh


def _alike(left: str, right: str) -> bool:
    return left.lower() == right.lower() or content_overlap(left, right) >= ALIKE


def _spread(parts: Sequence[list[Card]], state: SurveyState, count: int) -> list[Card]:
    """Rounds over the groups, least covered first; a part begins when the one before is used up."""
    order = sorted(ActivityGroup, key=lambda group: LEVELS.index(state.gwa_coverage[group]))
    chosen: list[Card] = []
    for part in parts:
        waiting = {group: [card for card in part if card.group == group] for group in order}
        while len(chosen) < count and any(waiting.values()):
            for group in order:
                if waiting[group] and len(chosen) < count:
                    chosen.append(waiting[group].pop(0))
    return chosen
