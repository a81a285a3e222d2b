"""Step one of a turn: what a message says about the work, and what it wants of the conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Final, Literal

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from futura.llm.checks import Reason
from futura.llm.client import Llm, side_by_side
from futura.text import locate, sentences
from onet.candidates import ActivityGroup
from tasks.interview.prompts import Manner, MessageAnalysis, analysis_messages
from tasks.interview.state import (
    ENGAGEMENTS,
    Card,
    Engagement,
    Level,
    Mention,
    SurveyState,
    Tool,
    level_for,
)
from tasks.stretches import is_taken_out, joined, most_tasks, place_of

ACTIVITY_CHARS: Final = 200
"""Longest text of an activity; one that is longer is no short phrase."""

LONG_BYTES: Final = 2_000
"""More text holds more than fits into an answer of the usual length: the quotes alone are about as
long as it is."""

PIECE_BYTES: Final = 1_500
MOST_PIECES: Final = 8
"""A long message is read in pieces side by side: nobody waits for one answer of its length."""

STANDS_FOR: Final[Mapping[Level, int]] = {"none": 0, "low": 1, "medium": 2, "high": 4}
"""Fewest activities that a level stands for (DECISIONS 16)."""

ANOTHER_QUESTION: Final = gettext_lazy("Ask me something else")
"""The button that wants another question, as a message of the person."""

THESE_ARE_MINE: Final = gettext_lazy("From the suggestions, these are mine:")
"""What the button of the cards says before those that were picked."""

Ending = Literal["none", "offer", "now"]


@dataclass(frozen=True)
class Analysis:
    """What one message adds, by the model, in basic mode, or where no words had to be read.

    `ending` is what becomes of the conversation: an offer to end it at once, or its end. `card_ids`
    were taken by words, `returned_ids` given back.
    """

    mentions: tuple[Mention, ...] = ()
    withdrawn: tuple[str, ...] = ()
    levels: Mapping[ActivityGroup, Level] = field(default_factory=dict)
    engagement: Engagement = "medium"
    manner: Manner = "answer"
    ending: Ending = "none"
    card_ids: tuple[str, ...] = ()
    returned_ids: tuple[str, ...] = ()
    language: str = ""
    is_brief: bool = False
    repeats: bool = False


def analyse_with_model(
    message: str, *, message_id: str, question: str, state: SurveyState, llm: Llm
) -> Analysis:
    """What the message says, by the model. Checked is structure: places, ids, lengths.

    Raises ModelUnavailable.
    """
    own, written = without_cards(message, state.cards)
    if not own.strip():  # it names cards and nothing else
        return Analysis(card_ids=tuple(written))
    stretches = pieces(own)
    read = partial(_read, message_id=message_id, question=question, state=state, llm=llm)
    analysis = read(*stretches[0]) if len(stretches) == 1 else _read_together(read, stretches)
    return replace(analysis, card_ids=(*written, *analysis.card_ids))


def pieces(text: str, size: int = PIECE_BYTES) -> list[tuple[str, int]]:
    """A long message in stretches of whole sentences, each with its place; a short one whole."""
    size = max(size, len(text.encode()) // MOST_PIECES)
    stretches: list[tuple[str, int]] = []
    start = end = 0
    for sentence in sentences(text):
        if start < end and len(text[start : sentence.end].encode()) > size:
            stretches.append((text[start:end], start))
            start = sentence.start
        end = sentence.end
    return [*stretches, (text[start:], start)]


def _read_together(
    read: Callable[[str, int], Analysis], stretches: Sequence[tuple[str, int]]
) -> Analysis:
    """What all pieces of one message say. Raises ModelUnavailable where one cannot be read."""
    analyses = side_by_side(lambda piece: read(*piece), stretches)
    counts: Counter[ActivityGroup] = Counter()
    for analysis in analyses:
        counts.update({group: STANDS_FOR[level] for group, level in analysis.levels.items()})
    mentions = tuple(mention for analysis in analyses for mention in analysis.mentions)
    return Analysis(
        mentions=mentions,
        withdrawn=_each(analysis.withdrawn for analysis in analyses),
        levels={group: level_for(count) for group, count in counts.items()},
        engagement=max((a.engagement for a in analyses), key=ENGAGEMENTS.index),
        manner="answer" if mentions else analyses[-1].manner,
        ending=analyses[-1].ending,  # what more follows on ends nothing
        card_ids=_each(analysis.card_ids for analysis in analyses),
        returned_ids=_each(analysis.returned_ids for analysis in analyses),
        language=analyses[-1].language,
    )


def _each(values: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(values)))


def _read(
    own: str, offset: int, *, message_id: str, question: str, state: SurveyState, llm: Llm
) -> Analysis:
    """What a piece of a message says, which begins there. Raises ModelUnavailable."""
    existing = {f"a{n}": m.text for n, m in enumerate(state.mentioned_activities, 1)}
    named = {f"t{n}": text for n, text in enumerate(state.pending_suggestions, 1)}
    picked = {card.id: card.statement for card in state.selected_cards}
    cards = {card.id: card.statement for card in state.cards if card.id not in picked}
    is_offered = state.last_tool is Tool.OFFER
    messages = analysis_messages(
        job_title=state.job_title,
        message=own,
        question=question,
        activities=[*existing.items(), *picked.items()],
        named=list(named.items()),
        cards=list(cards.items()),
        tapped=state.new_card_ids,
        is_offered=is_offered,
    )
    is_long = len(own.encode()) > LONG_BYTES
    answer = llm.structured("message_analysis", messages, MessageAnalysis, is_long=is_long)
    reading = _Reading(answer, own, message_id, offset)
    confirmed = reading.ids(answer.confirmed_ids, {*named, *cards})
    mentions = [
        *reading.mentions(),
        *(Mention(text=named[key], message_id=message_id) for key in confirmed if key in named),
    ]
    withdrawn = reading.ids(answer.withdrawn_ids, {*existing, *picked})
    ending = reading.ending(is_offered=is_offered)
    llm.checked("message_analysis", used=reading.used, refused=reading.refused)
    return Analysis(
        mentions=tuple(mentions),
        withdrawn=tuple(existing[key] for key in withdrawn if key in existing),
        levels=answer.levels(),
        engagement=answer.engagement,
        manner=answer.manner,
        ending=ending,
        card_ids=tuple(key for key in confirmed if key in cards),
        returned_ids=tuple(key for key in withdrawn if key in picked),
        language=_tag(answer.language),
    )


@dataclass
class _Reading:
    """The model's answer beside the (piece of a) message it is about; counts what was used of it.

    `offset` is where the piece begins.
    """

    answer: MessageAnalysis
    message: str
    message_id: str
    offset: int = 0
    used: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def mentions(self) -> list[Mention]:
        """The activities, each at its quote; one whose quote is not in the message is refused.

        An activity without a quote is marked where its own words stand, or nowhere.
        """
        underexplored = {_folded(text) for text in self.answer.underexplored_activities}
        mentions = []
        borne: Counter[tuple[int, int] | None] = Counter()
        for number, activity in enumerate(self.answer.new_activities):
            text = activity.strip()
            quote = self.answer.quotes[number : number + 1]
            place = locate((quote or [text])[0], self.message) if text else None
            if not text or len(text) > ACTIVITY_CHARS:
                self.refused[Reason.TOO_LONG if text else Reason.EMPTY] += 1
            elif quote and place is None:
                self.refused[Reason.QUOTE_NOT_FOUND] += 1
            elif place and borne[place] == most_tasks(place[1] - place[0]):
                self.refused[Reason.TOO_MANY] += 1
            else:
                self.used += 1
                borne[place] += 1
                start, end = (at + self.offset for at in place) if place else (None, None)
                mentions.append(
                    Mention(
                        text=text,
                        message_id=self.message_id,
                        start=start,
                        end=end,
                        terse=_folded(text) in underexplored,
                    )
                )
        return mentions

    def ids(self, named: Sequence[str], allowed: set[str]) -> list[str]:
        """Those of the named ids that the prompt had, each once."""
        existing = [key for key in dict.fromkeys(named) if key in allowed]
        self.used += len(existing)
        self.refused[Reason.UNKNOWN_ID] += sum(key not in allowed for key in set(named))
        return existing

    def ending(self, *, is_offered: bool) -> Ending:
        """Who wants to end is offered it, and who is offered it takes it up (DECISIONS 9, 47)."""
        wish, wants_to_stop = self.answer.wish, self.answer.wants_to_stop
        if wish != "none" and locate(self.answer.wish_quote, self.message) is None:
            self.refused[Reason.QUOTE_NOT_FOUND] += 1
            return "offer" if wants_to_stop else "none"
        if is_offered and (wish != "none" or wants_to_stop):
            return "now"
        return "offer" if wish == "stop" or wants_to_stop else "none"


def take_in(state: SurveyState, analysis: Analysis) -> list[Mention]:
    """Writes an analysis into the state; answers which mentions were new.

    Counts are counted here: the same text is one activity, and so is the statement of a card.
    """
    displayed = {card.id for card in state.cards}
    for card_id in analysis.card_ids:
        if card_id in displayed and card_id not in state.selected_suggestion_ids:
            state.selected_suggestion_ids.append(card_id)
    for card_id in analysis.returned_ids:
        state.selected_suggestion_ids.remove(card_id)
    withdrawn = {_folded(text) for text in analysis.withdrawn}
    state.mentioned_activities = [
        m for m in state.mentioned_activities if _folded(m.text) not in withdrawn
    ]
    existing = {_folded(text) for text in state.activity_texts}
    new: list[Mention] = []
    for mention in analysis.mentions:
        if _folded(mention.text) not in existing and not is_taken_out(state, mention):
            new.append(mention)
            existing.add(_folded(mention.text))
    state.mentioned_activities.extend(new)
    state.user_engagement = analysis.engagement
    state.user_wants_to_stop = analysis.ending != "none"
    state.brief_streak = state.brief_streak + 1 if analysis.is_brief else 0
    state.language = analysis.language or state.language
    if new:
        for group, level in analysis.levels.items():
            before = state.activity_counts.get(group, 0)
            state.activity_counts[group] = before + STANDS_FOR[level]
    state.raise_coverage()
    return new


def _is_label(text: str, label: Promise) -> bool:
    """Whether a text is what a button says, in any language of the interface.

    A message may have been sent in another one than that of its reader, a worker.
    """
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if _folded(text) == _folded(str(label)):
                return True
    return False


def wants_another_question(text: str) -> bool:
    """Whether a message is the button's own text."""
    return _is_label(text, ANOTHER_QUESTION)


