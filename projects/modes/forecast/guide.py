"""The guide of forecasting conversations: computed at once, then assumptions and what-if."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text
from futura.errors import ModelUnavailable
from projects.forecasting import actions
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.telling import Told, declined, told_by_rules
from projects.forecasting.variants import JSON, Variant, assumed, merged
from projects.modes.forecast import texts
from projects.modes.forecast.prompts import TOOLS_VERSION, question_instructions
from projects.modes.forecast.reading import STAGE as READING
from projects.modes.forecast.reading import Reading, reading_of
from projects.modes.forecast.wording import STAGE, figures_text, project_text, worded
from projects.modes.state import FORECAST, ForecastState, Phase
from projects.modes.talking import Events, ReadingAnswer, ReadingGuide

ASSUMED: Final = "assumptions"
"""The type of a message's part that carries what somebody entered in the form."""


class _Answer(ReadingAnswer[ForecastState]):
    """What the message says is counted first; then comes what it changes."""

    def events(self) -> Events:
        """The forecast anew where something has changed, what-if beside it, else a talk."""
        memory = self.state.forecast
        if self.text and not memory.situation:
            memory.situation = self.text
            self.state.user_responses["situation"] = self.text[:160]
        reading = yield from self._reading()
        standing = [one for one in memory.assumptions if one.subject not in reading.withdrawn]
        memory.assumptions = merged(standing, reading.assumptions)
        inputs = assumed(self.plan.inputs, memory.assumptions)
        result = forecast(inputs)
        if isinstance(result, Declined):
            self.state.phase = Phase.CLARIFYING
            yield from self._counted(reading, inputs)
            yield Text(declined(result, self.plan.project.name))
        else:
            yield from self._told(inputs, result, reading)
        tasks = [[one.id, one.title] for one in inputs.open_tasks][:100]
        yield Part({"type": "assume", "tasks": tasks})

    # Reading ----------------------------------------------------------------------------------
    def _reading(self) -> Generator[GuideEvent, None, Reading]:
        message = self.turn.message
        entered = self._entered(message.parts) if message else None
        if message is None or entered is not None or not self.turn.llm.is_configured:
            return entered or Reading()
        yield StageStarted(READING, _("Reading the scenario"))
        answers = (one.text for one in reversed(self.turn.history) if one.role == "assistant")
        try:
            reading = reading_of(
                self.text, next(answers, "")[:2_000], self.plan.inputs, self.plan.snapshot,
                self.state.forecast.assumptions, self.turn.llm, self.delimiter,
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
    def _told(self, inputs: Inputs, result: Result, reading: Reading) -> Events:
        own = Forecast.objects.filter(owner_id=self.rows.owner_id)
        before = own.filter(pk__in=[self.state.forecast.forecast_id]).first()
        is_changed = before is None or before.inputs != inputs.as_json()
        if before is None:
            stored = yield from self._first(inputs, result, reading)
        elif is_changed:
            yield from self._counted(reading, inputs)
            if not reading.assumptions and not reading.withdrawn:
                yield Text(_("The plan or the date has changed since the last forecast.") + "\n\n")
            stored = self._store(inputs, result, told_by_rules(inputs, result), Forecast.By.RULES)
            yield Text(f"{texts.headline(inputs, result)} ")
            yield Text(texts.moved(Result.from_json(before.results), result))
        else:
            stored = before
        if reading.branch:
            yield Text("\n\n" if is_changed else "")
            yield from self._branch(inputs, result, reading.branch, stored)
        elif not is_changed:
            yield from self._talk(inputs, result)
        if before is None:
            yield Text(f"\n\n{texts.invitation()}")
        elif is_changed and not reading.branch:
            yield Part({"type": "forecast", "id": str(stored.pk)})

    def _first(
        self, inputs: Inputs, result: Result, reading: Reading
    ) -> Generator[GuideEvent, None, Forecast]:
        yield StageStarted("simulation", _("Running the simulation"))
        yield StageDone("simulation", "engine", {"runs": result.runs, "tasks": len(inputs.tasks)})
        told, by = yield from self._worded(inputs, result)
        stored = self._store(inputs, result, told, by)
        yield from self._counted(reading, inputs)
        yield Text(texts.forecast_text(inputs, result, told))
        yield Part({"type": "forecast", "id": str(stored.pk)})
        return stored

    def _worded(
        self, inputs: Inputs, result: Result
    ) -> Generator[GuideEvent, None, tuple[Told, str]]:
        if self.turn.llm.is_configured:
            yield StageStarted(STAGE, _("Writing the forecast"))
            try:
                told, refused = worded(
                    inputs, result, self.plan.snapshot, self.state.forecast.situation,
                    self.turn.llm, self.delimiter,
                )  # fmt: skip
                yield StageDone(STAGE, "model", {"refused": refused[:10]})
                return told, Forecast.By.MODEL
            except ModelUnavailable as error:
                yield StageDone(STAGE, "rules", {"fallback": True, "because": error.reason})
        return told_by_rules(inputs, result), Forecast.By.RULES

    def _counted(self, reading: Reading, inputs: Inputs) -> Events:
        if reading.assumptions:
            yield Text(texts.counted(reading.assumptions, inputs) + "\n\n")

    def _store(self, inputs: Inputs, result: Result, told: Told, by: str) -> Forecast:
        memory = self.state.forecast
        stored = actions.store(
            project=self.plan.project, inputs=inputs, result=result, told=told, told_by=by,
            assumptions=memory.assumptions, situation=memory.situation,
            session_id=self.turn.session_id, run_id=self.turn.run_id,
        )  # fmt: skip
        memory.forecast_id = stored.pk
        self.state.phase = Phase.COMPLETED
        return stored

    def _branch(
        self, inputs: Inputs, result: Result, variants: Sequence[Variant], stored: Forecast
    ) -> Events:
        """What-if beside the forecast, all of one message as one branch; both stay."""
        branch = actions.add_branch(
            forecast=stored, inputs=inputs, result=result, variants=variants
        )
        if isinstance(branch, Declined):
            yield Text(declined(branch, self.plan.project.name))
            return
        yield Text(texts.branch_text(branch, variants, result, inputs))
        yield Part({"type": "branches", "id": str(stored.pk)})

    def _talk(self, inputs: Inputs, result: Result) -> Events:
        """A question is the model's to answer, with reading tools; without one, the figures."""
        told = told_by_rules(inputs, result)
        facts = [figures_text(inputs, result, told), project_text(self.plan.snapshot)]
        if self.turn.llm.is_configured:
            has_answered = yield from self.talk(
                instructions=question_instructions(self.delimiter), version=TOOLS_VERSION,
                records=self.delimiter.around("records", "\n\n".join(facts)),
            )  # fmt: skip
            if has_answered:
                return
        yield Text(f"{texts.forecast_text(inputs, result, told)}\n\n{texts.invitation()}")
        yield Part({"type": "forecast", "id": str(self.state.forecast.forecast_id)})


class ForecastGuide(ReadingGuide[ForecastState]):
    """Begins with the forecast; counts what is said, and shows what-if beside it."""

    kind = FORECAST
    state_model = ForecastState
    answer = _Answer
