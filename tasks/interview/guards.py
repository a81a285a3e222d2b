"""Step two of a turn: one tool of seven, by tables over counts, turns and what analysis named.

Denials beat forces, and choices of every origin pass the same guards (DECISIONS 3 to 6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from chat.guides import Utterance
from futura.llm.client import Llm
from tasks.interview.analysis import Analysis
from tasks.interview.prompts import ToolChoice, selection_messages
from tasks.interview.state import CLARIFYING, Mention, SurveyState, Tool

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
FEW: Final = 2
"""So many new activities at most may be asked about one by one."""


@dataclass(frozen=True)
class Situation:
    """What the tables look at: the state after the message was taken in, and its analysis.

    `asks_for_another`: the person pressed the button for another question.
    """

    state: SurveyState
    analysis: Analysis = field(default_factory=Analysis)
    new: tuple[Mention, ...] = ()
    has_cards_left: bool = True
    asks_for_another: bool = False

    @property
    def is_stuck(self) -> bool:
        return not self.new and self.analysis.manner == "unsure"

    @property
    def detail(self) -> Mention | None:
        """What to ask more about, when this message named things in passing and nothing else."""
        if len(self.new) > FEW or self.state.is_dump:
            return None
        is_passing = all(m.terse and m.start is not None for m in self.new)
        return self.new[-1] if self.new and is_passing else None


@dataclass(frozen=True)
class Choice:
    """A tool, who chose it and why; `guards` names what the guards changed, in order."""

    tool: Tool
    reason: str
    by: Literal["rules", "model", "engine"] = "rules"
    question: str = ""
    guards: tuple[str, ...] = ()


# What needs no judgement ------------------------------------------------------------------------
def is_settled(state: SurveyState) -> bool:
    """Whether the tool stands before the message is read, but for a wish to stop."""
    return state.is_dump or bool(state.new_card_ids)


def by_fixed_rule(s: Situation) -> Choice | None:
    """The tool where the tables leave no choice, else None."""
    state = s.state
    if state.is_dump:
        return Choice(Tool.CUSTOM, "described the work at the start")
    if s.analysis.ending == "now":
        return Choice(Tool.PROCEED, "wants to stop, or took up the offer")
    if s.analysis.ending == "offer":
        return Choice(Tool.OFFER, "wants to stop")
    new_cards = len(state.new_card_ids)
    if new_cards >= CARDS_FOR_OFFER and state.estimated_task_count >= MIN_TASKS:
        return Choice(Tool.OFFER, f"{new_cards} cards picked, ten tasks reached")
    if new_cards:
        return Choice(Tool.ENCOURAGE, f"{new_cards} cards picked")
    if s.asks_for_another:
        return Choice(Tool.CUSTOM, "asked for another question")
    return None


# Judgement --------------------------------------------------------------------------------------
def choose_with_model(state: SurveyState, history: Sequence[Utterance], llm: Llm) -> Choice:
    """The model's choice, by the message and the state before it. Raises ModelUnavailable."""
    answer = llm.structured("tool_selection", selection_messages(state, history), ToolChoice)
    return Choice(Tool(answer.tool), answer.reason[:300], "model", answer.question or "")


def choose_by_table(s: Situation) -> Choice:
    """The tool where no model chose: engagement first, then detail, then how much is told."""
    state, manner = s.state, s.analysis.manner
    wants_cards = state.suggestions_shown < MAX_DISPLAYS and s.has_cards_left
    if not s.new and manner in ("asks_help", "asks_us"):
        tool = Tool.SUGGEST if manner == "asks_help" and wants_cards else Tool.CUSTOM
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
    if is_covered(state):
        return Choice(Tool.OFFER, "ten tasks, most kinds of work covered")
    is_told = state.has_good_coverage and state.estimated_task_count >= LAST_TURN_TASKS
    if is_told and state.last_tool in CLARIFYING:
        return Choice(Tool.ENCOURAGE, "most kinds of work covered")
    return Choice(Tool.CUSTOM, "answers well, and parts are missing")


def choose(s: Situation, from_model: Choice | None) -> Choice:
    """The fixed rules, else the model's choice, else the table's."""
    fixed = by_fixed_rule(s)
    if fixed is not None:
        return fixed
    if from_model is None:
        return choose_by_table(s)
    if from_model.tool is Tool.CUSTOM and s.detail is not None:
        return Choice(Tool.FOLLOW_UP, f"said in passing: {s.detail.text}")
    return from_model


