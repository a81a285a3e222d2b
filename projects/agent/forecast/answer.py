"""One message of a forecasting conversation: read, asked back once, computed, told, varied."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Final

from django.utils.translation import gettext as _

from chat.guides import (
    GuideEvent,
    Part,
    StageDone,
    StageStarted,
    StateChanged,
    Text,
    Turn,
    Utterance,
)
from chat.memory import assemble
from futura.errors import ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.agent import tools
from projects.agent.closing import Checker, Facts, boasts
from projects.agent.fencing import fence_of
from projects.agent.forecast import words
from projects.agent.forecast.checking import figures_of, keeps
from projects.agent.forecast.hearing import read_with_model
from projects.agent.forecast.prompts import TOOLS_VERSION, question_instructions
from projects.agent.forecast.reading import Said, read_by_rules, with_assumptions
from projects.agent.forecast.state import ForecastState
from projects.agent.forecast.telling import STAGE, figures_text, project_text, told_with_model
from projects.agent.readers import plan_of
from projects.agent.state import Phase
from projects.agent.toolbox import ToolBox
from projects.forecasting import actions
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.telling import Told, told_by_rules
from projects.forecasting.variants import compared
from projects.language import answers

Events = Iterator[GuideEvent]
_GO: Final = re.compile(
    r"^\W*(?:just |please )?(?:forecast|compute|go|start|do it|go ahead|show me)\b", re.IGNORECASE
)
_AGAIN: Final = re.compile(
    r"\b(?:forecast|compute|calculate|try|run)(?: it| this)? (?:again|anew|once more)|\brefresh\b"
    r"|\bnew forecast\b|\bupdate the forecast\b", re.IGNORECASE,
)  # fmt: skip
_SENTENCE: Final = re.compile(r"[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+$")


def _is_empty(said: Said) -> bool:
    return not (said.has_assumptions or said.variants or said.unclear)


class Forecasting:
    """One message being answered. It only reads the project; the forecast itself is kept."""

    def __init__(self, turn: Turn[ForecastState], message: Utterance) -> None:
        self.turn = turn
        self.state = turn.state
        self.memory = turn.state.forecast
        self.text = message.text.strip()
        self.box = ToolBox.of(turn)
        self.fence = fence_of(turn)
        self.state.turns += 1

    def events(self) -> Events:
        """The answer."""
        try:
            self.plan = plan_of(self.box)
        except ToolRejected:
            yield Text(words.gone())
            return
        said, only_asks = yield from self._read()
        self._remember(said)
        memory = self.memory
        inputs = with_assumptions(self.plan.inputs, memory.hands, memory.spread, memory.estimates)
        yield from self._answer(inputs, said, only_asks=only_asks)
        yield StateChanged("agent")

    def _answer(self, inputs: Inputs, said: Said, *, only_asks: bool) -> Events:
        before = self._last()
        result = forecast(inputs)
        if answers.is_closing(self.text):
            yield Text(words.ended(f"{self.turn.session_id}:{self.state.turns}"))
        elif isinstance(result, Declined):
            self.state.phase = Phase.CLARIFYING
            is_again, self.memory.has_declined = self.memory.has_declined, True
            nothing_new = is_again and not said.estimates
            told = words.declined_again if nothing_new else words.declined
            yield Text(told(result, self.plan.project.name))
        elif before is None and self._has_to_ask(said):
            yield from self._ask(inputs)
        elif before is None or said.has_assumptions or _AGAIN.search(self.text):
            kept = yield from self._tell(inputs, result)
            yield from self._vary(inputs, result, said, kept, lead="\n\n")
            yield Text(f"\n\n{words.invitation()}")
        elif said.variants:
            yield from self._vary_anew(inputs, result, said, before)
        elif only_asks and self.turn.llm.is_configured:
            yield from self._explain(inputs, result)
        else:
            titles = [one.title for one in result.drivers]
            yield Text(words.not_understood(said, titles))

    # Reading ----------------------------------------------------------------------------------
    def _read(self) -> Generator[GuideEvent, None, tuple[Said, bool]]:
        """What the message says, and whether it only asks something."""
        by_rules = read_by_rules(self.text, self.plan.inputs)
        asks = "?" in self.text and not by_rules.variants and not by_rules.unclear
        if not self.turn.llm.is_configured:
            return by_rules, asks
        stage = "forecast_reading"
        yield StageStarted(stage, _("Reading what that would change"))
        question = next((o.text for o in reversed(self.turn.history) if o.role == "assistant"), "")
        try:
            read = read_with_model(
                self.text, question[:2_000], self.plan.inputs, self.plan.picture, self.turn.llm,
                self.fence,
            )  # fmt: skip
        except ModelUnavailable as error:
            yield StageDone(stage, "rules", {"fallback": True, "because": error.reason})
            return by_rules, asks
        yield StageDone(stage, "model", {"variants": len(read[0].variants)})
        if _is_empty(read[0]) and not _is_empty(by_rules):  # what the model passed over
            return by_rules, False
        return read

    def _remember(self, said: Said) -> None:
        memory = self.memory
        memory.hands = said.hands or memory.hands
        memory.spread = said.spread or memory.spread
        memory.estimates = {**memory.estimates, **said.estimates}
        if not memory.situation:
            memory.situation = self.text
            self.state.user_responses["situation"] = self.text[:160]

    def _has_to_ask(self, said: Said) -> bool:
        return not (self.memory.has_asked or said.has_assumptions or _GO.search(self.text))

    def _ask(self, inputs: Inputs) -> Events:
        self.memory.has_asked = True
        self.state.questions_asked += 1
        self.state.phase = Phase.CLARIFYING
        yield Text(words.assumptions_asked(inputs))

    # Telling ----------------------------------------------------------------------------------
    def _last(self) -> Forecast | None:
        mine = Forecast.objects.filter(owner_id=self.box.owner_id)
        return mine.filter(pk__in=[self.memory.forecast_id]).first()

    def _tell(self, inputs: Inputs, result: Result) -> Generator[GuideEvent, None, Forecast]:
        yield StageStarted("simulation", _("Playing it forward"))
        yield StageDone("simulation", "engine", {"runs": result.runs, "tasks": len(inputs.tasks)})
        told, by = yield from self._worded(inputs, result)
        kept = self._kept(inputs, result, told, by)
        yield Text(words.forecast_text(inputs, result, told))
        yield Part({"type": "forecast", "id": str(kept.pk)})
        return kept

    def _worded(
        self, inputs: Inputs, result: Result
    ) -> Generator[GuideEvent, None, tuple[Told, str]]:
        if not self.turn.llm.is_configured:
            return told_by_rules(inputs, result), Forecast.By.RULES
        yield StageStarted(STAGE, _("Putting it into words"))
        try:
            told, refused = told_with_model(
                inputs, result, self.plan.picture, self.memory.situation, self.turn.llm, self.fence
            )
        except ModelUnavailable as error:
            yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
            return told_by_rules(inputs, result), Forecast.By.RULES
        yield StageDone(STAGE, "model", {"refused": refused[:10]})
        return told, Forecast.By.MODEL

    def _kept(self, inputs: Inputs, result: Result, told: Told, by: str) -> Forecast:
        kept = actions.keep(
            project=self.plan.project, inputs=inputs, result=result, told=told, told_by=by,
            situation=self.memory.situation, session_id=self.turn.session_id,
            run_id=self.turn.run_id,
        )  # fmt: skip
        self.memory.forecast_id = kept.pk
        self.state.phase = Phase.COMPLETED
        return kept

    # What if ----------------------------------------------------------------------------------
    def _vary_anew(self, inputs: Inputs, result: Result, said: Said, before: Forecast) -> Events:
        """Variants of the plan as it stands; where that has changed since, this is said first."""
        lead, kept = "", before
        if before.inputs != inputs.as_json():
            told = told_by_rules(inputs, result)
            kept = self._new(inputs, result, told, before)
            lead = _("The plan or the day has changed since then; as it stands now: ")
            lead += f"{words.headline(inputs, result)}\n\n"
        yield from self._vary(inputs, result, said, kept, lead=lead)
        if kept != before:
            yield Part({"type": "forecast", "id": str(kept.pk)})

    def _new(self, inputs: Inputs, result: Result, told: Told, before: Forecast) -> Forecast:
        kept = actions.keep(
            project=before.project, inputs=inputs, result=result, told=told,
            situation=before.situation, session_id=self.turn.session_id, run_id=self.turn.run_id,
        )  # fmt: skip
        self.memory.forecast_id = kept.pk
        return kept

    def _vary(
        self, inputs: Inputs, result: Result, said: Said, kept: Forecast, *, lead: str
    ) -> Events:
        texts = []
        for one in said.variants:
            found = compared(inputs, one, result)
            if isinstance(found, Declined):
                texts.append(words.declined(found, kept.project.name))
                continue
            actions.add_variant(forecast=kept, variant=words.variant_json(found, inputs))
            texts.append(words.variant_text(found, result, inputs))
        if texts:
            yield Text(lead + "\n\n".join(texts))

    # Questions --------------------------------------------------------------------------------
    def _explain(self, inputs: Inputs, result: Result) -> Events:
        """Answers a question with reading tools; sentences that leave the figures are left out."""
        told = told_by_rules(inputs, result)
        figures = figures_of(inputs, result, told, more=[self.text])
        state = "\n\n".join([figures_text(inputs, result, told), project_text(self.plan.picture)])
        instructions = question_instructions(self.fence)
        messages = assemble(
            self.turn.context,
            instructions=instructions,
            state=self.fence.around("records", state),
        )
        yield StageStarted("agent_tools", _("Looking it up"))
        said = ""
        try:
            said = tools.answered(self.turn.llm, messages, self.box, TOOLS_VERSION)
        except ModelUnavailable as error:
            yield StageDone("agent_tools", "rules", {"fallback": True, "because": error.reason})
        else:
            yield StageDone("agent_tools", "model")
        checker = Checker(Facts, secret=instructions)
        kept = "".join(
            one
            for one in _SENTENCE.findall(said)
            if keeps(one, figures) and not boasts(one) and not checker.tells(one)
        ).strip()
        yield Text(kept or words.headline(inputs, result))
