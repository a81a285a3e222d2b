"""Step two of a turn: one tool of seven, in three layers: rules, model or its counterpart, guards.

Denials beat forces, and choices of every layer pass the same guards (DECISIONS 3 to 6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from chat.guides import Utterance
from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from tasks.elicitation.prompts import SelectionInput, ToolChoice, selection_messages
from tasks.elicitation.state import CLARIFYING, Mention, SurveyState, Tool
from tasks.language.intents import (
    Stop,
    accepts_offer,
    asks_about_us,
    asks_for_help,
    has_nothing_to_add,
    is_clear_no,
    is_clear_yes,
)

MIN_TASKS: Final = 10
MIN_TURNS: Final = 4
FORCE_TASKS: Final = 15
FORCE_TURNS: Final = 6
MAX_DISPLAYS: Final = 3
OFFER_PAUSE_TURNS: Final = 2
LAST_TURN: Final = 10
LAST_TURN_TASKS: Final = 8
CARDS_FOR_OFFER: Final = 3
BRIEF_BEFORE_CARDS: Final = 2
NOES_BEFORE_CARDS: Final = 2

MODEL_TOOLS: Final = frozenset({Tool.CUSTOM, Tool.SUGGEST, Tool.ENCOURAGE, Tool.OFFER})
"""The four a model may choose from (spec 1, tool selection prompt)."""


@dataclass(frozen=True)
class Situation:
    """What the layers look at: the state after the message was taken in, and the message."""

    state: SurveyState
    message: str = ""
    stop: Stop = Stop.NO
    new: tuple[Mention, ...] = ()
    passing: Mention | None = None
    has_cards_left: bool = True
    repeats: bool = False

    @property
    def accepts(self) -> bool:
        """The offer just made is taken up, in so many words or by having nothing to add."""
        if self.state.last_tool is not Tool.OFFER:
            return False
        bare = self.message.strip(" .!").lower() in {"no", "nope", "nah", "not really", "nothing"}
        done = has_nothing_to_add(self.message) and not bare and not self.new
        return accepts_offer(self.message) or done

    @property
    def is_stuck(self) -> bool:
        """Nothing came to mind, or the person asked what is meant."""
        return not self.new and (
            has_nothing_to_add(self.message) and not is_clear_no(self.message)
            if self.state.last_tool is not Tool.ENCOURAGE
            else has_nothing_to_add(self.message)
        )

    @property
    def asks_back(self) -> bool:
        """The person put a question to the guide instead of answering."""
        return not self.new and (asks_for_help(self.message) or asks_about_us(self.message))

    @property
    def detail(self) -> Mention | None:
        """What to ask more about, when this message named things in passing and nothing else."""
        if len(self.new) > 2 or self.state.is_dump or is_clear_yes(self.message):
            return None
        if not self.new:
            return self.passing
        return self.new[-1] if all(m.terse and m.start is not None for m in self.new) else None


@dataclass(frozen=True)
class Choice:
    """A tool, who chose it and why; `guards` names what the guards changed, in order."""

    tool: Tool
    reason: str
    by: Literal["rules", "model", "engine"] = "rules"
    question: str = ""
    guards: tuple[str, ...] = ()


# Layer one: what needs no judgement --------------------------------------------------------------
def by_fixed_rule(s: Situation) -> Choice | None:
    """The tool where the rules leave no choice, else None."""
    state = s.state
    if state.is_dump:
        return Choice(Tool.CUSTOM, "described the work at the start")
    if s.stop is Stop.YES:
        return Choice(Tool.PROCEED, "wants to stop")
    if s.accepts:
        return Choice(Tool.PROCEED, "took up the offer")
    new_cards = len(state.new_card_ids)
    if new_cards >= CARDS_FOR_OFFER and state.estimated_task_count >= MIN_TASKS:
        return Choice(Tool.OFFER, f"{new_cards} cards picked, ten tasks reached")
    if new_cards:
        return Choice(Tool.ENCOURAGE, f"{new_cards} cards picked")
    return None


# Layer two: judgement -----------------------------------------------------------------------------
def choose_with_model(state: SurveyState, history: Sequence[Utterance], llm: Llm) -> Choice:
    """The model's choice. Raises ModelUnavailable, also for a tool that it may not choose."""
    answer = llm.structured(
        "tool_selection",
        selection_messages(SelectionInput(state=state, history=history)),
        ToolChoice,
        prompt_version=ToolChoice.VERSION,
    )
    if answer.tool not in MODEL_TOOLS:
        raise ModelUnavailable(f"No such tool: {answer.tool[:60]!r}", reason="unknown_tool")
    return Choice(Tool(answer.tool), answer.reason[:300], "model", answer.question or "")


