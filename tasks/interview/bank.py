"""What basic mode asks, says and shows: `questions.toml` and its translations, by the estimate."""

from __future__ import annotations

import random
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, Self

from django.utils.text import Truncator
from django.utils.translation import get_language
from pydantic import BaseModel, ConfigDict, model_validator

from futura.text import content_overlap
from onet.candidates import ActivityGroup, Candidate, group_of
from tasks.interview.cards import CARDS, numbered
from tasks.interview.gaps import Question, Reference, is_repeat, unseen
from tasks.interview.guards import Situation
from tasks.interview.reply import question_in
from tasks.interview.state import LEVELS, Card, Level, SurveyState, Tool

ENOUGH: Final = 3
"""So few cards are still worth a display."""

LONGEST_WORDS: Final = 20
SHORTEST_WORDS: Final = 6
"""A long statement is cut at a comma between these; else it is no card."""

ALIKE: Final = 0.5
"""Overlap of content stems from which a card says what was shown or said before."""

TITLE_CHARS: Final = 80

GENERAL_HOURS: Final = 0.4
FIRST_HOURS: Final = 3.0
"""What a general area is worth, and one to ask first, beside unseen statements."""

SPOKEN_OF: Final = 0.25
"""What is left of an area's weight when the person spoke of its activity."""

_NEED: Final[dict[Level, float]] = {"none": 1.7, "low": 1.35, "medium": 1.0, "high": 0.8}

Wording = Literal[
    "opening", "took_one", "took_many", "took_yes", "took_no", "took_vague", "took_bare_yes",
    "tap_cards", "took_known", "took_nothing", "about_us", "suggest", "offer", "offer_plain",
    "proceed", "follow_up", "go_on_plain",
]  # fmt: skip


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Area(_Part):
    """A kind of work in general terms, for one work activity or for none.

    `is_general`: worth asking in any job. A plain yes to a `closed` question is `yes_means`.
    """

    id: str
    element: str = ""
    is_general: bool = False
    open: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    yes_means: str = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not (self.open or self.closed) or bool(self.closed) != bool(self.yes_means):
            raise ValueError(f"area {self.id}: a question, or what a yes means, is missing")
        return self


class Bank(_Part):
    """The file: `general_first` are areas, `more` asks for more without naming an area."""

    general_first: tuple[str, ...]
    wordings: Mapping[Wording, tuple[str, ...]]
    more: Mapping[str, str]
    cards: Mapping[ActivityGroup, tuple[str, ...]]
    hands_on_cards: Mapping[ActivityGroup, tuple[str, ...]]
    area: tuple[Area, ...]


def bank() -> Bank:
    """The texts in the language of the moment; in English where there are none in it."""
    return _read((get_language() or "").partition("-")[0])


@cache
def _read(language: str) -> Bank:
    """The texts in a language, read once. Raises ValidationError when a file is wrong."""
    english = Path(__file__).with_name("questions.toml")
    own = english.with_suffix(f".{language}.toml")
    file = own if own.is_file() else english
    return Bank.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


# Wordings -----------------------------------------------------------------------------------------
def words(name: Wording, state: SurveyState, seed: str) -> str:
    """One wording, not yet used in this conversation while there are unused ones; remembers it."""
    order = list(bank().wordings[name])
    random.Random(seed + order[0]).shuffle(order)  # noqa: S311
    used = state.used_phrases
    chosen = min(order, key=lambda text: (used.count(_key(text)), order.index(text)))
    used.append(_key(chosen))
    return chosen


def opening(state: SurveyState, seed: str) -> str:
    title = Truncator(" ".join(state.job_title.split())).chars(TITLE_CHARS)
    return words("opening", SurveyState(), seed).format(title=title)


def _key(text: str) -> str:
    return text[:24]


# Questions ----------------------------------------------------------------------------------------
def question_for(tool: Tool, s: Situation, reference: Reference, *, seed: str) -> Question | None:
    """The question that a tool puts; None where it has none left, or needs none."""
    state = s.state
    if tool is Tool.CUSTOM:
        return gap_question(state, reference, seed=seed)
    if tool is Tool.ENCOURAGE:
        gap = gap_question(state, reference, seed=seed) if state.new_card_ids else None
        return gap or anything_else(state, seed=seed)
    if tool is Tool.FOLLOW_UP and s.detail is not None:
        topic = s.detail.text
        wordings = [words("follow_up", state, seed), *bank().wordings["follow_up"]]
        about = (Question(text.format(topic=topic), f"detail {topic}") for text in wordings)
        return _first_unasked(about, state)
    if tool is Tool.SUGGEST:
        return _first_unasked(map(Question, bank().wordings["suggest"]), state)
    if tool is Tool.OFFER:
        fresh = _first_unasked(map(Question, bank().wordings["offer"]), state)
        return fresh or Question(bank().wordings["offer_plain"][0])
    return None


def gap_question(state: SurveyState, reference: Reference, *, seed: str) -> Question | None:
    """A question about the area with most unseen work that was not asked about before."""
    return _first_unasked(_of_areas(state, reference, seed), state)


