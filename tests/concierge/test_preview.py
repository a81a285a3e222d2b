"""The preview of a command line: the rows that it would touch, and nothing is touched."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from projects.models import Task

pytestmark = pytest.mark.django_db

ADDRESS = "/api/commands/preview"
FRIDAY = dt.date(2026, 11, 27)


@pytest.fixture
def week(task, monday):
    task("Send the offer", due_date=FRIDAY)
    task("Book the hall", due_date=FRIDAY)
    task("Call Ana", due_date=dt.date(2026, 11, 25))
    task("Buy pens")


@pytest.fixture
def preview(alice):
    client = Client()
    client.force_login(alice)

    def ask(text, client=client):
        body = {"text": text, "today": "2026-11-23"}
        return client.post(ADDRESS, body, content_type="application/json").json()

    return ask


def stored():
    return list(Task.objects.order_by("pk").values())


@pytest.mark.parametrize(
    ("line", "name", "titles"),
    [
        ("move everything from Friday to Monday", "reschedule_task",
         {"Send the offer", "Book the hall"}),
        ("delete buy pens", "delete_task", {"Buy pens"}),
        ("mark “Call Ana” as done", "complete_task", {"Call Ana"}),
        ("rename buy pens to Buy ink", "update_task", {"Buy pens"}),
        ("make everything in my inbox critical", "update_task",
         {"Send the offer", "Book the hall", "Call Ana", "Buy pens"}),
    ],
)  # fmt: skip
def test_the_rows_that_a_command_would_touch_are_named(preview, week, line, name, titles):
    before = stored()
    answer = preview(line)
    assert {row["title"] for row in answer["rows"]} == titles
    assert {command["name"] for command in answer["commands"]} == {name}
    assert len(answer["commands"]) == len(titles)
    assert stored() == before


@pytest.mark.parametrize("line", ["complete everything that Ana waits for", "delete pens and hall"])
def test_what_is_not_read_exactly_asks_first(preview, week, line):
    before = stored()
    answer = preview(line)
    assert answer["asks"] or answer["notes"]
    assert stored() == before


def test_rows_of_others_do_not_exist_here(preview, week, bob):
    bobs = Client()
    bobs.force_login(bob)
    for client in (bobs, Client()):
        answer = preview("delete buy pens", client=client)
        assert (answer["rows"], answer["commands"]) == ([], [])


def test_a_line_that_is_no_command_is_one_of_quick_add(preview, week):
    (command,) = preview("call the plumber by December 20")["commands"]
    assert (command["name"], command["due_date"]) == ("create_todo", "2026-12-20")
