"""The guide of forecasting conversations: computed at once, then assumptions and what-if."""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from chat.assistant.delimiter import delimiter_of
from chat.guides import GuideEvent, Part, StageDone, StageStarted, StateChanged, Text, Turn
from futura.errors import ModelUnavailable
from futura.llm.tools import ToolRejected
from projects.forecasting import actions
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.telling import Told, told_by_rules
from projects.forecasting.variants import JSON, Variant, assumed, compared, merged
from projects.modes.forecast import texts
from projects.modes.forecast.prompts import TOOLS_VERSION, question_instructions
from projects.modes.forecast.reading import STAGE as READING
from projects.modes.forecast.reading import Reading, reading_of
from projects.modes.forecast.state import ForecastState
from projects.modes.forecast.wording import STAGE, figures_text, project_text, worded
from projects.modes.plan import plan_of
from projects.modes.rows import ProjectRows
from projects.modes.state import FORECAST, Phase
from projects.modes.talking import answer_with_tools

Events = Iterator[GuideEvent]
ASSUMED = "assumptions"
"""The type of a message's part that carries what somebody entered in the form."""


class ForecastGuide:
    """Begins with the forecast; counts what is said, and shows what-if beside it."""

    kind = FORECAST
    state_model = ForecastState

    def respond(self, turn: Turn[ForecastState]) -> Iterator[GuideEvent]:
        """The forecast, or the answer to a message."""
        try:
            yield from _Answer(turn).events()
        except ToolRejected:
            yield Text(texts.gone())

    def ended(self, session_id: uuid.UUID) -> None:
        """Forecasting conversations do not end: the next “what if” may come any day."""