def _of_areas(state: SurveyState, reference: Reference, seed: str) -> Iterator[Question]:
    for area in _by_need(state, reference):
        wordings = [*area.open, *area.closed]
        random.Random(f"{seed}{area.id}").shuffle(wordings)  # noqa: S311
        for text in wordings:
            pending = (area.yes_means,) if text in area.closed else ()
            yield Question(text, area.id, pending, area.element)


def anything_else(state: SurveyState, *, seed: str) -> Question | None:
    """A question for more that names no area, never twice the same."""
    first, *others = bank().more.items()
    random.Random(seed + "more").shuffle(others)  # noqa: S311
    return _first_unasked((Question(text, f"more {key}") for key, text in [first, *others]), state)


def _first_unasked(questions: Iterable[Question], state: SurveyState) -> Question | None:
    """The first that is no near-duplicate of what was asked."""
    for question in questions:
        if not is_repeat(question_in(question.text), question.area, state.asked):
            return question
    return None


def _by_need(state: SurveyState, reference: Reference) -> list[Area]:
    """Areas worth asking about: where most hours are unseen, and kinds of work hardly covered."""
    hours: dict[str, float] = defaultdict(float)
    for statement, weight in unseen(state, reference):
        for element in statement.activity_ids:
            hours[element] += weight / len(statement.activity_ids)
    first = bank().general_first
    spoken_of = {element for m in state.mentioned_activities for element in m.activity_ids[:1]}
    ranked = []
    for order, area in enumerate(bank().area):
        weight = hours.get(area.element, 0.0) + (GENERAL_HOURS if area.is_general else 0.0)
        if area.id in first:
            weight += FIRST_HOURS - first.index(area.id) / 10
        level: Level = state.gwa_coverage[group_of(area.element)] if area.element else "medium"
        weight *= _NEED[level] * (SPOKEN_OF if area.element in spoken_of else 1.0)
        if weight:
            ranked.append((-weight, order, area))
    return [area for *_, area in sorted(ranked, key=lambda entry: entry[:2])]


# Cards --------------------------------------------------------------------------------------------
def cards_for(state: SurveyState, reference: Reference, *, seed: str) -> list[Card]:
    """Up to five cards from the occupation's unseen statements, filled up with general ones."""
    catalogue = [
        card for statement, _hours in unseen(state, reference) if (card := _card_of(statement))
    ]
    general = _general(bank().cards)
    random.Random(seed).shuffle(general)  # noqa: S311
    parts: list[list[Card]] = []
    for cards in (catalogue, general, _general(bank().hands_on_cards)):
        parts.append(_fresh(cards, state, [card for part in parts for card in part]))
    return numbered(_spread(parts, state), state)


def has_cards_left(state: SurveyState, reference: Reference) -> bool:
    """Whether a display would still show enough that is new."""
    return len(cards_for(state, reference, seed="")) >= ENOUGH


def _card_of(statement: Candidate) -> Card | None:
    """The statement in at most 20 words, cut at a comma if need be; None where it has none."""
    parts = statement.text.strip().rstrip(".").split()
    if len(parts) > LONGEST_WORDS:
        ends = [at for at in range(SHORTEST_WORDS, LONGEST_WORDS + 1) if parts[at - 1][-1] in ",;"]
        parts = parts[: max(ends, default=0)]
    text = " ".join(parts).rstrip(",;")
    group = statement.groups[0] if statement.groups else ActivityGroup.WORK_OUTPUT
    return Card(id="", statement=text, group=group, task_id=statement.task_id) if text else None


def _general(texts: Mapping[ActivityGroup, tuple[str, ...]]) -> list[Card]:
    return [
        Card(id="", statement=text, group=group)
        for group, statements in texts.items()
        for text in statements
    ]


def _fresh(cards: Iterable[Card], state: SurveyState, beside: Sequence[Card]) -> list[Card]:
    """Those that were neither shown nor said nor are `beside`, without doubles among themselves."""
    taken = [
        *state.shown_suggestion_statements,
        *state.activity_texts,
        *(card.statement for card in beside),
    ]
    fresh: list[Card] = []
    for card in cards:
        if not any(is_alike(card.statement, text, ALIKE) for text in taken):
            fresh.append(card)
            taken.append(card.statement)
    return fresh


def is_alike(left: str, right: str, overlap: float) -> bool:
    """Whether two texts are the same, or share so much of their content stems."""
    return left.lower() == right.lower() or content_overlap(left, right) >= overlap


def _spread(parts: Sequence[list[Card]], state: SurveyState) -> list[Card]:
    """Rounds over the groups, least covered first; a part begins when the one before is used up."""
    order = sorted(ActivityGroup, key=lambda group: LEVELS.index(state.gwa_coverage[group]))
    chosen: list[Card] = []
    for part in parts:
        waiting = {group: [card for card in part if card.group == group] for group in order}
        while len(chosen) < CARDS and any(waiting.values()):
            for group in order:
                if waiting[group] and len(chosen) < CARDS:
                    chosen.append(waiting[group].pop(0))
    return chosen