def without_cards(message: str, cards: Sequence[Card]) -> tuple[str, list[str]]:
    """The message with lines that are shown cards blanked out (positions stay), and their ids.

    What a button says for the person is blanked out, too.
    """
    if wants_another_question(message):
        return " " * len(message), []
    ids = {_folded(card.statement): card.id for card in cards}
    named: list[str] = []
    lines = message.split("\n")
    for number, line in enumerate(lines):
        text = _folded(line.strip(" \t-•*·–"))
        if text in ids:
            named.append(ids[text])
        if text in ids or _is_label(line, THESE_ARE_MINE):
            lines[number] = " " * len(line)
    return "\n".join(lines), named


def noted_spans(mentions: Sequence[Mention]) -> list[list[int]]:
    """Where new activities were said, in order, without overlap."""
    return [list(place) for place in joined(filter(None, map(place_of, mentions)))]


# Pieces ----------------------------------------------------------------------------------------
def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".。!")


def _tag(language: str) -> str:
    """A language tag such as `de` or `pt-BR`; empty for what has not its form."""
    tag = language.strip()
    first, *others = tag.split("-")
    is_tag = first.isalpha() and 2 <= len(first) <= 3
    are_parts = all(part.isalnum() and len(part) <= 8 for part in others)
    return tag if is_tag and are_parts and tag.isascii() else ""
