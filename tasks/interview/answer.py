"""One message being answered: reading, choosing, asking, replying, remembering."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from chat.guides import (
    Ended,
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from futura.errors import ModelUnavailable
from futura.llm.client import Parallel
from tasks.interview import bank, basic
from tasks.interview.analysis import (
    Analysis,
    analyse_with_model,
    noted_spans,
    take_in,
    wants_another_question,
)
from tasks.interview.cards import suggest_with_model
from tasks.interview.gaps import Gap, Question, gap_with_model, reference_for, usable, week_percent
from tasks.interview.guards import (
    Choice,
    Situation,
    by_fixed_rule,
    choose,
    choose_with_model,
    guarded,
    is_complete_after,
    is_settled,
)
from tasks.interview.reply import (
    Plan,
    cards_acknowledged,
    noted_plan,
    question_in,
    reply_with_model,
)
from tasks.interview.state import CLARIFYING, AskedQuestion, Card, Mention, SurveyState, Tool

T = TypeVar("T")
SurveyTurn = Turn[SurveyState]
Call = Callable[[], T | ModelUnavailable]

STAGE_LABELS: Final[Mapping[str, Promise]] = {
    "message_analysis": gettext_lazy("Reading your answer"),
    "tool_selection": gettext_lazy("Choosing the next question"),
    "gap_analysis": gettext_lazy("Finding areas not covered yet"),
    "suggestions": gettext_lazy("Selecting suggestions"),
    "response": gettext_lazy("Writing the reply"),
}


class Answer:
    """One message being answered.

    Without an analysis by the model the whole turn is basic mode's. Selection and gap analysis
    may fail on their own: the tables choose from what there is, and the reply finds its question.
    """

    def __init__(self, turn: SurveyTurn, message: Utterance, pool: Parallel) -> None:
        self.turn = turn
        self.state = turn.state
        self.message = message
        self.message_id = str(message.message_id)
        self.pool = pool
        self.history = [*turn.history, message]
        self.asked = next((u.text for u in reversed(turn.history) if u.role == "assistant"), "")
        self.asks_for_another = wants_another_question(message.text)
        self.state.turn_count += 1
        self.seed = f"{turn.session_id}:{self.state.turn_count}"
        self.reference = reference_for(self.state)
        self.is_basic = not turn.llm.is_configured
        self.fault: Mapping[str, Any] = {}
        # what reads the message side by side; None where it is not asked
        self.analysis_call: Call[Analysis] | None = None
        self.choice_call: Call[Choice] | None = None
        self.gap_call: Call[Gap] | None = None

    def events(self) -> Iterator[GuideEvent]:
        yield started("message_analysis")
        if not self.is_basic:
            self._start_calls()
        analysis, done = self._analysed()
        new = self._take_in(analysis)
        count = len(new) + len(set(analysis.card_ids) & set(self.state.new_card_ids))
        if count:
            yield Part({"type": "noted", "spans": noted_spans(new), "count": count}, to="message")
        yield replace(done, detail={**done.detail, **self._reading(analysis, new)})
        yield StateChanged()

        yield started("tool_selection")
        situation = Situation(
            self.state,
            analysis,
            new=tuple(new),
            has_cards_left=not self.is_basic or bank.has_cards_left(self.state, self.reference),
            asks_for_another=self.asks_for_another,
        )
        choice, done = self._chosen(situation)
        plan, gap_done = self._planned(situation, choice)
        yield replace(done, detail={**done.detail, **why(plan.choice), **noted_plan(plan.question)})
        if gap_done is not None:
            yield started("gap_analysis")
            yield gap_done

        yield from self._replied(plan)

    # Reading ----------------------------------------------------------------------------------
    def _start_calls(self) -> None:
        """Sends out what reads the message, with the state before it."""
        llm, start = self.turn.llm, self.pool.start
        before, text = copy.deepcopy(self.state), self.message.text
        if not self.asks_for_another:
            self.analysis_call = start(
                lambda: analyse_with_model(
                    text, message_id=self.message_id, question=self.asked, state=before, llm=llm
                )
            )
            if not is_settled(before):
                self.choice_call = start(lambda: choose_with_model(before, self.history, llm))
        self.gap_call = start(
            lambda: gap_with_model(before, self.reference, history=self.history, llm=llm)
        )

    def _analysed(self) -> tuple[Analysis, StageDone]:
        if self.asks_for_another:
            unchanged = Analysis(engagement=self.state.user_engagement)
            return unchanged, StageDone("message_analysis", "engine")
        read, fault = outcome_of(self.analysis_call)
        if read is not None:
            return read, StageDone("message_analysis", "model")
        if fault:
            self.is_basic, self.fault = True, fault
        analysis = basic.analyse(self.message.text, message_id=self.message_id, state=self.state)
        return analysis, StageDone("message_analysis", "rules", self.fault)

    def _take_in(self, analysis: Analysis) -> list[Mention]:
        state = self.state
        new = take_in(state, analysis)
        missed = analysis.manner == "no" and not new and state.last_tool in CLARIFYING
        state.no_streak = state.no_streak + 1 if missed else 0
        state.pending_suggestions = []  # they wait for one reply only
        state.week_percent = week_percent(state, self.reference)
        return new

    def _reading(self, analysis: Analysis, new: list[Mention]) -> dict[str, Any]:
        return {
            "newActivities": [mention.text for mention in new],
            "estimatedTaskCount": self.state.estimated_task_count,
            "engagement": analysis.engagement,
            "ending": analysis.ending,
            "gwaCoverage": {g.value: level for g, level in self.state.gwa_coverage.items()},
        }

    # Choosing ---------------------------------------------------------------------------------
    def _chosen(self, situation: Situation) -> tuple[Choice, StageDone]:
        if self.is_basic or self.choice_call is None or by_fixed_rule(situation) is not None:
            return choose(situation, None), StageDone("tool_selection", "rules", self.fault)
        chosen, fault = outcome_of(self.choice_call)
        return choose(situation, chosen), StageDone(
            "tool_selection", "rules" if fault else "model", fault
        )

    def _planned(self, s: Situation, choice: Choice) -> tuple[Plan, StageDone | None]:
        """The guarded choice with the question it will put, and the stage that gave it."""
        own_question = choice.question
        choice = guarded(choice, s)
        plan = Plan(choice, s, None, self.seed, self.history)
        if self.is_basic:
            return self._planned_by_bank(plan)
        asks_about_gap = choice.tool is Tool.ENCOURAGE and s.state.new_card_ids
        if choice.tool is not Tool.CUSTOM and not asks_about_gap:
            return plan, None
        gap, fault = outcome_of(self.gap_call)
        if gap is not None and gap.question is not None:
            detail = noted_plan(gap.question)
            return plan.asking(gap.question), StageDone("gap_analysis", "model", detail)
        question = usable(own_question, "", s.state)
        detail = {**noted_plan(question), **(fault or {"repeated": True})}
        return plan.asking(question), StageDone("gap_analysis", "engine", detail)

    def _planned_by_bank(self, plan: Plan) -> tuple[Plan, StageDone | None]:
        """Basic mode's question; no gap left means encouragement."""
        plan = basic.planned(plan, self.reference)
        if plan.question is None and plan.tool in CLARIFYING:
            guards = (*plan.choice.guards, "no_gap_left")
            instead = replace(plan.choice, tool=Tool.ENCOURAGE, guards=guards)
            plan = basic.planned(replace(plan, choice=instead), self.reference)
        if plan.tool is not Tool.CUSTOM or plan.question is None:
            return plan, None
        detail = {**noted_plan(plan.question), **self.fault}
        return plan, StageDone("gap_analysis", "rules", detail)

    # Replying ---------------------------------------------------------------------------------
    def _replied(self, plan: Plan) -> Iterator[GuideEvent]:
        state = self.state
        lead = cards_acknowledged(state)
        if lead and plan.tool is not Tool.PROCEED:
            yield Text(lead + " ")
        making, suggests = None, plan.tool is Tool.SUGGEST
        if suggests:
            yield started("suggestions")
            if not self.is_basic:  # made while their introduction is spoken
                before, llm = copy.deepcopy(state), self.turn.llm
                making = self.pool.start(
                    lambda: suggest_with_model(
                        before, self.reference, history=self.history, llm=llm
                    )
                )
        text, plan = yield from spoken(self.turn, plan, self.fault, is_basic=self.is_basic)
        cards: list[Card] = []
        if suggests:
            cards, done = self._made_cards(making)
            yield done
        self._remember(plan, text, cards)
        self._estimate()
        yield StateChanged()  # before the cards appear: a card can be tapped once it is known
        yield Part(turn_part(state, plan.tool, cards))
        if cards:
            yield Part(cards_part(cards))
        if plan.tool is Tool.PROCEED:
            yield Ended()

    def _made_cards(self, making: Call[list[Card]] | None) -> tuple[list[Card], StageDone]:
        by_model, fault = outcome_of(making)
        if by_model is not None:
            return by_model, StageDone("suggestions", "model", _statements_of(by_model))
        cards = bank.cards_for(self.state, self.reference, seed=self.seed)
        detail = {**(fault or self.fault), **_statements_of(cards)}
        return cards, StageDone("suggestions", "rules", detail)

    def _estimate(self) -> None:
        """How much of a week is on the list now; the gap analysis says what of it was told."""
        gap, _fault = outcome_of(self.gap_call)
        if gap is not None:
            covered = dict.fromkeys([*self.state.covered_statements, *gap.covered])
            self.state.covered_statements = list(covered)
        self.state.week_percent = week_percent(self.state, self.reference)

    def _remember(self, plan: Plan, text: str, cards: list[Card]) -> None:
        """What the next turn has to know about this reply."""
        state, tool, question = self.state, plan.tool, plan.question
        state.acknowledged_ids = list(
            dict.fromkeys([*state.acknowledged_ids, *state.selected_suggestion_ids])
        )
        put = question_in(text)
        if put or (question is not None and not self.is_basic):
            requested = question or Question("")
            state.asked.append(
                AskedQuestion(
                    question=put or requested.text, area=requested.area, element=requested.element
                )
            )
        state.pending_suggestions = list(question.pending) if question else []
        if tool is Tool.SUGGEST:
            state.suggestions_shown += 1
            state.cards.extend(cards)
        if tool is Tool.FOLLOW_UP:
            state.follow_ups_asked += 1
        if tool is Tool.OFFER:
            state.offered_on_turn = state.turn_count
        if tool in CLARIFYING:
            state.has_asked_clarifying_question = True
        state.is_complete = state.is_complete or is_complete_after(plan.choice, state)
        if tool is Tool.PROCEED:
            state.user_wants_to_stop = True
        state.actions_taken.append(tool)


