"""The preview of a line: the same for pages and programs, and the same as what is stored."""

from __future__ import annotations

import uuid

import pytest

from projects.models import Task
from tests import project_rows
from tests.extent import some

pytestmark = pytest.mark.django_db

ADDRESS = "/api/commands/preview"
TODAY = "2026-11-25"


def preview(client, text, **more):
    body = {"text": text, "today": TODAY, **more}
    return client.post(ADDRESS, body, content_type="application/json")


def test_a_line_is_shown_with_its_fields_and_their_places(client):
    line = "add call the plumber by December 20 3pm !high"
    answer = preview(client, line).json()
    (command,) = answer["commands"]
    assert command["name"] == "create_todo"
    assert (command["title"], command["due_date"], command["due_time"], command["priority"]) == (
        "Call the plumber", "2026-12-20", "15:00", "high",
    )  # fmt: skip
    assert [(line[start:end].strip(), field) for start, end, field in answer["spans"]] == [
        ("add", "verb"), ("by December 20 3pm", "due"), ("!high", "priority"),
    ]  # fmt: skip
    assert answer["rows"] == []
    assert not Task.objects.exists()


def test_places_count_in_the_text_as_it_was_sent(client):
    line = "  buy   milk\ttomorrow "
    answer = preview(client, line).json()
    ((start, end, field),) = answer["spans"]
    assert (line[start:end], field) == ("tomorrow", "due")
    assert answer["commands"][0]["title"] == "Buy milk"


def test_the_language_decides_how_a_date_is_read(client):
    german = preview(client, "Bericht bis Freitag 15 Uhr", language="de").json()["commands"][0]
    assert (german["due_date"], german["due_time"]) == ("2026-11-27", "15:00")
    assert preview(client, "Bericht bis Freitag", language="en").json()["spans"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"text": " "}, 400),
        ({"text": "a" * 501}, 413),
        ({"text": "a", "today": "31 June"}, 422),
        ({"text": "a", "language": "xx"}, 422),
        ({}, 422),
    ],
)
def test_bad_input_is_refused_with_a_message(client, body, status):
    answer = client.post(ADDRESS, body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json()


def test_only_own_projects_are_named(client, actor, django_user_model):
    project = project_rows.create_project(actor=actor, values={"name": "Garden"}).row
    mine = preview(client, "mow #garden").json()
    assert mine["commands"][0]["project"] == str(project.pk)
    client.force_login(django_user_model.objects.create(username="stranger"))
    theirs = preview(client, "mow #garden").json()
    assert theirs["commands"][0]["project"] is None
    assert theirs["commands"][0]["title"] == "Mow #garden"


@pytest.mark.parametrize(
    "line",
    some(
        [
            "call the plumber by December 20",
            "write docs 2h !low",
            "call Ana tomorrow 3pm–5pm",
            "review by 31 June",
            "add May's report until March 15",
            "gym every Tuesday 7am",
        ],
        2,
    ),
)
def test_what_is_shown_is_what_is_stored(client, line):
    shown = client.post(ADDRESS, {"text": line}, content_type="application/json").json()
    (command,) = shown["commands"]
    client.post("/todos/add", {"text": line, "seen": "1"})
    task = Task.objects.get()
    assert command["title"] == task.title
    assert command["due_date"] == (str(task.due_date) if task.due_date else None)
    assert command["due_time"] == (f"{task.due_time:%H:%M}" if task.due_time else None)
    assert command["priority"] in {None, task.priority}
    assert command["estimate_days"] == (
        None if task.estimate_low_days is None else float(task.estimate_low_days)
    )
    assert uuid.UUID(str(task.pk))


@pytest.mark.parametrize(
    ("line", "time", "days"),
    [
        ("order an oven by Friday 2h", None, 0.25),
        ("meet Ana Friday 14h", "14:00", None),
        ("meet Ana Friday at 9h", "09:00", None),
    ],
)
def test_hours_after_a_day_are_effort_unless_they_are_a_time(client, line, time, days):
    shown = client.post(ADDRESS, {"text": line}, content_type="application/json").json()
    (command,) = shown["commands"]
    assert (command["due_time"], command["estimate_days"]) == (time, days)
