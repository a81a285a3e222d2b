"""One message being answered: reading, choosing, asking, replying, remembering."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

from chat.guides import (
    Ended,
    GuideEvent,
    Part,
    StageDone,
    StateChanged,
    Text,
    Utterance,
)
from futura.errors import ModelUnavailable
from tasks.elicitation.analysis import (
    Analysis,
    analyse_by_rules,
    analyse_with_model,
    noted_spans,
    take_in,
)
from tasks.elicitation.at_once import AtOnce
from tasks.elicitation.gaps import (
    Question,
    anything_else,
    gap_by_rules,
    gap_with_model,
    reference_for,
    usable,
)
from tasks.elicitation.going_on import Planned, noted_plan
from tasks.elicitation.replies import (
    Plan,
    cards_acknowledged,
    question_in,
    tool_question,
)
from tasks.elicitation.selection import (
    Choice,
    Situation,
    by_fixed_rule,
    choose,
    choose_with_model,
    guarded,
    is_complete_after,
)
from tasks.elicitation.state import CLARIFYING, Asked, Card, Mention, SurveyState, Tool
from tasks.elicitation.suggestions import has_cards_left, suggest_by_rules, suggest_with_model
from tasks.elicitation.telling import (
    SurveyTurn,
    cards_part,
    settled,
    spoken,
    started,
    turn_part,
    why,
)
from tasks.language.intents import Stop, is_clear_no, stop_intent, tasks_named


@dataclass
class Thoughts:
    """What the first wave of model calls answers; None where no call was made."""

    analysis: Callable[[], Analysis | ModelUnavailable] | None = None
    choice: Callable[[], Choice | ModelUnavailable] | None = None
    gap: Callable[[], Question | ModelUnavailable] | None = None


class Answer:
    """One message being answered."""

    def __init__(self, turn: SurveyTurn, message: Utterance, pool: AtOnce) -> None:
        self.turn = turn
        self.state = turn.state
        self.message = message
        self.pool = pool
        self.history = [*turn.history, message]
        self.asked = next((u.text for u in reversed(turn.history) if u.role == "assistant"), "")
        if not turn.continues:
            self.state.turn_count += 1
        self.seed = f"{turn.session_id}:{self.state.turn_count}"
        self.reference = reference_for(self.state)
        self.thoughts = Thoughts()

    def events(self) -> Iterator[GuideEvent]:
        """Analysis, selection, question, cards, reply."""
        yield started("message_analysis")
        by_rules = self._read_by_rules()
        self._think(by_rules)
        analysis, done = settled("message_analysis", self.thoughts.analysis, lambda: by_rules)
        new = self._take_in(analysis)
        yield from self._noted(new, analysis)
        yield replace(done, detail={**done.detail, **self._reading(analysis, new)})
        yield StateChanged()

        situation = self._situation(analysis, new)
        yield started("tool_selection")
        choice, done = self._chosen(situation)
        plan, choice = self._planned(situation, choice)
        yield replace(done, detail={**done.detail, **why(choice), **noted_plan(plan.question)})
        if plan.tool in (Tool.CUSTOM, Tool.ENCOURAGE) and plan.question is not None:
            yield from self._gap_done(plan)

        yield from self._replied(plan)

    def rest(self, planned: Planned) -> Iterator[GuideEvent]:
        """The other half of a reply that broke off; the message was read and noted before."""
        said_here = str(self.message.message_id)
        new = [m for m in self.state.mentioned_activities if m.message_id == said_here]
        situation = Situation(self.state, message=self.message.text, new=tuple(new))
        yield planned.done
        yield from self._replied(
            Plan(planned.choice, situation, planned.question, self.seed, self.history)
        )

    # Reading ----------------------------------------------------------------------------------
    def _read_by_rules(self) -> Analysis:
        return analyse_by_rules(
            self.message.text,
            message_id=str(self.message.message_id),
            question=self.asked,
            state=self.state,
        )

    def _think(self, by_rules: Analysis) -> None:
        """Sends the first wave; nothing where no model is set or the rules decide anyway."""
        llm, state = self.turn.llm, self.state
        if not llm.is_configured:
            return
        known = copy.deepcopy(state)
        self.thoughts.analysis = self.pool.start(
            lambda: analyse_with_model(
                self.message.text,
                message_id=str(self.message.message_id),
                question=self.asked,
                state=known,
                llm=llm,
            )
        )
        if stop_intent(self.message.text) is Stop.YES and not state.is_dump:
            return
        guessed = copy.deepcopy(state)
        new = take_in(guessed, by_rules)
        if by_fixed_rule(self._situation(by_rules, new, state=guessed)) is None:
            self.thoughts.choice = self.pool.start(
                lambda: choose_with_model(guessed, self.history, llm)
            )
        self.thoughts.gap = self.pool.start(
            lambda: gap_with_model(guessed, self.reference, history=self.history, llm=llm)
        )

    def _take_in(self, analysis: Analysis) -> list[Mention]:
        state = self.state
        new = take_in(state, analysis)
        missed = is_clear_no(self.message.text) and not new and state.last_tool in CLARIFYING
        state.no_streak = state.no_streak + 1 if missed else 0
        state.pending_suggestions = []  # they wait for one reply only
        return new

    def _noted(self, new: list[Mention], analysis: Analysis) -> Iterator[GuideEvent]:
        cards = len(
            {*analysis.confirmed_cards, *analysis.named_cards} & set(self.state.new_card_ids)
        )
        if new or cards:
            spans = noted_spans(new)
            yield Part({"type": "noted", "spans": spans, "count": len(new) + cards}, to="message")

    def _reading(self, analysis: Analysis, new: list[Mention]) -> dict[str, Any]:
        return {
            "newActivities": [mention.text for mention in new],
            "estimatedTaskCount": self.state.estimated_task_count,
            "engagement": analysis.engagement,
            "stop": analysis.stop.name.lower(),
            "gwaCoverage": {g.value: level for g, level in self.state.gwa_coverage.items()},
        }

    # Choosing ---------------------------------------------------------------------------------
    def _situation(
        self, analysis: Analysis, new: list[Mention], state: SurveyState | None = None
    ) -> Situation:
        state = state or self.state
        return Situation(
            state=state,
            message=self.message.text,
            stop=analysis.stop,
            new=tuple(new),
            passing=analysis.passing,
            repeats=bool(analysis.mentions) and not new,
            has_cards_left=has_cards_left(state, self.reference),
        )

    def _chosen(self, situation: Situation) -> tuple[Choice, StageDone]:
        if self.thoughts.choice is None or by_fixed_rule(situation) is not None:
            return choose(situation, None), StageDone("tool_selection", "rules")
        answer = self.thoughts.choice()
        if isinstance(answer, ModelUnavailable):
            detail = {"fallback": True, "because": answer.reason}
            return choose(situation, None), StageDone("tool_selection", "rules", detail)
        return choose(situation, answer), StageDone("tool_selection", "model")

    def _planned(self, s: Situation, choice: Choice) -> tuple[Plan, Choice]:
        """The guarded choice with the question it will put; no gap left means encouragement."""
        wanted = choice.question
        choice = guarded(choice, s)
        question = self._question(s, choice, wanted)
        if question is None and choice.tool in CLARIFYING:
            choice = replace(choice, tool=Tool.ENCOURAGE, guards=(*choice.guards, "no_gap_left"))
            question = self._question(s, choice, "")
        plan = Plan(choice, s, question, self.seed, self.history)
        return plan, choice

    def _question(self, s: Situation, choice: Choice, wanted: str) -> Question | None:
        if choice.tool is Tool.PROCEED:
            return None
        if choice.tool is Tool.CUSTOM or (choice.tool is Tool.ENCOURAGE and s.state.new_card_ids):
            return self._gap(wanted) or anything_else_if(choice, s.state, self.seed)
        if choice.tool is Tool.ENCOURAGE:
            return anything_else(s.state, seed=self.seed)
        return tool_question(choice.tool, s, self.seed)

    def _gap(self, wanted: str) -> Question | None:
        """Gap analysis first, then the selection's own question, then the bank (DECISIONS 11)."""
        if self.thoughts.gap is not None:
            answer = self.thoughts.gap()
            if isinstance(answer, Question):
                checked = usable(answer.text, answer.area, self.state)
                if checked is not None:
                    self.gap_by = "model"
                    return checked
        self.gap_by = "rules"
        suggested = usable(wanted, "", self.state)
        return suggested or gap_by_rules(self.state, self.reference, seed=self.seed)

    gap_by: str = "rules"

    def _gap_done(self, plan: Plan) -> Iterator[GuideEvent]:
        question = plan.question
        if question is None or question.area.startswith("more "):
            return
        yield started("gap_analysis")
        failed = self.thoughts.gap is not None and self.gap_by == "rules"
        detail = {"area": question.area, "question": question.text}
        yield StageDone(
            "gap_analysis",
            "model" if self.gap_by == "model" else "rules",
            {**detail, "fallback": True} if failed else detail,
        )

    # Replying ---------------------------------------------------------------------------------
    def _replied(self, plan: Plan) -> Iterator[GuideEvent]:
        state = self.state
        new = len(state.new_card_ids)
        lead = cards_acknowledged(new, len(state.selected_suggestion_ids))
        if plan.tool is Tool.PROCEED or self.turn.continues:
            lead = ""
        if lead:
            yield Text(lead + " ")
        cards: list[Card] = []
        if plan.tool is Tool.SUGGEST:
            cards, said = yield from self._suggested(plan)
        else:
            said = yield from spoken(self.turn, plan)
        self._remember(plan, said, cards)
        yield StateChanged()  # before the cards appear: a card can be tapped once it is known
        yield Part(turn_part(state, plan.tool, cards))
        if cards:
            yield Part(cards_part(cards))
        if plan.tool is Tool.PROCEED:
            yield Ended()

    def _suggested(self, plan: Plan) -> Generator[GuideEvent, None, tuple[list[Card], str]]:
        """Cards and their introduction; with a model both are made at the same time."""
        yield started("suggestions")
        making: Callable[[], list[Card] | ModelUnavailable] | None = None
        llm = self.turn.llm
        if llm.is_configured:
            known = copy.deepcopy(self.state)
            making = self.pool.start(
                lambda: suggest_with_model(
                    known, self.reference, history=self.history, seed=self.seed, llm=llm
                )
            )
        said = yield from spoken(self.turn, plan)
        cards, done = settled(
            "suggestions",
            making,
            lambda: suggest_by_rules(self.state, self.reference, seed=self.seed),
        )
        yield replace(done, detail={**done.detail, "statements": [c.statement for c in cards]})
        return cards, said

    def _remember(self, plan: Plan, said: str, cards: list[Card]) -> None:
        """What the next turn has to know about this reply."""
        state, tool = self.state, plan.tool
        state.acknowledged_ids = list(
            dict.fromkeys([*state.acknowledged_ids, *state.selected_suggestion_ids])
        )
        put = question_in(said)
        if put:
            area = plan.question.area if plan.question else ""
            state.asked.append(Asked(question=put, area=area))
        state.pending_suggestions = pending(plan, put)
        if tool is Tool.SUGGEST:
            state.suggestions_shown += 1
            state.cards.extend(cards)
        if tool is Tool.FOLLOW_UP:
            state.follow_ups_asked += 1
        if tool is Tool.OFFER:
            state.offers_made += 1
            state.offered_on_turn = state.turn_count
        if tool in CLARIFYING:
            state.has_asked_clarifying_question = True
        state.is_complete = state.is_complete or is_complete_after(plan.choice, state)
        if tool is Tool.PROCEED:
            state.user_wants_to_stop = True
        state.actions_taken.append(tool)


def anything_else_if(choice: Choice, state: SurveyState, seed: str) -> Question | None:
    """A question for more, where encouragement found no gap to name."""
    return anything_else(state, seed=seed) if choice.tool is Tool.ENCOURAGE else None


def pending(plan: Plan, put: str) -> list[str]:
    """The tasks that a yes to this question would confirm."""
    if plan.tool not in (Tool.CUSTOM, Tool.ENCOURAGE) or plan.question is None or not put:
        return []
    return list(plan.question.pending) if plan.question.pending else tasks_named(put)
