"""Basic mode of the talk: reads a message by a small English, answers with words of its own.

In another language the items of a list are taken as they stand, and short replies are understood.

The only door from this room to the rules of a language. What a message says is coded by the
catalogue as every task is; what is asked next comes from `bank`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import translation

from chat import replies
from futura.language.row_words import places_in
from futura.language.task_phrases import is_repeat, tasks_in
from futura.language.verbs import forms_of, gerund_base
from futura.text import content_stems, words
from onet.matching import code_many
from onet.search.finding import Query
from tasks.interview import bank
from tasks.interview.analysis import Analysis, Ending, without_cards
from tasks.interview.gaps import Reference
from tasks.interview.guards import Situation, offered_lately
from tasks.interview.prompts import Manner
from tasks.interview.reply import Plan
from tasks.interview.state import Engagement, Mention, SurveyState, Tool

MANY: Final = 3
"""So many activities are a clear answer, however bare ("bathing, dressing, cooking")."""

YES_WORDS: Final = 3
"""A longer message that begins with a yes must say something besides."""

QUOTED_CHARS: Final = 60
"""Longest stretch of a person's words that is said back."""

MOST_REPLIES: Final = 3
"""So many short replies are one message ("no, thanks, that's all")."""

_IS_SHORT: Final = (
    *(replies.is_finish, replies.is_no, replies.is_all, replies.is_yes, replies.is_later),
)
_REFERS: Final = re.compile(r"^(?:those|these|they|that|it|them)\b", re.IGNORECASE)


# Short replies ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Short:
    """What a message says by short replies, each a sentence or between commas (DECISIONS 48).

    `is_whole`: it says nothing else.
    """

    pieces: Sequence[str]
    sentences: Sequence[str]
    is_whole: bool
    language: str

    @classmethod
    def of(cls, own: str, language: str) -> Short:
        sentences = [part for part in re.split(r"[.!¡\n]+\s*", own) if part.strip()]
        pieces = [part for part in re.split(r"[,.;!¡]+\s*", own) if part.strip()]
        is_brief = 0 < len(pieces) <= MOST_REPLIES and all(is_short(it, language) for it in pieces)
        return cls(pieces, sentences, is_brief or is_short(own, language), language)

    def begins(self, reply: Callable[[str], bool]) -> bool:
        """Whether the first piece or word is such a reply: “yes, weekly”, “no clients”."""
        first = self.pieces[:1]
        return any(self._says(reply, it) for it in (*first, *" ".join(first).split()[:1]))

    def is_only(self, *replies_: Callable[[str], bool]) -> bool:
        return self.is_whole and any(
            self._says(reply, part)
            for reply in replies_
            for part in (self.pieces[-1], " ".join(self.pieces))
        )

    def ends(self) -> Ending:
        """A sentence that ends the talk ends it where it is the last one; else it is in doubt."""
        finish = replies.is_finish
        if (self.sentences and self._says(finish, self.sentences[-1])) or self.is_only(finish):
            return "now"
        parts = (*self.sentences, self.pieces[-1]) if self.pieces else ()
        return "offer" if any(self._says(finish, part) for part in parts) else "none"

    def _says(self, reply: Callable[[str], bool], part: str) -> bool:
        with translation.override(self.language):
            return reply(part)


def is_short(text: str, language: str) -> bool:
    """Whether a text is one of the short replies of a language."""
    with translation.override(language):
        return any(is_meant(text) for is_meant in _IS_SHORT)


# Reading ------------------------------------------------------------------------------------------
def analyse(message: str, *, message_id: str, state: SurveyState) -> Analysis:
    """What the message says, by the phrase finder and lists of short replies."""
    own, named = without_cards(message, state.cards)
    language = state.basic_language
    short = Short.of(own, language)
    cards = _cards_confirmed(short, state)
    mentions = [] if cards else _pending_confirmed(message_id, short, state)
    mentions = mentions or _mentions(own, message_id, short)
    fresh = [
        m
        for m in mentions
        if not any(is_repeat(m.text.strip(), text, language) for text in state.activity_texts)
    ]
    engagement = _engagement(own, short, mentions)
    if engagement == "low" and (named or cards):
        engagement = "medium"
    is_brief = len(mentions) < MANY and not any(_is_clear(m.text, own) for m in mentions)
    return Analysis(
        mentions=tuple(_coded(fresh, state.occupation_code)),
        engagement=engagement,
        manner=_manner(own, short, state, has_work=bool(fresh), engagement=engagement),
        ending=_ending(short, state),
        card_ids=(*cards, *named),
        is_brief=is_brief and not named and not cards and not short.begins(replies.is_no),
        repeats=bool(mentions) and not fresh,
    )


def _mentions(own: str, message_id: str, short: Short) -> list[Mention]:
    is_question = own.strip().endswith("?") and own.count("?") == 1
    if short.is_whole or (is_question and not re.search(r"[.!\n]", own.strip())):
        return []  # a question to us tells of no work
    return [
        _mention(
            *(span.raw, message_id, span.start, span.end),
            may_be_terse=not short.begins(replies.is_yes),
        )
        for span in tasks_in(own, language=short.language)
        if content_stems(span.raw)
        and not _REFERS.match(span.raw)
        and not is_short(span.quote, short.language)
    ]


def _mention(
    text: str, message_id: str, start: int | None, end: int | None, *, may_be_terse: bool = True
) -> Mention:
    is_terse = may_be_terse and len(content_stems(text)) <= 1
    return Mention(text=text, message_id=message_id, start=start, end=end, terse=is_terse)