# Guards ----------------------------------------------------------------------------------------
def is_covered(state: SurveyState) -> bool:
    return state.estimated_task_count >= MIN_TASKS and state.has_good_coverage


def is_long_enough(state: SurveyState) -> bool:
    return state.turn_count >= LAST_TURN and state.estimated_task_count >= LAST_TURN_TASKS


def is_forced(state: SurveyState) -> bool:
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
    instead: Tool | Callable[[Situation], Tool]


def _go_on(s: Situation) -> Tool:
    """Instead of a denied offer: acknowledge new cards, bring cards to the stuck, else ask on."""
    if s.state.new_card_ids:
        return Tool.ENCOURAGE
    return Tool.SUGGEST if s.is_stuck else Tool.CUSTOM


def _ask_on(s: Situation) -> Tool:
    """Instead of cards once more: a question, about a detail if there is one."""
    return Tool.CUSTOM if s.detail is None else Tool.FOLLOW_UP


def _is_early(s: Situation) -> bool:
    is_pushed = is_forced(s.state) or is_covered(s.state)
    return s.state.turn_count < MIN_TURNS and not is_pushed


def _has_few_tasks(s: Situation) -> bool:
    return s.state.estimated_task_count < MIN_TASKS and not is_long_enough(s.state)


_ON_THE_WAY: Final = frozenset({Tool.CUSTOM, Tool.FOLLOW_UP, Tool.ENCOURAGE, Tool.SUGGEST})
_OFFER: Final = frozenset({Tool.OFFER})
_SUGGEST: Final = frozenset({Tool.SUGGEST})
_FOLLOW_UP: Final = frozenset({Tool.FOLLOW_UP})

FORCES: Final = (
    Guard("forced_offer", _ON_THE_WAY, lambda s: is_forced(s.state), Tool.OFFER),
    Guard("good_coverage", _ON_THE_WAY, lambda s: is_covered(s.state), Tool.OFFER),
    Guard("long_enough", _ON_THE_WAY, lambda s: is_long_enough(s.state), Tool.OFFER),
)
"""What pushes towards an offer. They override only the four-turn minimum."""

DENIALS: Final = (
    Guard(
        "no_clarifying_question_yet",
        _OFFER,
        lambda s: not s.state.has_asked_clarifying_question,
        Tool.CUSTOM,
    ),
    Guard("first_turn", _OFFER, lambda s: s.state.turn_count <= 1, _go_on),
    Guard("under_ten_tasks", _OFFER, _has_few_tasks, _go_on),
    Guard("under_four_turns", _OFFER, _is_early, _go_on),
    Guard("offered_lately", _OFFER, lambda s: offered_lately(s.state), _go_on),
    Guard(
        "three_displays",
        _SUGGEST,
        lambda s: s.state.suggestions_shown >= MAX_DISPLAYS,
        Tool.ENCOURAGE,
    ),
    Guard("cards_twice_running", _SUGGEST, lambda s: s.state.last_tool is Tool.SUGGEST, _ask_on),
    Guard("no_cards_left", _SUGGEST, lambda s: not s.has_cards_left, Tool.ENCOURAGE),
    Guard(
        "follow_up_twice_running",
        _FOLLOW_UP,
        lambda s: s.state.last_tool is Tool.FOLLOW_UP,
        Tool.CUSTOM,
    ),
    Guard("nothing_to_follow_up", _FOLLOW_UP, lambda s: s.detail is None, Tool.CUSTOM),
)
"""What a choice may not be. They come after the forces, so they win."""


def guarded(choice: Choice, s: Situation) -> Choice:
    """The choice after all guards, in the order of the tables; an explicit wish passes them."""
    if choice.tool is Tool.PROCEED or s.state.is_dump:
        return choice
    if s.analysis.ending == "offer" or s.asks_for_another:
        return choice
    # while an offer rests nothing pushes towards one: the choice stands
    for guard in DENIALS if offered_lately(s.state) else (*FORCES, *DENIALS):
        if choice.tool in guard.over and guard.applies(s):
            tool = guard.instead if isinstance(guard.instead, Tool) else guard.instead(s)
            choice = replace(choice, tool=tool, by="rules", guards=(*choice.guards, guard.name))
    return choice


def is_complete_after(choice: Choice, state: SurveyState) -> bool:
    """Whether this turn completes the conversation (spec 1, exits; DECISIONS 4)."""
    if choice.tool is Tool.PROCEED:
        return True
    return choice.tool is Tool.OFFER and (is_covered(state) or is_long_enough(state))
