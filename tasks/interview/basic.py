"""Basic mode of the talk: reads a message by a small English, answers with words of its own.

The only door from this room to the rules of a language; what is asked next comes from the bank.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from futura.text import content_overlap, content_stems, words
from onet.classify import activities_of, groups_of
from tasks.interview import bank, phrases
from tasks.interview.analysis import Analysis, Ending, without_cards
from tasks.interview.gaps import Reference
from tasks.interview.guards import Situation, offered_lately
from tasks.interview.phrases import pick
from tasks.interview.prompts import Manner
from tasks.interview.reply import Plan
from tasks.interview.state import Engagement, Mention, SurveyState, Tool
from tasks.language.extract import tasks_in
from tasks.language.intents import (
    Confirmed,
    Stop,
    accepts_offer,
    asks_about_us,
    asks_for_help,
    confirmation,
    has_nothing_to_add,
    is_clear_no,
    is_clear_yes,
    stop_intent,
    tasks_named,
)
from tasks.language.verbs import forms_of, gerund_base

MANY: Final = 3
"""So many activities are a clear answer, however bare ("bathing, dressing, cooking")."""

SAME: Final = 0.75
"""Overlap of content stems from which two activities are one."""

QUOTED_CHARS: Final = 60
"""Longest stretch of a person's words that is said back."""

_VAGUE: Final = frozenset(
    "meeting email mail admin paperwork stuff support project data report analysi research "
    "presentation document documentation call train planning plan manag administr thing task "
    "custom client patient team order clean help communic coordin".split()
)
_NO_TOPIC: Final = frozenset(
    "stuff thing idk dunno everyth anyth someth whatev ok okay fine yes no not sure mayb nah lol "
    "haha whatever usual normal busi hard good bad fun bore boring hmm test asdf first two three "
    "last all both right know idea think usual various vari depend mostli job work question "
    "understand sorry hello hi hey thank that".split()
)
_BARE_NO: Final = frozenset({"no", "nope", "nah", "not really", "nothing"})
_ASKS_ABOUT_WORK: Final = frozenset({Tool.CUSTOM, Tool.FOLLOW_UP, Tool.ENCOURAGE})
"""Tools whose question may name tasks; the words of an offer or of cards are none."""

_OPEN: Final = re.compile(
    r"(?:^|[,;:]\s*(?:and\s+|so\s+)?)(?:what|which|who|whom|whose|where|when|why|how)\b",
    re.IGNORECASE,
)
_REFERS: Final = re.compile(r"^(?:those|these|they|that|it|them)\b", re.IGNORECASE)
_HEDGED: Final = re.compile(
    r"\b(?:stuff|things?|whatever|something|sort of|kind of)\b", re.IGNORECASE
)
_FIRST: Final = re.compile(
    r"^\W*(?:yes\W+|yeah\W+)?(?:just |only )?the (first|last)(?: (two|three|four))?\b",
    re.IGNORECASE,
)
_COUNTS: Final = {"two": 2, "three": 3, "four": 4}
_BEFORE_A_TOPIC: Final = re.compile(
    r"^(?:mostly|mainly|just|some|lots of|a lot of|also|and|the)\s+", re.IGNORECASE
)


# Reading ----------------------------------------------------------------------------------------
def analyse(message: str, *, message_id: str, question: str, state: SurveyState) -> Analysis:
    """What the message says, by the phrase finder and lists of short replies."""
    own, named = without_cards(message, state.cards)
    cards = _cards_confirmed(own, state)
    mentions = _mentions(own, message_id, question, state)
    if state.last_tool is Tool.OFFER and accepts_offer(own):
        mentions = []  # "let's go" is no work
    if not cards:
        mentions += _pending_confirmed(own, mentions, message_id, question, state)
    fresh = [m for m in mentions if not any(_is_same(m.text, text) for text in state.said)]
    engagement = _engagement(own, mentions)
    if engagement == "low" and (named or cards):
        engagement = "medium"
    has_work = bool(mentions or cards or named)
    is_brief = len(mentions) < MANY and not any(_is_clear(m.text, own) for m in mentions)
    return Analysis(
        mentions=tuple(fresh),
        engagement=engagement,
        manner=_manner(own, state, has_work=bool(fresh), engagement=engagement),
        ending=_ending(own, state, has_work=bool(fresh)),
        card_ids=(*cards, *named),
        is_brief=is_brief and not named and not cards and not is_clear_no(own),
        repeats=bool(mentions) and not fresh,
        passing=None if has_work or is_clear_yes(own) else _passing(own, message_id),
    )