def choose_by_rules(s: Situation) -> Choice:
    """The same choice by rules: engagement first, then detail, then how much is on the table."""
    state = s.state
    wants_cards = state.suggestions_shown < MAX_DISPLAYS and s.has_cards_left
    if s.asks_back:
        tool = Tool.SUGGEST if asks_for_help(s.message) and wants_cards else Tool.CUSTOM
        return Choice(tool, "asked us something")
    if s.is_stuck:
        if state.estimated_task_count >= MIN_TASKS:
            return Choice(Tool.OFFER, "has nothing to add")
        return Choice(Tool.SUGGEST if wants_cards else Tool.CUSTOM, "nothing comes to mind")
    if s.detail is not None and state.user_engagement != "low":
        return Choice(Tool.FOLLOW_UP, f"said in passing: {s.detail.text}")
    if state.user_engagement == "low" or state.brief_streak >= BRIEF_BEFORE_CARDS:
        spent = not wants_cards and state.last_tool is Tool.ENCOURAGE
        return Choice(Tool.CUSTOM if spent else Tool.SUGGEST, "vague or sparing with words")
    if state.no_streak >= NOES_BEFORE_CARDS and wants_cards:
        return Choice(Tool.SUGGEST, "our questions missed twice")
    if state.estimated_task_count >= MIN_TASKS and state.has_good_coverage:
        return Choice(Tool.OFFER, "ten tasks, most kinds of work covered")
    if _nearly_done(state):
        return Choice(Tool.ENCOURAGE, "most kinds of work covered")
    return Choice(Tool.CUSTOM, "answers well, and parts are missing")


def _nearly_done(state: SurveyState) -> bool:
    """Most of it seems told, and the last question was a real one."""
    told = state.has_good_coverage and state.estimated_task_count >= LAST_TURN_TASKS
    return told and state.last_tool in CLARIFYING


def choose(s: Situation, from_model: Choice | None) -> Choice:
    """Layers one and two together; a doubtful wish to stop becomes an offer."""
    fixed = by_fixed_rule(s)
    if fixed is not None:
        return fixed
    if s.stop is Stop.MAYBE:
        return Choice(Tool.OFFER, "perhaps wants to stop")
    if from_model is None:
        return choose_by_rules(s)
    if from_model.tool is Tool.CUSTOM and s.detail is not None:
        return Choice(Tool.FOLLOW_UP, f"said in passing: {s.detail.text}", "rules")
    return from_model


# Layer three: guards -----------------------------------------------------------------------------
def is_covered(state: SurveyState) -> bool:
    """Exit two: ten tasks and three groups at medium or above."""
    return state.estimated_task_count >= MIN_TASKS and state.has_good_coverage


def is_long_enough(state: SurveyState) -> bool:
    """Exit three: ten turns and eight tasks."""
    return state.turn_count >= LAST_TURN and state.estimated_task_count >= LAST_TURN_TASKS


def is_forced(state: SurveyState) -> bool:
    """Fifteen tasks, or ten tasks after six turns."""
    tasks = state.estimated_task_count
    return tasks >= FORCE_TASKS or (tasks >= MIN_TASKS and state.turn_count >= FORCE_TURNS)


def offered_lately(state: SurveyState) -> bool:
    """An offer that was passed over rests for two turns."""
    since = state.turn_count - (state.offered_on_turn or 0)
    return state.offered_on_turn is not None and since <= OFFER_PAUSE_TURNS


