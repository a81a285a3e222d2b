"""Step one of a turn: what a message says about the work, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from futura.llm.client import Llm
from futura.text import content_overlap, content_stems, words
from onet.classify import activities_of, groups_of
from onet.groups import ActivityGroup
from tasks.elicitation.prompts import AnalysisInput, MessageAnalysis, analysis_messages
from tasks.elicitation.state import Card, Engagement, Mention, SurveyState, Tool
from tasks.elicitation.tracing import place_of
from tasks.language.extract import tasks_in
from tasks.language.intents import (
    Confirmed,
    Stop,
    accepts_offer,
    confirmation,
    is_clear_no,
    is_clear_yes,
    stop_intent,
)
from tasks.language.verbs import forms_of, gerund_base

MANY: Final = 3
"""So many activities are a clear answer, however bare ("bathing, dressing, cooking")."""

SAME: Final = 0.75
"""Overlap of content stems from which two activities are one."""

_VAGUE: Final = frozenset(
    "meeting email mail admin paperwork stuff support project data report analysi research "
    "presentation document documentation call train planning plan manag administr thing task "
    "custom client patient team order clean help communic coordin".split()
)


_ASKS_ABOUT_WORK: Final = frozenset({Tool.CUSTOM, Tool.FOLLOW_UP, Tool.ENCOURAGE})
"""Tools whose question may name tasks; the words of an offer or of cards are none."""

_OPEN: Final = re.compile(
    r"(?:^|[,;:]\s*(?:and\s+|so\s+)?)(?:what|which|who|whom|whose|where|when|why|how)\b",
    re.IGNORECASE,
)


def _is_open(question: str) -> bool:
    """Whether the last sentence of a reply asks for more than a yes or no."""
    last = re.split(r"(?<=[.!?])\s+", question.strip())[-1]
    return _OPEN.search(last) is not None


@dataclass(frozen=True)
class Analysis:
    """What one message adds.

    `confirmed_cards` were taken by word of mouth, `named_cards` stand in the message; `passing`
    is a bare word that is no task yet but worth a question ("meetings").
    """

    mentions: tuple[Mention, ...] = ()
    engagement: Engagement = "low"
    stop: Stop = Stop.NO
    is_brief: bool = False
    confirmed_cards: tuple[str, ...] = ()
    by: str = "rules"
    named_cards: tuple[str, ...] = ()
    passing: Mention | None = None


def analyse_by_rules(
    message: str, *, message_id: str, question: str, state: SurveyState
) -> Analysis:
    """What the message says, by the rule-based extraction and word lists."""
    own, named = without_cards(message, state.cards)
    asks, is_open = state.last_tool in _ASKS_ABOUT_WORK, _is_open(question)
    mentions = [
        _mention(span.raw, message_id, span.start, span.end)
        for span in tasks_in(own, question=question if asks else None)
        if not is_open or content_stems(span.raw) & content_stems(span.quote)
        if not content_stems(span.raw) <= _NO_TOPIC and not _REFERS.match(span.raw)
    ]
    return _completed(mentions, own, named, message_id=message_id, question=question, state=state)


def analyse_with_model(
    message: str, *, message_id: str, question: str, state: SurveyState, llm: Llm
) -> Analysis:
    """What the message says, by the model; what it claims is traced back to the message.

    Raises ModelUnavailable.
    """
    own, named = without_cards(message, state.cards)
    asked = AnalysisInput(
        job_title=state.job_title,
        message=own,
        question=question,
        mentioned=tuple(state.said),
        count=state.estimated_task_count,
    )
    answer = llm.structured(
        "message_analysis",
        analysis_messages(asked),
        MessageAnalysis,
        prompt_version=MessageAnalysis.VERSION,
    )
    hints = answer.groups()
    mentions = [
        traced
        for text in answer.new_activities
        if (traced := _traced(text, own, question, message_id, hints)) is not None
    ]
    if not mentions:
        by_rules = analyse_by_rules(message, message_id=message_id, question=question, state=state)
        mentions = list(by_rules.mentions)
    vague = [text for text in answer.underexplored_activities if text.strip()]
    mentions = [
        replaced_terse(m, m.terse or any(content_overlap(m.text, v) >= 0.5 for v in vague))
        for m in mentions
    ]
    done = _completed(mentions, own, named, message_id=message_id, question=question, state=state)
    engagement = answer.engagement
    if engagement == "low" and (is_clear_no(own) or is_clear_yes(own) or named):
        engagement = "medium"
    stop = done.stop
    if stop is Stop.NO and answer.wants_to_stop:
        stop = Stop.MAYBE  # only the model says so: offer, do not end (DECISIONS 9)
    return replace(done, engagement=engagement, stop=stop, by="model")


def replaced_terse(mention: Mention, terse: bool) -> Mention:
    """The mention, marked as still to be filled out or not."""
    return mention.model_copy(update={"terse": terse})


def without_cards(message: str, cards: Sequence[Card]) -> tuple[str, list[str]]:
    """The message with statements of shown cards blanked out (positions stay), and their ids."""
    named: list[str] = []
    own = message
    for card in sorted(cards, key=lambda card: -len(card.statement)):
        pattern = re.compile(re.escape(card.statement.rstrip(".")) + r"\.?", re.IGNORECASE)
        if pattern.search(own):
            named.append(card.id)
            own = pattern.sub(lambda found: " " * len(found.group()), own)
    if named:
        own = re.sub(
            r"(?im)^.*\b(?:picked|tapped|chose|chosen|selected|suggestions?|these (?:are|"
            r"apply|fit))\b"
            r".*[:.]?\s*$",
            lambda found: " " * len(found.group()),
            own,
        )
        own = re.sub(r"(?m)^[ \t]*[-•*·–][ \t]*$", lambda found: " " * len(found.group()), own)
    return own, named


def take_in(state: SurveyState, analysis: Analysis) -> list[Mention]:
    """Writes an analysis into the state; answers which mentions were new.

    Counts are counted here, never believed: an activity is new when it is neither among those
    mentioned nor the statement of a selected card.
    """
    shown = {card.id for card in state.cards}
    for card_id in (*analysis.confirmed_cards, *analysis.named_cards):
        if card_id in shown and card_id not in state.selected_suggestion_ids:
            state.selected_suggestion_ids.append(card_id)
    known = state.said
    new: list[Mention] = []
    for mention in analysis.mentions:
        if not any(is_same(mention.text, other) for other in known):
            new.append(mention)
            known.append(mention.text)
    state.mentioned_activities.extend(new)
    filled = [m.text for m in new if not m.terse]
    state.underexplored_activities = [
        text
        for text in state.underexplored_activities
        if not any(content_stems(text) <= content_stems(other) for other in filled)
    ] + [m.text for m in new if m.terse]
    state.user_engagement = analysis.engagement
    state.user_wants_to_stop = analysis.stop is Stop.YES
    state.brief_streak = state.brief_streak + 1 if analysis.is_brief else 0
    state.raise_coverage()
    return new


def is_same(left: str, right: str) -> bool:
    """Whether two activities are one and the same by their content words."""
    return left.strip().lower() == right.strip().lower() or content_overlap(left, right) >= SAME


def noted_spans(mentions: Iterable[Mention]) -> list[list[int]]:
    """Where new activities were said, in order, without overlap."""
    found = sorted((m.start, m.end) for m in mentions if m.start is not None and m.end is not None)
    spans: list[list[int]] = []
    for start, end in found:
        if spans and start < spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        elif end > start:
            spans.append([start, end])
    return spans


# Pieces ----------------------------------------------------------------------------------------
def _mention(text: str, message_id: str, start: int | None, end: int | None) -> Mention:
    return Mention(
        text=text,
        message_id=message_id,
        groups=list(groups_of(text)),
        activity_ids=list(activities_of(text)),
        start=start,
        end=end,
        terse=is_terse(text),
    )


def is_terse(text: str) -> bool:
    """Whether an activity is a bare general noun or two ("meetings", "some reports")."""
    stems = content_stems(text)
    return len(stems) <= 1 or (len(stems) == 2 and stems <= _VAGUE)


def _traced(
    text: str, message: str, question: str, message_id: str, hints: list[ActivityGroup]
) -> Mention | None:
    """The model's activity with the place it was said; None when nothing in the turn bears it."""
    text = text.strip()
    stems = content_stems(text)
    if not stems:
        return None
    start, end = place_of(text, message)
    if start is None:
        here = content_stems(message)
        there = content_stems(question) if not is_clear_no(message) else frozenset()
        if len(stems & here) < len(stems) / 2 and len(stems & there) < len(stems) / 2:
            return None
    mention = _mention(text, message_id, start, end)
    if not mention.groups and len(hints) == 1:
        mention.groups = hints
    return mention


