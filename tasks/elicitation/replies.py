"""The words of a reply: a short acknowledgement in the person's own terms, then one question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chat.guides import Utterance
from futura.llm.client import Llm
from futura.text import content_stems
from tasks.elicitation import phrases
from tasks.elicitation.gaps import Question, is_repeat
from tasks.elicitation.going_on import joined
from tasks.elicitation.phrases import pick
from tasks.elicitation.prompts import (
    RESPONSE_VERSION,
    ReplyInput,
    going_on_messages,
    reply_messages,
)
from tasks.elicitation.selection import Choice, Situation
from tasks.elicitation.spoken import SpokenReply
from tasks.elicitation.state import Mention, SurveyState, Tool
from tasks.elicitation.wording import capitalised, echo
from tasks.language.intents import (
    Stop,
    asks_about_us,
    asks_for_help,
    has_nothing_to_add,
    is_clear_no,
    is_clear_yes,
)

SENTENCES: Final = {
    Tool.OPEN: 3,
    Tool.FOLLOW_UP: 2,
    Tool.CUSTOM: 2,
    Tool.SUGGEST: 2,
    Tool.ENCOURAGE: 2,
    Tool.OFFER: 3,
    Tool.PROCEED: 2,
}
"""Most sentences of a reply, an acknowledgement of cards not counted (spec 1, prompts)."""

SENTENCES_AFTER_DUMP: Final = 3


@dataclass(frozen=True)
class Plan:
    """Everything a reply needs: the tool, its question, and what happened in the turn."""

    choice: Choice
    situation: Situation
    question: Question | None
    seed: str
    history: Sequence[Utterance] = ()

    @property
    def tool(self) -> Tool:
        """The tool of the turn."""
        return self.choice.tool

    @property
    def state(self) -> SurveyState:
        """The guide's state."""
        return self.situation.state

    @property
    def sentences(self) -> int:
        """Most sentences of this reply."""
        return SENTENCES_AFTER_DUMP if self.state.is_dump else SENTENCES[self.tool]


def cards_acknowledged(new: int, total: int) -> str:
    """The sentence for newly picked cards: one, then three in all, then several (DECISIONS 7)."""
    if new <= 0:
        return ""
    if new == 1:
        return str(phrases.CARDS_ONE)
    if total >= 3:
        return str(phrases.CARDS_TOTAL).format(total=total)
    return str(phrases.CARDS_MORE).format(new=new)


# By rules ----------------------------------------------------------------------------------------
def reply_by_rules(plan: Plan) -> list[str]:
    """The reply as stretches of text, in order; without the acknowledgement of cards."""
    state, seed = plan.state, plan.seed
    if plan.tool is Tool.OPEN:
        return [opening(state.job_title, seed)]
    if plan.tool is Tool.PROCEED:
        return [pick(phrases.PROCEED, state, seed)]
    question = plan.question.text if plan.question else str(phrases.GO_ON_PLAIN)
    if plan.tool in (Tool.SUGGEST, Tool.OFFER):
        return [question]
    taken = acknowledgement(plan)
    return [f"{taken} {question}" if taken else question]


def opening(title: str, seed: str) -> str:
    """The first words: takes up the job title and asks about everything."""
    shown = phrases.shown_title(title)
    role = phrases.role_of(shown)
    state = SurveyState()
    if role:
        return pick(phrases.OPENINGS_AS, state, seed).format(role=role)
    return pick(phrases.OPENINGS_TITLE, state, seed).format(title=shown)


def acknowledgement(plan: Plan) -> str:
    """One sentence about what the person just said; empty after picked cards."""
    s, state, seed = plan.situation, plan.state, plan.seed
    if state.new_card_ids:
        return ""
    said = _echoes(s.new, s.message)
    if state.is_dump:
        return _of_the_dump(said, state, seed)
    if s.stop is Stop.MAYBE:
        return pick(phrases.NOT_YET, state, seed)
    if said:
        return _of_the_new(said, len(s.new), state, seed)
    return pick(_by_manner(s), state, seed)


def _by_manner(s: Situation) -> Sequence[phrases.Words]:
    """Words for a message that brought nothing new."""
    if s.new:
        return phrases.TOOK_YES
    if asks_about_us(s.message):
        return phrases.ABOUT_US
    if asks_for_help(s.message):
        return phrases.HELP
    if s.is_stuck or (has_nothing_to_add(s.message) and s.state.last_tool is Tool.ENCOURAGE):
        return phrases.TOOK_NOTHING_MORE
    if is_clear_no(s.message):
        return phrases.TOOK_NO
    if s.repeats:
        return phrases.TOOK_KNOWN
    if is_clear_yes(s.message) and s.state.last_tool is Tool.SUGGEST:
        return phrases.TAP_THEM
    return phrases.TOOK_BARE_YES if is_clear_yes(s.message) else phrases.TOOK_VAGUE