@dataclass(frozen=True)
class Guard:
    """When the chosen tool is in `over` and `applies`, it gives way to `instead`."""

    name: str
    over: frozenset[Tool]
    applies: Callable[[Situation], bool]
    instead: Callable[[Situation], Tool]


def _custom(_: Situation) -> Tool:
    return Tool.CUSTOM


def _encourage(_: Situation) -> Tool:
    return Tool.ENCOURAGE


def _offer(_: Situation) -> Tool:
    return Tool.OFFER


def _go_on(s: Situation) -> Tool:
    """Instead of a denied offer: acknowledge new cards, bring cards to the stuck, else ask on."""
    if s.state.new_card_ids:
        return Tool.ENCOURAGE
    return Tool.SUGGEST if s.is_stuck else Tool.CUSTOM


_OFFER_ONLY: Final = frozenset({Tool.OFFER})
_SUGGEST_ONLY: Final = frozenset({Tool.SUGGEST})
_FOLLOW_UP_ONLY: Final = frozenset({Tool.FOLLOW_UP})
_ON_THE_WAY: Final = frozenset({Tool.CUSTOM, Tool.FOLLOW_UP, Tool.ENCOURAGE, Tool.SUGGEST})

FORCES: Final = (
    Guard("forced_offer", _ON_THE_WAY, lambda s: is_forced(s.state), _offer),
    Guard("good_coverage", _ON_THE_WAY, lambda s: is_covered(s.state), _offer),
    Guard("long_enough", _ON_THE_WAY, lambda s: is_long_enough(s.state), _offer),
)
"""What pushes towards an offer. They override only the four-turn minimum."""

DENIALS: Final = (
    Guard(
        "no_clarifying_question_yet",
        _OFFER_ONLY,
        lambda s: not s.state.has_asked_clarifying_question,
        _custom,
    ),
    Guard("first_turn", _OFFER_ONLY, lambda s: s.state.turn_count <= 1, _go_on),
    Guard(
        "under_ten_tasks",
        _OFFER_ONLY,
        lambda s: s.state.estimated_task_count < MIN_TASKS and not is_long_enough(s.state),
        _go_on,
    ),
    Guard(
        "under_four_turns",
        _OFFER_ONLY,
        lambda s: (
            s.state.turn_count < MIN_TURNS and not is_forced(s.state) and not is_covered(s.state)
        ),
        _go_on,
    ),
    Guard("offered_lately", _OFFER_ONLY, lambda s: offered_lately(s.state), _go_on),
    Guard(
        "three_displays",
        _SUGGEST_ONLY,
        lambda s: s.state.suggestions_shown >= MAX_DISPLAYS,
        _encourage,
    ),
    Guard(
        "cards_twice_running",
        _SUGGEST_ONLY,
        lambda s: s.state.last_tool is Tool.SUGGEST,
        lambda s: Tool.CUSTOM if s.detail is None else Tool.FOLLOW_UP,
    ),
    Guard("no_cards_left", _SUGGEST_ONLY, lambda s: not s.has_cards_left, _encourage),
    Guard(
        "follow_up_twice_running",
        _FOLLOW_UP_ONLY,
        lambda s: s.state.last_tool is Tool.FOLLOW_UP,
        _custom,
    ),
    Guard("nothing_to_follow_up", _FOLLOW_UP_ONLY, lambda s: s.detail is None, _custom),
)
"""What a choice may not be. They come after the forces, so they win."""


def guarded(choice: Choice, s: Situation) -> Choice:
    """The choice after all guards, in the order of the tables."""
    if choice.tool is Tool.PROCEED or s.state.is_dump:
        return choice
    for guard in (*FORCES, *DENIALS):
        if choice.tool in guard.over and guard.applies(s):
            choice = replace(
                choice, tool=guard.instead(s), by="rules", guards=(*choice.guards, guard.name)
            )
    return choice


def is_complete_after(choice: Choice, state: SurveyState) -> bool:
    """Whether this turn completes the conversation (spec 1, exits; DECISIONS 4)."""
    if choice.tool is Tool.PROCEED:
        return True
    return choice.tool is Tool.OFFER and (is_covered(state) or is_long_enough(state))