class _Answer:
    """One message being answered. It only reads the project; the forecast itself is stored."""

    def __init__(self, turn: Turn[ForecastState]) -> None:
        self.turn = turn
        self.state = turn.state
        self.memory = turn.state.forecast
        self.text = turn.message.text.strip() if turn.message else ""
        self.rows = ProjectRows.of(turn)
        self.delimiter = delimiter_of(turn)
        self.plan = plan_of(self.rows)

    def events(self) -> Events:
        """What the message says is counted first; then comes what it changes."""
        if self.turn.message is not None:
            self.state.turns += 1
            if not self.memory.situation:
                self.memory.situation = self.text
                self.state.user_responses["situation"] = self.text[:160]
        reading = yield from self._reading()
        kept = [one for one in self.memory.assumptions if one.subject not in reading.withdrawn]
        self.memory.assumptions = merged(kept, reading.assumptions)
        inputs = assumed(self.plan.inputs, self.memory.assumptions)
        result, before = forecast(inputs), self._last()
        if isinstance(result, Declined):
            self.state.phase = Phase.CLARIFYING
            if reading.assumptions:
                yield Text(texts.counted(reading.assumptions, inputs) + "\n\n")
            yield Text(texts.declined(result, self.plan.project.name))
        elif before is None:
            stored = yield from self._first(inputs, result, reading)
            yield from self._branches(inputs, result, reading.branch, stored)
            yield Text(f"\n\n{texts.invitation()}")
        else:
            yield from self._next(inputs, result, reading, before)
        yield Part(self._form_part(inputs))
        yield StateChanged("agent")

    # Reading ----------------------------------------------------------------------------------
    def _reading(self) -> Generator[GuideEvent, None, Reading]:
        message = self.turn.message
        entered = self._entered(message.parts) if message else None
        if message is None or entered is not None or not self.turn.llm.is_configured:
            return entered or Reading()
        yield StageStarted(READING, _("Reading what that would change"))
        answers = (one.text for one in reversed(self.turn.history) if one.role == "assistant")
        try:
            reading = reading_of(
                self.text, next(answers, "")[:2_000], self.plan.inputs, self.plan.snapshot,
                self.memory.assumptions, self.turn.llm, self.delimiter,
            )  # fmt: skip
        except ModelUnavailable as error:
            yield StageDone(READING, "rules", {"fallback": True, "because": error.reason})
            return Reading()
        yield StageDone(READING, "model", {"refused": reading.refused})
        return reading

    def _entered(self, parts: Sequence[Mapping[str, Any]]) -> Reading | None:
        """What the form says, where the message came from it."""
        part = next((one for one in parts if one.get("type") == ASSUMED), None)
        if part is None:
            return None
        items = JSON.validate_python(part.get("items", []))
        return Reading(branch=items) if part.get("as") == "what_if" else Reading(assumptions=items)

    # Telling ----------------------------------------------------------------------------------
    def _last(self) -> Forecast | None:
        own = Forecast.objects.filter(owner_id=self.rows.owner_id)
        return own.filter(pk__in=[self.memory.forecast_id]).first()

    def _first(
        self, inputs: Inputs, result: Result, reading: Reading
    ) -> Generator[GuideEvent, None, Forecast]:
        yield StageStarted("simulation", _("Playing it forward"))
        yield StageDone("simulation", "engine", {"runs": result.runs, "tasks": len(inputs.tasks)})
        told, by = yield from self._worded(inputs, result)
        stored = self._stored(inputs, result, told, by)
        if reading.assumptions:
            yield Text(texts.counted(reading.assumptions, inputs) + "\n\n")
        yield Text(texts.forecast_text(inputs, result, told))
        yield Part({"type": "forecast", "id": str(stored.pk)})
        return stored

    def _worded(
        self, inputs: Inputs, result: Result
    ) -> Generator[GuideEvent, None, tuple[Told, str]]:
        if not self.turn.llm.is_configured:
            return told_by_rules(inputs, result), Forecast.By.RULES
        yield StageStarted(STAGE, _("Putting it into words"))
        try:
            told, refused = worded(
                inputs,
                result,
                self.plan.snapshot,
                self.memory.situation,
                self.turn.llm,
                self.delimiter,
            )
        except ModelUnavailable as error:
            yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
            return told_by_rules(inputs, result), Forecast.By.RULES
        yield StageDone(STAGE, "model", {"refused": refused[:10]})
        return told, Forecast.By.MODEL

    def _stored(self, inputs: Inputs, result: Result, told: Told, by: str) -> Forecast:
        said = [texts.sentence(texts.title_of(one, inputs)) for one in self.memory.assumptions]
        told = told.model_copy(
            update={"assumptions": [*(f"{one}." for one in said), *told.assumptions]}
        )
        stored = actions.keep(
            project=self.plan.project, inputs=inputs, result=result, told=told, told_by=by,
            situation=self.memory.situation, session_id=self.turn.session_id,
            run_id=self.turn.run_id,
        )  # fmt: skip
        self.memory.forecast_id = stored.pk
        self.state.phase = Phase.COMPLETED
        return stored

    # Later messages ---------------------------------------------------------------------------
    def _next(self, inputs: Inputs, result: Result, reading: Reading, before: Forecast) -> Events:
        """Anew where assumptions, the plan or the day have changed; branches beside it."""
        is_changed = before.inputs != inputs.as_json()
        stored = before
        if is_changed:
            if reading.assumptions:
                yield Text(texts.counted(reading.assumptions, inputs) + "\n\n")
            elif not reading.withdrawn:
                yield Text(_("The plan or the day has changed since the last forecast.") + "\n\n")
            stored = self._stored(inputs, result, told_by_rules(inputs, result), "rules")
            yield Text(f"{texts.headline(inputs, result)} ")
            yield Text(texts.moved(Result.from_json(before.results), result))
        yield from self._branches(inputs, result, reading.branch, stored, lead=is_changed)
        if not is_changed and not reading.branch:
            yield from self._talk(inputs, result)
        elif is_changed and not reading.branch:
            yield Part({"type": "forecast", "id": str(stored.pk)})

    def _branches(
        self,
        inputs: Inputs,
        result: Result,
        branch: Sequence[Variant],
        stored: Forecast,
        *,
        lead: bool = True,
    ) -> Events:
        """What-if beside the forecast, all of one message as one branch; both stay."""
        if not branch:
            return
        other = compared(inputs, branch, result)
        if lead:
            yield Text("\n\n")
        if isinstance(other, Declined):
            yield Text(texts.declined(other, self.plan.project.name))
            return
        actions.add_variant(forecast=stored, variant=texts.branch_json(other, inputs))
        yield Text(texts.branch_text(other, result, inputs))
        yield Part({"type": "branches", "id": str(stored.pk)})

    def _talk(self, inputs: Inputs, result: Result) -> Events:
        """A question is the model's to answer, with reading tools; without one, the figures."""
        told = told_by_rules(inputs, result)
        facts = [figures_text(inputs, result, told), project_text(self.plan.snapshot)]
        if self.turn.llm.is_configured:
            has_answered = yield from answer_with_tools(
                self.turn, self.rows, instructions=question_instructions(self.delimiter),
                state=self.delimiter.around("records", "\n\n".join(facts)), version=TOOLS_VERSION,
            )  # fmt: skip
            if has_answered:
                return
        yield Text(f"{texts.forecast_text(inputs, result, told)}\n\n{texts.invitation()}")
        yield Part({"type": "forecast", "id": str(self.memory.forecast_id)})

    def _form_part(self, inputs: Inputs) -> dict[str, Any]:
        """The form for assumptions and what-if, with the open to-dos to choose from."""
        return {"type": "assume", "tasks": [[one.id, one.title] for one in inputs.open_tasks][:100]}