def _mentions(own: str, message_id: str, question: str, state: SurveyState) -> list[Mention]:
    asks = state.last_tool in _ASKS_ABOUT_WORK
    last = re.split(r"(?<=[.!?])\s+", question.strip())[-1]
    is_open = _OPEN.search(last) is not None
    if own.strip().endswith("?") and own.count("?") == 1 and not re.search(r"[.!\n]", own.strip()):
        return []  # a question to us tells of no work
    spans = tasks_in(own, question=question if asks else None)
    return [
        _mention(span.raw, message_id, span.start, span.end, may_be_terse=not is_clear_yes(own))
        for span in spans
        if not is_open or content_stems(span.raw) & content_stems(span.quote)
        if not content_stems(span.raw) <= _NO_TOPIC and not _REFERS.match(span.raw)
    ]


def _mention(
    text: str, message_id: str, start: int | None, end: int | None, *, may_be_terse: bool = True
) -> Mention:
    stems = content_stems(text)
    is_terse = len(stems) <= 1 or (len(stems) == 2 and stems <= _VAGUE)
    return Mention(
        text=text,
        message_id=message_id,
        groups=list(groups_of(text)),
        activity_ids=list(activities_of(text)),
        start=start,
        end=end,
        terse=is_terse and may_be_terse,
    )


def _is_same(left: str, right: str) -> bool:
    return left.strip().lower() == right.strip().lower() or content_overlap(left, right) >= SAME


def _manner(own: str, state: SurveyState, *, has_work: bool, engagement: Engagement) -> Manner:
    if has_work:
        return "yes" if is_clear_yes(own) else "answer"
    if asks_for_help(own):
        return "asks_help"
    if asks_about_us(own) or own.rstrip().endswith("?"):
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
        is_bare = own.strip(" .!").lower() in _BARE_NO
        done = has_nothing_to_add(own) and not is_bare and not has_work
        if accepts_offer(own) or done:
            return "now"
    return "offer" if wish is Stop.MAYBE and not offered_lately(state) else "none"


def _passing(own: str, message_id: str) -> Mention | None:
    """A bare general noun as the whole answer, such as "meetings" or "some admin"."""
    topic = _BEFORE_A_TOPIC.sub("", own.strip().strip(".,!;"))
    stems = content_stems(topic)
    fits = 1 <= len(stems) <= 2 and len(topic.split()) <= 3 and "?" not in own
    if not fits or stems & _NO_TOPIC or not topic.replace(" ", "").replace("-", "").isalpha():
        return None
    at = own.find(topic)
    return Mention(text=topic, message_id=message_id, start=at, end=at + len(topic), terse=True)


def _pending_confirmed(
    own: str, mentions: Sequence[Mention], message_id: str, question: str, state: SurveyState
) -> list[Mention]:
    """Pending tasks that the reply confirms and that the phrase finder did not already resolve."""
    pending = state.pending_suggestions
    if not pending or state.last_tool is Tool.SUGGEST:
        return []
    confirmed = confirmation(own, question, named=len(pending))
    if confirmed is Confirmed.NOTHING or (confirmed is Confirmed.YES and mentions):
        return []
    return [
        _mention(text, message_id, None, None)
        for text in pending
        if not any(content_overlap(text, other.text) >= 0.5 for other in mentions)
    ]


