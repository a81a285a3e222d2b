"""The guide of forecasting conversations: computed at once, then assumptions and what-if."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from chat.assistant.toolset import Toolset
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn
from futura.percent import whole_percent
from projects.forecasting import actions
from projects.forecasting.inputs import Inputs
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.variants import JSON, Compared, Variant, assumed, merged
from projects.forecasting.wording import (
    branch_title,
    day_words,
    declined,
    forecast_text,
    headline,
    moved_words,
    short_day,
    title_of,
)
from projects.modes.forecast.reading import STAGE, Reading, reading_of
from projects.modes.rows import own_row, records_of
from projects.modes.state import FORECAST, ForecastState, Phase
from projects.modes.talking import (
    Answer,
    Events,
    ProjectGuide,
    reading_tools,
    staged,
    talk,
)

TOOLS_VERSION: Final = "forecast-tools-4"
INSTRUCTIONS: Final = (
    "You advise on how a project may unfold. A simulation has computed when it could be done, "
    "and the person has read that; you answer their message: what the three courses mean for "
    "it, which tasks and conditions of this project lead there, by what one notices it early, "
    "what to decide. Use the tools for figures; name no day, chance or length of time that "
    "they or the figures do not give. You cannot change anything: for changes, point to an "
    "update of the project. At most five short sentences, in the language of the person's "
    "last message."
)
ASSUMED: Final = "assumptions"
"""The type of a message's part that carries what somebody entered in the form."""