def _coded(mentions: Sequence[Mention], occupation_code: str) -> list[Mention]:
    """The mentions with their activities, groups, and the statements that they stand for.

    All of a message in one pass. A single word finds neighbours, but stands for no statement.
    """
    queries = [Query(mention.text, occupation_code) for mention in mentions]
    coded = []
    for mention, coding in zip(mentions, code_many(queries, by_words_only=True), strict=True):
        choice = None if mention.terse else coding.choice
        values = {
            "groups": list(coding.groups),
            "activity_ids": list(coding.activities),
            "task_id": choice.task_id if choice else "",
        }
        coded.append(mention.model_copy(update=values))
    return coded


def _manner(
    own: str, short: Short, state: SurveyState, *, has_work: bool, engagement: Engagement
) -> Manner:
    if has_work:
        return "yes" if short.begins(replies.is_yes) else "answer"
    if own.rstrip().endswith("?"):
        return "asks_us"
    is_no = short.begins(replies.is_no)
    if short.is_only(replies.is_later) or (is_no and state.last_tool is Tool.ENCOURAGE):
        return "unsure"
    if is_no:
        return "no"
    if short.begins(replies.is_yes) or short.is_only(replies.is_all):
        return "yes"
    return "vague" if engagement == "low" else "answer"


def _ending(short: Short, state: SurveyState) -> Ending:
    """A stop phrase ends the talk, in doubt it brings an offer; a yes to one ends it, too."""
    is_agreed = short.is_only(replies.is_yes, replies.is_all)
    ending = short.ends()
    if ending == "now" or (state.last_tool is Tool.OFFER and is_agreed):
        return "now"
    return "none" if offered_lately(state) else ending


def _pending_confirmed(message_id: str, short: Short, state: SurveyState) -> list[Mention]:
    if state.last_tool is Tool.SUGGEST:
        return []
    named = state.pending_suggestions
    places = _places(short, len(named), by_yes=True)
    return [_mention(named[place], message_id, None, None) for place in places]


def _cards_confirmed(short: Short, state: SurveyState) -> list[str]:
    """Cards taken by words: "all of those", "the first and the third", right after they came."""
    if state.last_tool is not Tool.SUGGEST or state.new_card_ids:
        return []  # "those fit" means the ones they tapped
    displayed = [card for card in state.cards if card.display == state.suggestions_shown]
    return [displayed[place].id for place in _places(short, len(displayed), by_yes=False)]


def _places(short: Short, length: int, *, by_yes: bool) -> Sequence[int]:
    """Which of what was offered a message of short replies takes."""
    if short.is_only(replies.is_all) or (by_yes and short.is_only(replies.is_yes)):
        return range(length)
    return places_in(" ".join(short.pieces), length)


def _engagement(own: str, short: Short, mentions: Sequence[Mention]) -> Engagement:
    """Quality, never word count: activities with detail, one clear answer, or neither."""
    clear = [m for m in mentions if _is_clear(m.text, own)]
    if sum(len(content_stems(m.text)) >= 2 for m in clear) >= 2:
        return "high"
    if clear or len(mentions) >= MANY or short.begins(replies.is_no):
        return "medium"
    is_yes = short.begins(replies.is_yes) or short.is_only(replies.is_all)
    return "medium" if is_yes and len(own.split()) <= YES_WORDS else "low"


def _is_clear(activity: str, message: str) -> bool:
    tokens = words(activity)
    if len(tokens) < 2 or not content_stems(activity):
        return False
    if forms_of(tokens[0]) or gerund_base(tokens[0]):
        return True
    at = message.lower().find(activity.lower())
    before = words(message[:at])[-4:] if at > 0 else []
    return any(word in {"i", "we", "i'm", "we're"} for word in before)


# Answering ----------------------------------------------------------------------------------------
def planned(plan: Plan, reference: Reference) -> Plan:
    """The plan with a question of the bank where it has none."""
    if plan.question is not None and plan.tool in (Tool.CUSTOM, Tool.ENCOURAGE):
        return plan
    return plan.asking(bank.question_for(plan.tool, plan.situation, reference, seed=plan.seed))


def reply(plan: Plan) -> str:
    """The whole reply; without the acknowledgement of cards, which stands before it."""
    state, seed = plan.state, plan.seed
    if plan.tool is Tool.OPEN:
        return bank.opening(state, seed)
    if plan.tool is Tool.PROCEED:
        return bank.words("proceed", state, seed)
    question = plan.question.text if plan.question else bank.words("go_on_plain", state, seed)
    is_bare = plan.tool in (Tool.SUGGEST, Tool.OFFER) or plan.situation.asks_for_another
    if is_bare or state.new_card_ids:
        return question
    return f"{_acknowledged(plan)} {question}"


def _acknowledged(plan: Plan) -> str:
    new, state, seed = plan.situation.new, plan.state, plan.seed
    if len(new) > 1:
        return bank.words("took_many", state, seed).format(n=len(new))
    if new and len(new[0].text) <= QUOTED_CHARS and new[0].start is not None:
        return bank.words("took_one", state, seed).format(a=new[0].text)
    return bank.words(_by_manner(plan.situation), state, seed)


def _by_manner(s: Situation) -> bank.Wording:
    if s.new:
        return "took_yes"
    if s.analysis.repeats:
        return "took_known"
    if s.analysis.manner == "yes":
        return "tap_cards" if s.state.last_tool is Tool.SUGGEST else "took_bare_yes"
    by_manner: dict[Manner, bank.Wording] = {
        "asks_us": "about_us",
        "unsure": "took_nothing",
        "no": "took_no",
    }
    return by_manner.get(s.analysis.manner, "took_vague")