def _completed(
    mentions: list[Mention],
    own: str,
    named: list[str],
    *,
    message_id: str,
    question: str,
    state: SurveyState,
) -> Analysis:
    """Adds what no extraction sees: confirmed questions and cards, engagement, wish to stop."""
    cards = _cards_confirmed(own, state)
    if state.last_tool is Tool.OFFER and accepts_offer(own):
        mentions = []  # "let's go" is no work
    if not cards:
        mentions = mentions + _pending_confirmed(own, mentions, message_id, question, state)
    engagement = engagement_of(own, mentions)
    if engagement == "low" and (named or cards):
        engagement = "medium"
    brief = (
        not named
        and not cards
        and len(mentions) < MANY
        and not any(_is_clear(m.text, own) for m in mentions)
    )
    return Analysis(
        mentions=tuple(mentions),
        engagement=engagement,
        stop=stop_intent(own),
        is_brief=brief and not is_clear_no(own),
        confirmed_cards=tuple(cards),
        named_cards=tuple(named),
        passing=None if mentions or cards or named else _passing(own, message_id),
    )


_REFERS: Final = re.compile(r"^(?:those|these|they|that|it|them)\b", re.IGNORECASE)
_NO_TOPIC: Final = frozenset(
    "stuff thing idk dunno everyth anyth someth whatev ok okay fine yes no not sure mayb nah lol "
    "haha whatever usual normal busi hard good bad fun bore boring hmm test asdf first two three "
    "last all both right know idea think usual various vari depend mostli job work question "
    "understand sorry hello hi hey thank that".split()
)