class _Answer(Answer[ForecastState]):
    """What the message says is counted first; then comes what it changes."""

    is_written = False  # the message is the person's words, not what the form sends

    def __init__(self, turn: Turn[ForecastState]) -> None:
        super().__init__(turn)
        self.plan = self.rows.plan()

    def events(self) -> Events:
        """The forecast anew where something has changed, what-if beside it, else a talk."""
        memory = self.state.forecast
        if self.text and not memory.situation:
            memory.situation = self.text
            self.state.user_responses["situation"] = self.text[:160]
        reading = yield from self._reading()
        standing = [
            assumption
            for assumption in memory.assumptions
            if assumption.subject not in reading.withdrawn
        ]
        memory.assumptions = merged(standing, reading.assumptions)
        inputs = assumed(self.plan.inputs, memory.assumptions)
        result = forecast(inputs)
        if isinstance(result, Declined):
            self.state.phase = Phase.CLARIFYING
            yield from _counted(reading, inputs)
            yield Text(declined(result, self.plan.row.name))
        else:
            yield from self._computed(inputs, result, reading)
        tasks = [[task.id, task.title] for task in inputs.open_tasks][:100]
        yield Part({"type": "assume", "tasks": tasks})

    def _reading(self) -> Generator[GuideEvent, None, Reading]:
        """What the form says, where the message came from it; else what the model reads."""
        message = self.turn.message
        entered = _entered(message.parts) if message else Reading()
        self.is_written = entered is None
        if entered is not None or not self.llm.is_configured:
            return entered or Reading()
        replies = (item.text for item in reversed(self.turn.history) if item.role == "assistant")
        question = next(replies, "")[:2_000]
        reading = yield from staged(
            self.llm,
            STAGE,
            _("Reading the scenario"),
            lambda: reading_of(
                self.text, question, self.plan.inputs, self.plan,
                self.state.forecast.assumptions, self.llm, self.delimiter,
            ),
            lambda reading: {"refused": reading.refused},
        )  # fmt: skip
        return reading or Reading()

    def _computed(self, inputs: Inputs, result: Result, reading: Reading) -> Events:
        before = own_row(Forecast, self.rows.owner_id, self.state.forecast.forecast_id)
        if before is None:
            yield from self._first(inputs, result, reading)
            return
        stored = before
        if is_changed := before.inputs != inputs.as_json():
            yield from _counted(reading, inputs)
            if not reading.assumptions and not reading.withdrawn:
                yield Text(_("The plan or the date has changed since the last forecast.") + "\n\n")
            stored = self._store(inputs, result)
            yield Text(f"{headline(inputs, result)} ")
            yield Text(moved(Result.from_json(before.results), result))
        if reading.branch:
            yield Text("\n\n" if is_changed else "")
            yield from self._branch(inputs, result, reading.branch, stored)
        elif is_changed:
            yield Part({"type": "forecast", "id": str(stored.pk)})
        elif not (yield from self._comment(inputs, result)):
            yield Text(f"{forecast_text(inputs, result)}\n\n{invitation()}")
            yield Part({"type": "forecast", "id": str(stored.pk)})

    def _first(self, inputs: Inputs, result: Result, reading: Reading) -> Events:
        """The whole forecast; where the person has named a situation, the model speaks to it."""
        yield StageStarted("simulation", _("Running the simulation"))
        yield StageDone("simulation", "engine", {"runs": result.runs, "tasks": len(inputs.tasks)})
        stored = self._store(inputs, result)
        yield from _counted(reading, inputs)
        yield Text(forecast_text(inputs, result) + "\n\n")
        yield Part({"type": "forecast", "id": str(stored.pk)})
        if reading.branch:
            yield from self._branch(inputs, result, reading.branch, stored)
            yield Text("\n\n")
        elif self.is_written and (yield from self._comment(inputs, result)):
            yield Text("\n\n")
        yield Text(invitation())

    def _store(self, inputs: Inputs, result: Result) -> Forecast:
        memory = self.state.forecast
        stored = actions.store(
            project=self.plan.row, inputs=inputs, result=result,
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
            yield Text(declined(branch, self.plan.row.name))
            return
        yield Text(branch_text(branch, variants, result, inputs))
        yield Part({"type": "branches", "id": str(stored.pk)})

    def _comment(self, inputs: Inputs, result: Result) -> Generator[GuideEvent, None, bool]:
        """What the model says to the message, with reading tools; False without one."""
        assistant = yield from talk(
            self.turn,
            Toolset(reading_tools(self.rows), self.rows.scope),
            label=_("Thinking"),
            instructions=INSTRUCTIONS,
            records=[("figures", forecast_text(inputs, result)), *records_of(self.plan)],
            version=TOOLS_VERSION,
        )
        return assistant is not None and bool(assistant.text.strip())


class ForecastGuide(ProjectGuide[ForecastState]):
    """Begins with the forecast; counts what is said, and shows what-if beside it."""

    kind = FORECAST
    state_model = ForecastState
    answer = _Answer


def _entered(parts: Sequence[Mapping[str, Any]]) -> Reading | None:
    """What the form says; None for a message in words."""
    part = next((part for part in parts if part.get("type") == ASSUMED), None)
    if part is None:
        return None
    items = JSON.validate_python(part.get("items", []))
    return Reading(branch=items) if part.get("as") == "what_if" else Reading(assumptions=items)


# In words -----------------------------------------------------------------------------------------
def _counted(reading: Reading, inputs: Inputs) -> Events:
    if reading.assumptions:
        lines = [
            f"- {capfirst(title_of(assumption, inputs))}" for assumption in reading.assumptions
        ]
        yield Text("\n".join(["**" + _("Now used in the forecast") + "**", "", *lines]) + "\n\n")


def invitation() -> str:
    return _(
        "Which scenario do you want to try? Describe what would be different, or use the "
        "form below: estimates, hours a week, absences, a deadline. The project itself does "
        "not change."
    )


def moved(before: Result, result: Result) -> str:
    if before.realistic == result.realistic:
        return _("The realistic date does not change.")
    values = {"before": short_day(before.realistic), "now": short_day(result.realistic)}
    return _("The realistic date moves from %(before)s to %(now)s.") % values


def branch_text(branch: Compared, variants: Sequence[Variant], base: Result, inputs: Inputs) -> str:
    values = {
        "title": branch_title(variants, inputs),
        "day": day_words(branch.result.realistic),
        "moved": moved_words(branch.moved_days),
    }
    parts = [_("**If %(title)s**, the realistic date moves to %(day)s: %(moved)s.") % values]
    if branch.result.on_time is not None and base.on_time is not None:
        words = _("By the end date it is then done in %(new)d of 100 runs instead of %(old)d.")
        chances = {"new": whole_percent(branch.result.on_time), "old": whole_percent(base.on_time)}
        parts.append(words % chances)
    return " ".join(parts)
