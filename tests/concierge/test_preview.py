"""The preview of a command line: the rows that it would touch, and nothing is touched."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.test import Client

from futura.language.quick_add import QuickAdd
from projects.concierge.preview import CommandOut
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


TOUCHED = (
    ("move everything from Friday to Monday", "change_tasks",
     {"Send the offer", "Book the hall"}),
    ("delete buy pens", "delete_tasks", {"Buy pens"}),
    ("mark “Call Ana” as done", "complete_task", {"Call Ana"}),
    ("rename buy pens to Buy ink", "change_tasks", {"Buy pens"}),
    ("make everything in my inbox critical", "change_tasks",
     {"Send the offer", "Book the hall", "Call Ana", "Buy pens"}),
)  # fmt: skip


def test_the_rows_that_a_command_would_touch_are_named(preview, week):
    for line, name, titles in TOUCHED:
        before = stored()
        answer = preview(line)
        assert {row["title"] for row in answer["rows"]} == titles, (line, name, titles)
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


SAID = (
    ("add call the plumber by 20 December !high",
     ["Add “Call the plumber”, priority High, due 20 December 2026"]),
    ("mark buy pens done", ["Complete “Buy pens”"]),
    ("move Call Ana to Thursday", ["Edit “Call Ana”: due 26 November 2026"]),
    ("add salt and mark buy pens done", ["Add “Salt”", "Complete “Buy pens”"]),
    ("show overdue", ["Shows to-dos; changes nothing."]),
    ("call the plumber", ["Add “Call the plumber” to your to-dos?"]),
    ("move buy", []),  # it is not at its end: what may follow is offered
    ("move everything from Friday to Monday",
     ["Asks first which of these you mean:",
      "Book the hall, due Friday 27 November 2026",
      "Send the offer, due Friday 27 November 2026"]),
)  # fmt: skip


def test_a_finished_project_takes_no_to_do_by_its_mark_wherever_the_line_is_typed(preview, project):
    project("Garden", status="completed")
    answer = preview("add call Ana #Garden")
    assert answer["sentences"] == ["Add “Call Ana #Garden”"]
    assert (answer["commands"][0]["title"], answer["commands"][0]["project"]) == (
        "Call Ana #Garden", None,
    )  # fmt: skip


def test_what_a_line_will_do_is_said_in_words(preview, week):
    for line, sentences in SAID:
        before = stored()
        assert preview(line)["sentences"] == sentences, (line, sentences)
        assert stored() == before


COMPLETED = (
    ("mo", ["move "]),
    ("de", ["delete "]),
    ("done ", ["done “Book the hall”", "done “Buy pens”", "done “Call Ana”",
               "done “Send the offer”"]),
    ("done off", ["done “Send the offer”"]),
    ("move b", ["move “Book the hall” to ", "move “Buy pens” to "]),
    ("show w", ["show waiting", "show this week"]),
    ("add salt !h", ["add salt !high "]),
    ("salt #la", ['salt #"Q4 Launch" ']),
    ("forecast q", ["forecast Q4 Launch"]),
    ("no verb here", []),
)  # fmt: skip


def test_a_line_is_completed_from_the_verbs_and_the_persons_own_things(preview, week, project):
    project("Q4 Launch")
    for line, offered in COMPLETED:
        answer = preview(line)["completions"]
        assert sorted(item["line"] for item in answer) == sorted(offered), (line, offered)


def test_what_is_completed_is_read_again(preview, week):
    (offered,) = preview("done off")["completions"]
    assert preview(offered["line"])["sentences"] == ["Complete “Send the offer”"]


def test_verbs_are_completed_in_the_persons_language(alice, week):
    client = Client()
    client.force_login(alice)
    body = {"text": "versch", "language": "de"}
    answer = client.post(ADDRESS, body, content_type="application/json").json()
    assert [completion["line"] for completion in answer["completions"]] == ["verschiebe "]


def test_nothing_of_others_is_offered(preview, week, bob):
    bobs = Client()
    bobs.force_login(bob)
    for client in (bobs, Client()):
        assert preview("done s", client=client)["completions"] == []


def test_in_a_conversation_a_short_reply_is_read_as_its_answer(preview, week, talk, bob, alice):
    chat = talk("call the plumber")
    mine = Client()
    mine.force_login(alice)
    body = {"text": "yes", "session": str(chat.id)}
    answer = mine.post(ADDRESS, body, content_type="application/json")
    assert answer.json()["sentences"] == ["Add “Call the plumber”"]
    for client in (Client(), bobs := Client()):
        if client is bobs:
            bobs.force_login(bob)
        refused = client.post(ADDRESS, body, content_type="application/json")
        assert refused.status_code == 404


@pytest.mark.parametrize(("key", "is_there"), [("", True), ("sk-scripted", False)])
def test_the_command_line_belongs_to_basic_mode(browser, alice, talk, settings, key, is_there):
    settings.OPENAI_API_KEY = key
    chat = talk()
    for page in ("/", "/concierge", f"/concierge/{chat.id}"):
        shown = browser(alice).get(page).content
        assert (b"data-command-line" in shown) is is_there, page


def test_all_that_quick_add_reads_is_told():
    read = {field.name for field in dataclasses.fields(QuickAdd)} - {"spans", "notes"}
    assert read <= CommandOut.model_fields.keys()
