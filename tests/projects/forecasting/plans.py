"""Random plans for the laws, and a small one to read."""

import datetime as dt
from dataclasses import replace

from hypothesis import strategies as st

from projects.forecasting.inputs import Inputs, TaskInput

TODAY = dt.date(2026, 11, 23)  # a Monday
RUNS = 200


@st.composite
def tasks(draw: st.DrawFn, key: str, earlier: list[str]) -> TaskInput:
    """One task; it depends on earlier ones only."""
    low = draw(st.none() | st.floats(0.1, 20))
    start = draw(st.none() | st.integers(-10, 40))
    due = draw(st.none() | st.integers(-10, 90))
    if start is not None and due is not None:
        due = max(start, due)
    return TaskInput(
        id=key,
        title=f"Task {key}",
        status=draw(st.sampled_from(["inbox", "available", "scheduled", "blocked", "completed"])),
        start=None if start is None else TODAY + dt.timedelta(days=start),
        due=None if due is None else TODAY + dt.timedelta(days=due),
        low=low,
        high=None if low is None else low * draw(st.floats(1, 4)),
        depends_on=tuple(draw(st.sets(st.sampled_from(earlier), max_size=3))) if earlier else (),
    )


@st.composite
def plans(draw: st.DrawFn) -> Inputs:
    """Three estimated tasks, and up to nine of any kind."""
    found: list[TaskInput] = []
    for number in range(draw(st.integers(3, 12))):
        one = draw(tasks(str(number), [task.id for task in found]))
        if number < 3:
            low = one.low or 1.0
            one = replace(one, status="available", low=low, high=one.high or low * 2)
        found.append(one)
    return Inputs(
        today=TODAY + dt.timedelta(days=draw(st.integers(0, 6))),
        tasks=tuple(found),
        end=TODAY + dt.timedelta(days=draw(st.integers(1, 120))),
        hands=draw(st.sampled_from([0.2, 1.0, 1.5, 2.0, 4.0])),
        seed=draw(st.integers(0, 1000)),
    )


def plan(**changes: object) -> Inputs:
    """Columns to agree on, a sheet to build after that, labels beside it; all estimated."""
    found = (
        TaskInput("a", "Agree on the columns", low=2, high=6),
        TaskInput("b", "Build the sheet", low=4, high=9, depends_on=("a",)),
        TaskInput("c", "Print bottle labels", low=0.5, high=1),
    )
    return replace(Inputs(TODAY, found, end=dt.date(2026, 12, 11)), **changes)  # type: ignore[arg-type]