def spoken(
    turn: SurveyTurn, plan: Plan, fault: Mapping[str, Any], *, is_basic: bool
) -> Generator[GuideEvent, None, tuple[str, Plan]]:
    """Streams the reply; answers its whole text, and the plan with the question that it put.

    Where the model gives no word, basic mode answers.
    """
    yield started("response")
    detail: dict[str, Any] = {"tool": plan.tool.value, **fault}
    if not is_basic:
        text = ""
        try:
            for delta in reply_with_model(plan, turn.llm):
                text += delta
                yield Text(delta)
        except ModelUnavailable as error:
            if text:
                raise
            detail.update(fault_of(error))
        if text:
            yield StageDone("response", "model", detail)
            return text, plan
        detail["fallback"] = True
    plan = basic.planned(plan, reference_for(plan.state))
    text = basic.reply(plan)
    yield Text(text)
    yield StageDone("response", "rules", detail)
    return text, plan


def started(name: str) -> StageStarted:
    return StageStarted(name, str(STAGE_LABELS[name]))


def fault_of(error: ModelUnavailable) -> dict[str, Any]:
    return {"fallback": True, "because": error.reason}


def outcome_of(call: Call[T] | None) -> tuple[T | None, dict[str, Any]]:
    """What a call gave; None, with its fault for the trace, where the model failed."""
    answer = call() if call is not None else None
    return (None, fault_of(answer)) if isinstance(answer, ModelUnavailable) else (answer, {})


def _statements_of(cards: Sequence[Card]) -> dict[str, list[str]]:
    return {"statements": [card.statement for card in cards]}


def why(choice: Choice) -> dict[str, Any]:
    return {
        "tool": choice.tool.value,
        "reason": choice.reason,
        "chosenBy": choice.by,
        "guards": list(choice.guards),
    }


def cards_part(cards: list[Card]) -> dict[str, Any]:
    listed = [
        {"id": c.id, "statement": c.statement, "group": c.group.value, "taskId": c.task_id}
        for c in cards
    ]
    return {"type": "suggestions", "cards": listed, "display": cards[0].display}


def turn_part(state: SurveyState, tool: Tool, cards: list[Card] | None = None) -> dict[str, Any]:
    """What a program is told of the turn beside the state (the JSON API reads it). Not shown."""
    return {
        "type": "turn",
        "tool": tool.value,
        "turnCount": state.turn_count,
        "isComplete": state.is_complete,
        "shouldShowSuggestions": bool(cards),
    }
