"""The guide of forecasting conversations: computed at once, then assumptions and what-if."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from pydantic import BaseModel, Field, ValidationError

from chat.assistant.toolset import Toolset
from chat.guides import GuideEvent, Part, StageDone, StageStarted, Text, Turn, Utterance
from futura.percent import whole_percent
from futura.text import locate
from projects.forecasting import actions
from projects.forecasting.inputs import Inputs, Spread
from projects.forecasting.models import Forecast
from projects.forecasting.results import Declined, Result, forecast
from projects.forecasting.variants import JSON, REST, Compared, Kind, Variant, assumed, merged
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
from projects.modes.rows import own_row, records_of
from projects.modes.state import FORECAST, ForecastState, Phase
from projects.modes.talking import Answer, Events, ProjectGuide, reading_tools, staged, talk

STAGE: Final = "forecast_reading"
TOOLS_VERSION: Final = "forecast-tools-6"
INSTRUCTIONS: Final = (
    "You advise on how a project may unfold. A simulation has computed when it could be done, "
    "and the person has read that; you answer their message: what the three courses mean for "
    "it, which tasks and conditions of this project lead there, by what one notices it early, "
    "what to decide. Use the tools for figures; name no day, chance or length of time that "
    "they or the figures do not give. You cannot change anything: for changes, point to an "
    "update of the project. At most five short sentences, in the language of the person's "
    "last message. Today is {today:%A, %Y-%m-%d}."
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
            assumption for assumption in memory.assumptions if assumption not in reading.withdrawn
        ]
        reading.assumptions = merged([], reading.assumptions)
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
        entered = _entered(self.turn.message)
        self.is_written = entered is None
        if entered is not None or not self.llm.is_configured:
            return entered or Reading()
        reading = yield from staged(
            self.llm, STAGE, _("Reading the scenario"), self._read,
            lambda reading: {"refused": reading.refused},
        )  # fmt: skip
        return reading or Reading()

    def _read(self) -> Reading:
        """What the message says for the computation. Raises ModelUnavailable."""
        refs, inputs, facts = self.plan.refs, self.plan.inputs, self.plan.texts
        still_open = {task.id for task in inputs.open_tasks}
        ids = {ref: key for ref, task in refs.items() if (key := str(task.pk)) in still_open}
        named = {f"a{n}": entry for n, entry in enumerate(self.state.forecast.assumptions, 1)}
        records = [
            ("dates", facts["dates"]),
            ("tasks", "\n".join(
                f"{ref}: {refs[ref].title} ({facts[f'task:{key}:facts'] or 'no estimate'})"
                for ref, key in ids.items()
            )),
            ("assumptions", "\n".join(f"{a}: {title_of(v, inputs)}" for a, v in named.items())),
            ("question", self.last_reply),
            *self.files,
            ("message", self.text),
        ]  # fmt: skip
        messages = self.delimiter.prompt(READING.format(today=inputs.today), records)
        answer = self.llm.structured(STAGE, messages, SituationReading)
        reading, ids = Reading(), {**ids, REST: REST}
        text = "\n".join([self.text, *(file for _name, file in self.files)])
        reading.assumptions = _checked(answer.assumptions, text, ids, reading.refused)
        reading.branch = _checked(answer.what_ifs, text, ids, reading.refused)
        reading.withdrawn = [named[name] for name in answer.withdrawn if name in named]
        reading.asks = answer.asks
        used = len(reading.assumptions) + len(reading.branch) + len(reading.withdrawn)
        self.llm.checked(STAGE, used=used, refused=reading.refused)
        return reading

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
        if reading.asks and (reading.branch or is_changed):
            yield Text("\n\n")
            yield from self._comment(inputs, result)

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
        is_open = reading.asks or (self.is_written and not reading.branch)
        if is_open and (yield from self._comment(inputs, result)):
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
        stored = own_row(Forecast, self.rows.owner_id, self.state.forecast.forecast_id)
        courses = (
            f"{row['title']}: {row['realistic_words']}, {row['moved_words']}"
            for row in (stored.variants if stored else ())
        )
        assistant = yield from talk(
            self.turn,
            Toolset(reading_tools(self.rows, inputs, result), self.rows.scope),
            label=_("Thinking"),
            instructions=INSTRUCTIONS.format(today=self.plan.today),
            records=[
                ("figures", forecast_text(inputs, result)),
                ("what_ifs", "\n".join(courses)),
                *records_of(self.plan),
                *self.files,
            ],
            version=TOOLS_VERSION,
        )
        return assistant is not None and bool(assistant.text.strip())


class ForecastGuide(ProjectGuide[ForecastState]):
    """Begins with the forecast; counts what is said, and shows what-if beside it."""

    kind = FORECAST
    state_model = ForecastState
    answer = _Answer


def _entered(message: Utterance | None) -> Reading | None:
    """What the form says; None for a message in words."""
    if message is None:
        return Reading()
    part = next((part for part in message.parts if part.get("type") == ASSUMED), None)
    if part is None:
        return None
    items = JSON.validate_python(part.get("items", []))
    return Reading(branch=items) if part.get("as") == "what_if" else Reading(assumptions=items)


# What a message says ---------------------------------------------------------------------------
class ReadChange(BaseModel):
    """One figure that the person gave, or one thing to try out. `kind` says which fields it has.

    `takes`, `remaining`: a task takes, or so much of it is left, `low` to `high` working days;
    both are the same where one number was said. `team`: so many `people` work on it (0.5 is half
    of one); `hands`: so many `more`, below zero fewer. `hours`: hours a week of each. `away`: so
    many `people` are away from `first` to `last`, both counted. `deadline`: the whole, or a task,
    is due on `day`. `slip`: a task takes `days` longer, below zero shorter. `wait`: a task cannot
    begin before `day`. `drop`: a task is left out. `more`: `days` of work with a `title` that no
    task has. `sureness`: how good the estimates are, as `spread`.
    """

    quote: str = Field(description="The person's words, copied exactly.")
    kind: Kind
    task: str | None = Field(None, description="Short name of the task, such as t2, or rest.")
    title: str | None = None
    low: float | None = None
    high: float | None = None
    days: float | None = None
    people: float | None = None
    more: float | None = None
    hours: float | None = None
    day: str | None = Field(None, description="YYYY-MM-DD, as are all days.")
    first: str | None = None
    last: str | None = None
    spread: Spread | None = None


class SituationReading(BaseModel):
    """What a message says for the computation; empty where it says nothing."""

    VERSION: ClassVar[str] = "forecast-reading-6"

    assumptions: list[ReadChange] = Field(description="What counts from now on.")
    what_ifs: list[ReadChange] = Field(description="What they only want to try out.")
    withdrawn: list[str] = Field(
        default_factory=list, description="Short names of assumptions that no longer hold."
    )
    asks: bool = Field(
        False, description="Whether they ask, too, what new days and chances alone do not answer."
    )


READING: Final = (
    "Somebody talks about when a project will be done, in any language. Find what in their "
    "message bears on the computation: how many people work on it and for how many hours a "
    "week, who is away when, deadlines, how sure they are of the estimates, how long tasks "
    "take or how much of them is left, and what they only want to try out (what if). Both can "
    "stand in one message. A week is five working days, a month 21. Tasks go by their short "
    "names; `rest` means everything that has no estimate. A correction gives the new figure; "
    "what it does not name stays. Copy the words you rely on into the quotes, exactly; what "
    "has no words in the message is left out.\nToday is {today:%A, %Y-%m-%d}."
)


@dataclass
class Reading:
    """What a message says: what counts from now on, what is tried out, what no longer holds.

    `asks` is whether it wants an answer in words as well; `refused` counts what the checks left
    out, by reason.
    """

    assumptions: list[Variant] = field(default_factory=list)
    branch: list[Variant] = field(default_factory=list)
    withdrawn: list[Variant] = field(default_factory=list)
    asks: bool = False
    refused: Counter[str] = field(default_factory=Counter)


def _checked(
    changes: Sequence[ReadChange], text: str, ids: Mapping[str, str], refused: Counter[str]
) -> list[Variant]:
    """Typed changes; what has no words in the message, no such task or not all figures is
    `refused`.
    """
    variants = []
    for change in changes:
        if locate(change.quote, text) is None:
            refused["quote not found"] += 1
            continue
        values = change.model_dump(exclude_none=True)
        try:
            if change.task is not None:
                values["task"] = ids[change.task]
            variants.append(Variant.model_validate(values))
        except (KeyError, ValidationError):
            refused["incomplete or out of bounds"] += 1
    return variants


# In words -----------------------------------------------------------------------------------------
def _counted(reading: Reading, inputs: Inputs) -> Events:
    """What counts from now on, and what no longer does."""
    titles = {
        _("Now used in the forecast"): reading.assumptions,
        _("No longer used in the forecast"): reading.withdrawn,
    }
    for title, assumptions in titles.items():
        if assumptions:
            lines = [f"- {capfirst(title_of(assumption, inputs))}" for assumption in assumptions]
            yield Text("\n".join([f"**{title}**", "", *lines]) + "\n\n")


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