def _cards_confirmed(own: str, state: SurveyState) -> list[str]:
    """Cards taken by words: "all of those", "the first two", right after they were shown."""
    if state.last_tool is not Tool.SUGGEST or state.new_card_ids:
        return []  # "those fit" means the ones they tapped
    shown = [card.id for card in state.cards if card.display == state.suggestions_shown]
    first = _FIRST.match(own)
    if first:
        count = _COUNTS.get((first.group(2) or "").lower(), 1)
        return shown[:count] if first.group(1).lower() == "first" else shown[-count:]
    return shown if confirmation(own, "", named=len(shown)) is Confirmed.ALL else []


def _engagement(own: str, mentions: Sequence[Mention]) -> Engagement:
    """Quality, never word count: activities with detail, one clear answer, or neither."""
    clear = [m for m in mentions if _is_clear(m.text, own)]
    if sum(len(content_stems(m.text)) >= 2 for m in clear) >= 2:
        return "high"
    if clear or len(mentions) >= MANY or is_clear_no(own):
        return "medium"
    return "medium" if is_clear_yes(own) and not _HEDGED.search(own) else "low"


def _is_clear(activity: str, message: str) -> bool:
    """Whether an activity was said with a verb and an object."""
    tokens = words(activity)
    if len(tokens) < 2 or not content_stems(activity):
        return False
    if forms_of(tokens[0]) or gerund_base(tokens[0]):
        return True
    at = message.lower().find(activity.lower())
    before = words(message[:at])[-4:] if at > 0 else []
    return any(word in {"i", "we", "i'm", "we're"} for word in before)


# Answering --------------------------------------------------------------------------------------
def planned(plan: Plan, reference: Reference) -> Plan:
    """The plan with a question of the bank where it has none."""
    if plan.question is not None and plan.tool in (Tool.CUSTOM, Tool.ENCOURAGE):
        return plan
    return plan.asking(bank.question_for(plan.tool, plan.situation, reference, seed=plan.seed))


def reply(plan: Plan) -> str:
    """The whole reply; without the acknowledgement of cards, which stands before it."""
    state, seed = plan.state, plan.seed
    if plan.tool is Tool.OPEN:
        title = phrases.shown_title(state.job_title)
        return pick(phrases.OPENINGS, SurveyState(), seed).format(title=title)
    if plan.tool is Tool.PROCEED:
        return pick(phrases.PROCEED, state, seed)
    question = plan.question.text if plan.question else str(phrases.GO_ON_PLAIN)
    if plan.tool in (Tool.SUGGEST, Tool.OFFER) or state.new_card_ids:
        return question
    if plan.situation.asks_for_another:
        return question
    return f"{_acknowledged(plan)} {question}"


def pending(plan: Plan, put: str) -> list[str]:
    """The tasks that a yes to the question put would confirm."""
    if plan.tool not in (Tool.CUSTOM, Tool.ENCOURAGE) or plan.question is None or not put:
        return []
    return list(plan.question.pending) or tasks_named(put)


def _acknowledged(plan: Plan) -> str:
    """One sentence about what the person just said."""
    s, state, seed = plan.situation, plan.state, plan.seed
    if len(s.new) > 1:
        return pick(phrases.TOOK_MANY, state, seed).format(n=len(s.new))
    if s.new and len(s.new[0].text) <= QUOTED_CHARS and s.new[0].start is not None:
        return pick(phrases.TOOK_ONE, state, seed).format(a=s.new[0].text)
    return pick(_by_manner(s), state, seed)


def _by_manner(s: Situation) -> Sequence[phrases.Words]:
    if s.new:
        return phrases.TOOK_YES
    if s.analysis.repeats:
        return phrases.TOOK_KNOWN
    if s.analysis.manner == "yes":
        return phrases.TAP_THEM if s.state.last_tool is Tool.SUGGEST else phrases.TOOK_BARE_YES
    return {
        "asks_us": phrases.ABOUT_US,
        "asks_help": phrases.HELP,
        "unsure": phrases.TOOK_NOTHING_MORE,
        "no": phrases.TOOK_NO,
    }.get(s.analysis.manner, phrases.TOOK_VAGUE)
