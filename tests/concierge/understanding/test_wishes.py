"""Further wishes in other words than the evaluation has: what they become, and what they do not."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest

from projects.concierge.calls import json_of
from projects.concierge.understanding import Known, KnownProject, KnownTask, Memory, understand

NOW = dt.datetime(2026, 11, 25, 10, tzinfo=dt.UTC)  # a Wednesday
DAY = dt.timedelta(days=1)


def _id(name: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, name)


def _task(title: str, status: str = "available", due: dt.date | None = None) -> KnownTask:
    return KnownTask(_id(title), title, status, due=due)


KNOWN = Known(
    tasks=[
        _task("Read chapter 3"), _task("Read chapter 4"), _task("Read chapter 5"),
        _task("Order tiles", due=NOW.date() - 2 * DAY), _task("Water plants"),
        _task("Call plumber", "completed"), _task("Paint the fence", "blocked"),
    ],
    projects=[KnownProject(_id("Garden"), "Garden"), KnownProject(_id("Kitchen"), "Kitchen")],
    gone=[_task("Sweep the hall")],
)  # fmt: skip
NAMES = {str(_id(one)): one for one in ("Garden", "Kitchen", "Sweep the hall")}
NAMES |= {str(one.id): one.title for one in KNOWN.tasks}


def said(text: str):
    return understand(text, now=NOW, briefing=KNOWN, earlier=Memory())


def about(calls) -> list[str]:
    """Each call as its tool and what it names."""
    told = []
    for call in map(json_of, calls):
        named = NAMES.get(str(call.get("task") or call.get("project")), call.get("title", ""))
        told.append(f"{call['tool']} {named}".strip())
    return told


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("complete chapter 3-4", ["complete_task Read chapter 3", "complete_task Read chapter 4"]),
        ("move chapters 3 to 4 to Friday",
         ["reschedule_task Read chapter 3", "reschedule_task Read chapter 4"]),
        ("add tasks for modules 1 to 2", ["create_task Module 1", "create_task Module 2"]),
        ("add buy 2 to 3 lemons", ["create_task Buy 2 to 3 lemons"]),
        ("add prepare the weekly report by Friday", ["create_task Prepare the weekly report"]),
        ("move Order tiles to Friday if it is overdue", ["reschedule_task Order tiles"]),
        ("if the fence is blocked, drop it", ["update_task Paint the fence"]),
        ("delete Water plants if Paint the fence is not blocked", []),
        ("drop Water plants if it rains", []),
        ("when Order tiles is done, mark Paint the fence available", []),
        ("mark Water plants done if Call plumber is done, otherwise drop it", []),
        ("unless it rains, add mow the lawn", []),
        ("archive Garden", ["update_project Garden"]),
        ("finish the kitchen project", ["update_project Kitchen"]),
        ("delete project Garden", ["delete_project Garden"]),
        ("don't delete the garden project", []),
        ("maybe delete the garden project", []),
        ("should I delete the garden project?", []),
        ("undo completing Order tiles", ["undo Order tiles"]),
        ("bring back the hall", ["undo Sweep the hall"]),
        ("revert the last 3 changes", ["undo"]),
        ("move Water plants to every Sunday", []),
    ],
)  # fmt: skip
def test_what_a_wish_becomes(text, calls):
    assert about(said(text).calls) == calls


@pytest.mark.parametrize(
    ("text", "offer", "due"),
    [
        ("water the roses daily", "Water the roses", NOW.date()),
        ("every Friday: send the timesheet", "Send the timesheet", NOW.date() + 2 * DAY),
        ("remind me every weekday at 9 to check mail", "Check mail at 9", None),
        ("add team lunch every last Friday of the month", "Team lunch", None),
        ("remind me to pay rent every month on the 5th", "Pay rent", dt.date(2026, 12, 5)),
        ("add stretch every other day", "Stretch", None),
    ],
)
def test_what_shall_repeat_is_offered_once(text, offer, due):
    found = said(text)
    assert not found.calls
    assert found.question.startswith("To-dos do not repeat here.")
    (made,) = found.pending.calls
    assert made.title == offer
    assert due is None or made.due == due


def test_what_was_deleted_and_is_not_known_is_said_so():
    assert "deleted in the last two weeks" in said("bring back the moon").reply