def _echoes(new: Sequence[Mention], message: str) -> list[str]:
    """What was newly said, turned round to be said back, in the order it was said."""
    said: list[str] = []
    for mention in new:
        if mention.start is None or mention.end is None:
            continue
        quoted = message[mention.start : mention.end]
        is_said = content_stems(quoted) & content_stems(mention.text)
        words = echo(quoted if is_said else mention.text, before=message[: mention.start])
        if words and words not in said:
            said.append(words)
    return said


def _of_the_new(said: list[str], count: int, state: SurveyState, seed: str) -> str:
    if len(said) == 1:
        return _filled(pick(phrases.TOOK_ONE, state, seed), said[0], "")
    first, last = _telling_pair(said)
    table = phrases.TOOK_MANY if count >= 4 else phrases.TOOK_TWO
    return _filled(pick(table, state, seed), first, last)


def _of_the_dump(said: list[str], state: SurveyState, seed: str) -> str:
    if not said:
        return pick(phrases.DUMP_PLAIN, state, seed)
    pair = " and ".join(_telling_pair(said)) if len(said) > 1 else said[0]
    return pick(phrases.IN_THE_DUMP, state, seed).format(pair=pair)


def _telling_pair(said: list[str]) -> tuple[str, str]:
    """Two of them, the most telling by content words, in the order they were said."""
    ranked = sorted(range(len(said)), key=lambda at: (-min(len(content_stems(said[at])), 4), at))
    one, two = sorted(ranked[:2])
    return said[one], said[two]


def _filled(words: str, first: str, second: str) -> str:
    return words.format(a=first, A=capitalised(first), b=second)


# Questions that belong to a tool -----------------------------------------------------------------
def tool_question(tool: Tool, s: Situation, seed: str) -> Question | None:
    """The question of an offer, of cards, or about a detail; None when all wordings are spent."""
    state = s.state
    if tool is Tool.FOLLOW_UP and s.detail is not None:
        topic = echo(s.detail.text) or s.detail.text
        wordings = [pick(phrases.FOLLOW_UP, state, seed).format(topic=topic)]
        wordings += [str(words).format(topic=topic) for words in phrases.FOLLOW_UP]
        return _first_unasked(wordings, f"detail {topic}", state)
    if tool is Tool.SUGGEST:
        return _first_unasked([str(words) for words in phrases.SUGGEST], "", state)
    if tool is Tool.OFFER:
        found = _first_unasked([str(words) for words in phrases.OFFER], "", state)
        return found or Question(str(phrases.OFFER_PLAIN))
    return None


def _first_unasked(wordings: Sequence[str], area: str, state: SurveyState) -> Question | None:
    for text in wordings:
        if not is_repeat(question_in(text), area, state.asked):
            return Question(text, area)
    return None


def question_in(text: str) -> str:
    """The last sentence of a text that ends in a question mark, or nothing."""
    found = [part for part in SpokenReply.sentences_of(text) if part.endswith("?")]
    return found[-1] if found else ""


# With the model ----------------------------------------------------------------------------------
def reply_with_model(plan: Plan, llm: Llm, *, said: str = "") -> Iterator[str]:
    """The model's words as they come, held to the rules of a reply.

    With `said`, the first words of a reply that broke off, only what comes after them. Raises
    ModelUnavailable, before the first words or (a cut stream) after them.
    """
    messages = reply_messages(_input(plan))
    spoken = SpokenReply(
        asked=plan.state.asked,
        question="" if plan.tool is Tool.PROCEED else _asked_text(plan),
        max_sentences=plan.sentences,
        may_ask=plan.tool is not Tool.PROCEED,
        keep_whole=plan.tool is Tool.SUGGEST,
    )
    if said:
        messages += going_on_messages(said)
        spoken.resume(said)
        if spoken.is_over:
            return
    stream = llm.stream_text("response", messages, prompt_version=RESPONSE_VERSION)
    for delta in joined(said, stream) if said else stream:
        yield from spoken.hear(delta)
        if spoken.is_over:
            break
    close = getattr(stream, "close", None)
    if close is not None:
        close()
    yield from spoken.finish()


def _asked_text(plan: Plan) -> str:
    if plan.tool is Tool.OPEN:
        return question_in(opening(plan.state.job_title, plan.seed))
    return question_in(plan.question.text) if plan.question else ""


def _input(plan: Plan) -> ReplyInput:
    detail = plan.situation.detail
    return ReplyInput(
        tool=plan.tool,
        state=plan.state,
        history=plan.history,
        question=_asked_text(plan),
        is_dump=plan.state.is_dump,
        after_cards=bool(plan.state.new_card_ids),
        topic=detail.text if detail else "",
        asks_back=plan.situation.asks_back,
    )
