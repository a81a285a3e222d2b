"""Basic mode of the talk: reads a message by a small English, answers with words of its own.

In another language the items of a list are taken as they stand, and short replies are understood.

The only door from this room to the rules of a language. What a message says is coded by the
catalogue as every task is; what is asked next comes from `bank`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils import translation

from chat import replies
from futura.language.replies import (
    Stop,
    accepts_offer,
    has_nothing_to_add,
    is_clear_no,
    is_clear_yes,
    stop_intent,
)
from futura.language.task_phrases import is_repeat, tasks_in
from futura.language.task_phrases.answers import Question, answer_to, options_taken
from futura.language.tokens import tokens_of
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

_REPLIES: Final = {
    replies.is_finish: "that's all",
    replies.is_no: "no",
    replies.is_all: "all of them",
    replies.is_yes: "yes",
    replies.is_later: "I don't know",
}
_REFERS: Final = re.compile(r"^(?:those|these|they|that|it|them)\b", re.IGNORECASE)


# Reading ------------------------------------------------------------------------------------------
def analyse(message: str, *, message_id: str, state: SurveyState) -> Analysis:
    """What the message says, by the phrase finder and lists of short replies."""
    own, named = without_cards(message, state.cards)
    own, language = short_in_english(own, state.basic_language)
    cards = _cards_confirmed(own, state)
    mentions = _mentions(own, message_id, state, language)
    if not cards and not mentions:
        mentions = _pending_confirmed(own, message_id, state)
    fresh = [
        m
        for m in mentions
        if not any(is_repeat(m.text.strip(), text, language) for text in state.activity_texts)
    ]
    engagement = _engagement(own, mentions)
    if engagement == "low" and (named or cards):
        engagement = "medium"
    is_brief = len(mentions) < MANY and not any(_is_clear(m.text, own) for m in mentions)
    return Analysis(
        mentions=tuple(_coded(fresh, state.occupation_code)),
        engagement=engagement,
        manner=_manner(own, state, has_work=bool(fresh), engagement=engagement),
        ending=_ending(own, state, has_work=bool(fresh)),
        card_ids=(*cards, *named),
        is_brief=is_brief and not named and not cards and not is_clear_no(own),
        repeats=bool(mentions) and not fresh,
    )


def short_in_english(own: str, language: str) -> tuple[str, str]:
    """A message of nothing but short replies in English words, and the language to read it in."""
    pieces = [piece for piece in re.split(r"[,.;!¡]+\s*", own) if piece.strip()]
    if language.lower().startswith("en") or not 0 < len(pieces) <= MOST_REPLIES:
        return own, language
    with translation.override(language):
        english = _reply_in_english(own)
        if not english:
            replies = [_reply_in_english(piece) for piece in pieces]
            english = ", ".join(replies) if all(replies) else ""
    return (english, "en") if english else (own, language)


def _reply_in_english(text: str) -> str:
    return next((english for is_meant, english in _REPLIES.items() if is_meant(text)), "")


def _mentions(own: str, message_id: str, state: SurveyState, language: str) -> list[Mention]:
    if own.strip().endswith("?") and own.count("?") == 1 and not re.search(r"[.!\n]", own.strip()):
        return []  # a question to us tells of no work
    if state.last_tool is Tool.OFFER and accepts_offer(own):
        return []  # "let's go" is no work
    return [
        _mention(span.raw, message_id, span.start, span.end, may_be_terse=not is_clear_yes(own))
        for span in tasks_in(own, language=language)
        if content_stems(span.raw) and not _REFERS.match(span.raw)
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


def _manner(own: str, state: SurveyState, *, has_work: bool, engagement: Engagement) -> Manner:
    if has_work:
        return "yes" if is_clear_yes(own) else "answer"
    if own.rstrip().endswith("?"):
        return "asks_us"
    is_no = is_clear_no(own)
    if has_nothing_to_add(own) and (not is_no or state.last_tool is Tool.ENCOURAGE):
        return "unsure"
    if is_no:
        return "no"
    if is_clear_yes(own):
        return "yes"
    return "vague" if engagement == "low" else "answer"


def _ending(own: str, state: SurveyState, *, has_work: bool) -> Ending:
    """A stop phrase ends the talk, in doubt it brings an offer, and so does a yes to one."""
    wish = stop_intent(own)
    if wish is Stop.YES:
        return "now"
    if state.last_tool is Tool.OFFER:
        is_done = has_nothing_to_add(own) and not is_clear_no(own) and not has_work
        if accepts_offer(own) or is_done:
            return "now"
    return "offer" if wish is Stop.MAYBE and not offered_lately(state) else "none"


def _pending_confirmed(own: str, message_id: str, state: SurveyState) -> list[Mention]:
    if state.last_tool is Tool.SUGGEST:
        return []
    question = Question(tuple(state.pending_suggestions))
    taken = answer_to(own, tokens_of(own), question).tasks
    return [_mention(text, message_id, None, None) for _start, _end, text in taken]


def _cards_confirmed(own: str, state: SurveyState) -> list[str]:
    """Cards taken by words: "all of those", "the first two", right after they were shown."""
    if state.last_tool is not Tool.SUGGEST or state.new_card_ids:
        return []  # "those fit" means the ones they tapped
    displayed = [card for card in state.cards if card.display == state.suggestions_shown]
    places, _end = options_taken(own, [card.statement for card in displayed], by_yes=False)
    return [displayed[place].id for place in places]


def _engagement(own: str, mentions: Sequence[Mention]) -> Engagement:
    """Quality, never word count: activities with detail, one clear answer, or neither."""
    clear = [m for m in mentions if _is_clear(m.text, own)]
    if sum(len(content_stems(m.text)) >= 2 for m in clear) >= 2:
        return "high"
    if clear or len(mentions) >= MANY or is_clear_no(own):
        return "medium"
    return "medium" if is_clear_yes(own) and len(own.split()) <= YES_WORDS else "low"


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
