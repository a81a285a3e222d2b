"""Lines of the page of to-dos that are commands: shown with their rows, passed on, or kept."""

from __future__ import annotations

import pytest

from chat.models import Message
from projects.models import Task
from tests.projects.todos.conftest import url

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "found"}


def preview(client, text):
    return client.get(url("quick"), {"text": text}).content.decode()


@pytest.mark.parametrize(
    "line",
    ["mark buy milk done", "finish buy milk", "move buy milk to 2027-03-01", "delete buy milk"],
)
def test_a_command_on_a_row_is_shown_and_passed_on_as_it_was_sent(client, loose, line):
    loose("Buy milk")
    shown = preview(client, line)
    assert "Command" in shown
    assert "Buy milk" in shown
    assert "Add as to-do instead" in shown
    answer = client.post(url("add"), {"text": line, "next": "/todos"}, headers=HTMX)
    assert (answer.status_code, answer["Location"]) == (307, "/concierge/say?talk=1")
    said = client.post(answer["Location"], {"text": line, "next": "/todos"})
    assert said.status_code == 303
    assert said["Location"].startswith("/concierge/")
    assert Message.objects.filter(text=line, role=Message.Role.PERSON).count() == 1
    assert Task.objects.count() == 1


@pytest.mark.parametrize(
    "line",
    ["finish the report", "cancel the newspaper", "move boxes to the attic", "check the boiler",
     "complete tax return", "find a plumber", "add mark"],
)  # fmt: skip
def test_what_names_no_row_is_a_new_to_do(client, loose, line):
    loose("Report draft for Ana")
    assert "Command" not in preview(client, line)
    client.post(url("add"), {"text": line, "seen": "1", "next": "/todos"})
    assert Task.objects.count() == 2


def test_a_command_that_no_title_begins_with_may_name_a_row_by_some_of_its_words(client, loose):
    loose("Buy milk")
    assert "Buy milk" in preview(client, "mark milk done")
    assert "Command" not in preview(client, "delete milk")


def test_a_command_line_can_be_kept_as_a_to_do(client, loose):
    loose("Report")
    line = "finish report"
    client.post(url("add"), {"text": line, "seen": "1", "plain": "1", "next": "/todos"})
    assert Task.objects.exclude(title="Report").get().title == "finish report"


def test_without_scripts_a_command_is_shown_first(client, loose):
    loose("Report")
    page = client.post(url("add"), {"text": "finish report", "next": "/todos"})
    words = page.content.decode()
    assert page.status_code == 200
    assert "Run" in words
    assert ">finish report</textarea>" in words
    assert "Command" in words
    passed = client.post(url("add"), {"text": "finish report", "seen": "1", "next": "/todos"})
    assert passed.status_code == 307


def test_a_condition_is_asked_about_and_nobody_names_anothers_rows(
    client, loose, bob, browser, participant_of
):
    loose("Report", due_date="2020-01-01")
    assert "Report" in preview(client, "delete all my overdue tasks")
    participant_of(bob)
    assert "Command" not in preview(browser(bob), "finish report")