def _passing(own: str, message_id: str) -> Mention | None:
    """A bare general noun as the whole answer, such as "meetings" or "some admin"."""
    text = own.strip().strip(".,!;")
    topic = re.sub(
        r"^(?:mostly|mainly|just|some|lots of|a lot of|also|and|the)\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    stems = content_stems(topic)
    fits = 1 <= len(stems) <= 2 and len(topic.split()) <= 3 and "?" not in own
    if not fits or stems & _NO_TOPIC or not topic.replace(" ", "").replace("-", "").isalpha():
        return None
    at = own.find(topic)
    return Mention(text=topic, message_id=message_id, start=at, end=at + len(topic), terse=True)


def _pending_confirmed(
    own: str, found: list[Mention], message_id: str, question: str, state: SurveyState
) -> list[Mention]:
    """Pending tasks that the reply confirms and that the extraction did not already resolve."""
    pending = state.pending_suggestions
    if not pending or state.last_tool == "show_suggestions":
        return []
    said = confirmation(own, question, named=len(pending))
    if said is Confirmed.NOTHING or (said is Confirmed.YES and found):
        return []
    return [
        _mention(text, message_id, None, None)
        for text in pending
        if not any(content_overlap(text, other.text) >= 0.5 for other in found)
    ]


_FIRST: Final = re.compile(
    r"^\W*(?:yes\W+|yeah\W+)?(?:just |only )?the (first|last)(?: (two|three|four))?\b",
    re.IGNORECASE,
)
_COUNTS: Final = {"two": 2, "three": 3, "four": 4}


def _cards_confirmed(own: str, state: SurveyState) -> list[str]:
    """Cards taken by words: "all of those", "the first two", right after they were shown."""
    if state.last_tool != "show_suggestions":
        return []
    if state.new_card_ids:
        return []  # "those fit" means the ones they tapped
    shown = [card.id for card in state.cards if card.display == state.suggestions_shown]
    first = _FIRST.match(own)
    if first:
        count = _COUNTS.get((first.group(2) or "").lower(), 1)
        return shown[:count] if first.group(1).lower() == "first" else shown[-count:]
    said = confirmation(own, "", named=len(shown))
    return shown if said is Confirmed.ALL else []


def engagement_of(own: str, mentions: Sequence[Mention]) -> Engagement:
    """Quality, never word count: activities with detail, one clear answer, or neither."""
    detailed = [m for m in mentions if _is_clear(m.text, own) and len(content_stems(m.text)) >= 2]
    if len(detailed) >= 2:
        return "high"
    if detailed or len(mentions) >= MANY or any(_is_clear(m.text, own) for m in mentions):
        return "medium"
    if is_clear_no(own) or (is_clear_yes(own) and not _HEDGED.search(own)):
        return "medium"
    return "low"


_HEDGED: Final = re.compile(
    r"\b(?:stuff|things?|whatever|something|sort of|kind of)\b", re.IGNORECASE
)


def _is_clear(activity: str, message: str) -> bool:
    """Whether an activity was said with a verb and an object."""
    tokens = words(activity)
    if len(content_stems(activity)) < 2 and not (len(tokens) > 1 and content_stems(activity)):
        return False
    head = tokens[:3]
    if any(forms_of(word) or gerund_base(word) for word in head[:-1] or head) and len(tokens) > 1:
        return _has_verb(tokens)
    return _said_with_subject(activity, message)


def _has_verb(tokens: list[str]) -> bool:
    first = tokens[0]
    return bool(forms_of(first)) or bool(gerund_base(first))


def _said_with_subject(activity: str, message: str) -> bool:
    """ "I do data analysis": the verb stands before the noun phrase that was picked out."""
    at = message.lower().find(activity.lower())
    before = words(message[:at])[-4:] if at > 0 else []
    return any(word in {"i", "we", "i'm", "we're"} for word in before)
