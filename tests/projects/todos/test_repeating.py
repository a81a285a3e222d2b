"""To-dos that repeat, have a person, tags and a reminder: by form, line, program and command."""

from __future__ import annotations

import datetime as dt
import json
import re
import time

import pytest
from django.core import mail
from django.urls import reverse

from chat.models import Participant
from chat.operations.replay import differences
from futura.celery import app
from projects.models import Reminder, Task
from projects.todos.reminders import send_due
from tests.extent import some
from tests.markup import flat
from tests.projects.todos.conftest import url

pytestmark = pytest.mark.django_db
NOW = "2026-11-25T10:00:00"  # a Wednesday


def api(client, method, path, body=None, expect=200):
    sent = {"data": json.dumps(body or {}), "content_type": "application/json"}
    answer = getattr(client, method)(f"/api{path}", **({} if method == "get" else sent))
    assert answer.status_code == expect, answer.content
    return answer.json()


def days():
    rows = Task.objects.filter(deleted_at=None).order_by("due_date")
    return [(str(row.due_date), row.status, row.repeat) for row in rows]


def test_completing_one_that_repeats_makes_the_next_and_one_undo_takes_both_back(client, loose, at):
    at(NOW)
    task = loose(
        "Gym", due_date="2026-12-01", due_time="07:00", start_date="2026-11-30", priority="high",
        repeat="FREQ=WEEKLY;BYDAY=TU", tags=["sport"], assignee="Ana", remind_minutes=60,
        estimate_low_days="0.5", estimate_high_days="1",
    )  # fmt: skip
    answer = client.post(url("status", task.pk), {"status": "completed", "next": "/todos?tab=all"})
    assert days() == [
        ("2026-12-01", "completed", ""), ("2026-12-08", "inbox", "FREQ=WEEKLY;BYDAY=TU"),
    ]  # fmt: skip
    following = Task.objects.get(due_date="2026-12-08")
    same = ("title", "due_time", "priority", "tags", "assignee", "remind_minutes", "position")
    task.refresh_from_db()
    assert [getattr(following, name) for name in same] == [getattr(task, name) for name in same]
    assert (str(following.start_date), str(following.estimate_high_days)) == ("2026-12-07", "1.00")
    page = client.get("/todos?tab=all").content.decode()
    assert "every week on Tuesday" in page
    assert "@Ana" in page
    assert "#sport" in page
    batch = answer.url.rpartition("done=")[2]
    client.post(url("undo", batch), {"next": "/todos"})
    assert days() == [("2026-12-01", "inbox", "FREQ=WEEKLY;BYDAY=TU")]
    assert not differences()


def test_the_next_one_reminds_as_the_change_says_that_completes_it(client, loose, at):
    at(NOW)
    task = loose(
        "Gym", due_date="2026-12-01", repeat="FREQ=WEEKLY", remind_at="2026-11-30T08:00:00Z"
    )
    sent = {"status": "completed", "remind_at": "2026-12-01T06:00:00Z"}
    api(client, "patch", f"/todos/{task.pk}", sent)
    following = Task.objects.get(due_date="2026-12-08")
    assert following.remind_at == dt.datetime(2026, 12, 8, 6, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("rule", "due", "following"),
    some(
        [
            ("FREQ=DAILY", "2026-11-20", "2026-11-26"),  # late: what is past is left out
            ("FREQ=DAILY", "2026-11-25", "2026-11-26"),
            ("FREQ=DAILY", "2026-11-30", "2026-12-01"),  # done early
            ("FREQ=WEEKLY;INTERVAL=2", "2026-11-23", "2026-12-07"),
            ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-12-31", "2027-01-31"),
            ("FREQ=MONTHLY;BYMONTHDAY=31", "2027-01-31", "2027-02-28"),
            ("BYMONTHDAY=30;FREQ=MONTHLY", "2027-02-28", "2027-03-30"),
            ("FREQ=MONTHLY;INTERVAL=3", "2026-11-30", "2027-02-28"),
            ("FREQ=MONTHLY;COUNT=2", "2027-01-29", "2027-02-28"),
            ("FREQ=MONTHLY;BYMONTH=1,2,3;BYMONTHDAY=31", "2027-01-31", "2027-03-31"),
            ("FREQ=MONTHLY", "2026-11-25", "2026-12-25"),
            ("FREQ=YEARLY", "2028-02-29", "2029-02-28"),
            ("FREQ=YEARLY;INTERVAL=4", "2028-02-29", "2032-02-29"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2026-12-24", "2027-01-04"),  # over New Year
            ("FREQ=WEEKLY;UNTIL=20261201", "2026-11-30", None),
            ("FREQ=DAILY;UNTIL=20261231T235959Z", "2026-11-30", "2026-12-01"),
            ("FREQ=DAILY;COUNT=1", "2026-11-30", None),
        ],
        4,
    ),
)
def test_the_next_day_is_what_the_rule_says(client, loose, at, rule, due, following):
    at(NOW)
    task = loose(due_date=due, repeat=rule)
    api(client, "post", f"/todos/{task.pk}/complete")
    left = Task.objects.exclude(pk=task.pk)
    assert [str(item.due_date) for item in left] == ([following] if following else [])


def test_a_rule_that_counts_ends_after_its_times(client, loose, at):
    at(NOW)
    task = loose(due_date="2026-11-25", repeat="FREQ=DAILY;COUNT=3")
    for _time in range(3):
        api(client, "post", f"/todos/{task.pk}/complete")
        task = Task.objects.order_by("-due_date").first()
    assert [day for day, _status, _rule in days()] == ["2026-11-25", "2026-11-26", "2026-11-27"]


def test_what_is_due_at_the_end_of_a_month_comes_in_each(client, loose, at):
    at(NOW)
    loose(due_date="2026-12-31", repeat="FREQ=MONTHLY")
    for _time in range(4):
        task = Task.objects.order_by("-due_date").first()
        api(client, "post", f"/todos/{task.pk}/complete")
    assert [day for day, _status, _rule in days()] == [
        "2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30",
    ]  # fmt: skip


def test_a_repetition_goes_on_when_an_undo_has_taken_its_day(client, loose, at):
    at(NOW)
    task = loose("Gym")
    dated = api(client, "patch", f"/todos/{task.pk}", {"due_date": "2026-12-01"})
    api(client, "patch", f"/todos/{task.pk}", {"repeat": "FREQ=DAILY"})
    api(client, "post", f"/operations/{dated['batch_id']}/undo")
    api(client, "post", f"/todos/{task.pk}/complete")
    assert days() == [("2026-11-26", "inbox", "FREQ=DAILY"), ("None", "completed", "")]


@pytest.mark.parametrize(
    "rule", some(["every Tuesday", "FREQ=HOURLY;INTERVAL=0", "FREQ=DAILY;UNTIL=20261340"], 2)
)
def test_a_rule_of_an_older_version_that_cannot_be_read_is_shown_and_holds_up_nothing(
    client, make, rule
):
    task = make("task", title="Gym", due_date="2026-12-01", repeat=rule)
    assert rule in client.get("/todos?tab=all").text
    assert client.get(url("todo", task.pk)).status_code == 200
    client.post(url("status", task.pk), {"status": "completed", "next": "/todos"})
    assert days() == [("2026-12-01", "completed", rule)]
    assert rule in client.get("/todos?tab=done").text


def test_a_ninth_monday_of_a_month_holds_up_nothing(client, make):
    task = make("task", title="Gym", due_date="2026-12-01", repeat="FREQ=MONTHLY;BYDAY=+9MO")
    api(client, "post", f"/todos/{task.pk}/complete")
    assert days() == [("2026-12-01", "completed", task.repeat)]


def test_several_are_completed_at_once_and_reopening_makes_no_second_one(client, loose, at):
    at(NOW)
    first = loose("A", due_date="2026-11-25", repeat="FREQ=DAILY")
    second = loose("B", due_date="2026-11-25")
    client.post(url("bulk"), {"chosen": [first.pk, second.pk], "do": "complete", "next": "/todos"})
    assert Task.objects.count() == 3
    api(client, "post", f"/todos/{first.pk}/reopen")
    api(client, "post", f"/todos/{first.pk}/complete")
    assert Task.objects.count() == 3


def test_a_program_sets_and_clears_each(client, at):
    at(NOW)
    sent = {"title": "Rent", "repeat": "rrule:freq=monthly;bymonthday=1", "assignee": " Ana  B ",
            "tags": ["money", "Money", "home"], "remind_minutes": 1440}  # fmt: skip
    todo = api(client, "post", "/todos", sent, expect=201)["todo"]
    assert (todo["repeat"], todo["due_date"]) == ("FREQ=MONTHLY;BYMONTHDAY=1", "2026-12-01")
    assert (todo["assignee"], todo["tags"]) == ("Ana B", ["money", "home"])
    path = f"/todos/{todo['id']}"
    moment = api(client, "patch", path, {"remind_at": "2026-11-30T08:00:00+01:00"})["todo"]
    assert (moment["remind_at"], moment["remind_minutes"]) == ("2026-11-30T07:00:00Z", None)
    cleared = api(client, "patch", path, {"repeat": None, "tags": None, "assignee": None,
                                          "remind_at": None})["todo"]  # fmt: skip
    assert [cleared[name] for name in ("repeat", "tags", "assignee", "remind_at")] == [
        "", [], "", None,
    ]  # fmt: skip
    again = api(client, "patch", path, {"repeat": "FREQ=DAILY", "remind_minutes": 5})["todo"]
    assert again["due_date"] == "2026-12-01"
    undated = api(client, "patch", path, {"due_date": None})["todo"]
    assert (undated["repeat"], undated["remind_minutes"]) == ("", None)
    assert not differences()


REFUSED = (
    ({"repeat": "every Tuesday"}, 400, "repeat"),
    ({"repeat": "FREQ=SECONDLY"}, 400, "repeat"),
    ({"repeat": "FREQ=DAILY;INTERVAL=0"}, 400, "repeat"),
    ({"repeat": "FREQ=DAILY;UNTIL=20200101"}, 400, "repeat"),
    ({"repeat": "FREQ=DAILY\nDTSTART:20260101"}, 400, "repeat"),
    ({"repeat": "FREQ=DAILY;BYDAY=XX"}, 400, "repeat"),
    ({"repeat": "FREQ=MONTHLY;BYDAY=+9MO"}, 400, "repeat"),
    ({"repeat": "FREQ=DAILY;COUNT=0"}, 400, "repeat"),
    ({"remind_at": "0001-01-01T00:00:00+14:00"}, 400, "remind_at"),
    ({"remind_at": "9999-12-31T23:59:59-12:00"}, 400, "remind_at"),
    ({"remind_minutes": 5}, 400, "remind_minutes"),
    ({"remind_minutes": -5}, 422, "remind_minutes"),
    ({"due_date": "2027-01-01", "remind_minutes": 5, "remind_at": "2027-01-01T09:00"},
     400, "remind_at"),
    ({"assignee": "x" * 81}, 413, "assignee"),
    ({"tags": ["x" * 41]}, 413, "tags"),
)  # fmt: skip


def test_what_cannot_be_is_refused_with_its_place(client, loose):
    for change, status, field in REFUSED:
        task = loose()
        error = api(client, "patch", f"/todos/{task.pk}", change, expect=status)["error"]
        assert error["field"].rpartition(".")[2] == field, (change, status, field)
        task.refresh_from_db()
        assert task.version == 1


def test_a_day_that_never_comes_is_refused_before_all_years_are_looked_through(client, loose):
    task, began = loose(), time.process_time()
    change = {"repeat": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"}
    error = api(client, "patch", f"/todos/{task.pk}", change, expect=400)["error"]
    assert error["field"] == "repeat"
    assert time.process_time() - began < 15  # it took 50 seconds


@pytest.mark.thorough
def test_a_repetition_that_never_meets_its_day_ends_at_once(client, loose, at):
    at("2026-11-30T10:00:00")  # a Monday; every seventh day from a Tuesday on is none
    rule, due = "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-11-30"
    tasks = [loose(due_date=due, repeat=rule) for _n in range(10)]
    for task in tasks:
        api(client, "patch", f"/todos/{task.pk}", {"due_date": "2026-12-01"})
    began = time.process_time()
    chosen = [task.pk for task in tasks]
    client.post(url("bulk"), {"chosen": chosen, "do": "complete", "next": "/todos"})
    assert time.process_time() - began < 4  # it took 10 seconds
    assert {status for _day, status, _rule in days()} == {"completed"}
    assert Task.objects.count() == 10


def test_the_form_sets_shows_and_clears_them(client, loose, at):
    at(NOW)
    task = loose(due_date="2026-12-01")
    sent = {"title": "Gym", "due_date": "2026-12-01", "repeat": "FREQ=WEEKLY", "assignee": "Ana",
            "tags": "sport, health", "remind_minutes": "60", "remind_at": "", "version": "1",
            "next": "/todos"}  # fmt: skip
    assert client.post(url("todo", task.pk), sent).status_code == 302
    task.refresh_from_db()
    assert (task.repeat, task.assignee, task.tags, task.remind_minutes) == (
        "FREQ=WEEKLY", "Ana", ["sport", "health"], 60,
    )  # fmt: skip
    page = client.get(url("todo", task.pk)).content.decode()
    assert '<option value="FREQ=WEEKLY" selected>Every week</option>' in page
    assert '<option value="60" selected>An hour before</option>' in page
    assert "sport, health" in page
    empty = {**sent, "repeat": "", "assignee": "", "tags": "", "remind_minutes": "",
             "remind_at": "2026-11-30T08:15", "version": str(task.version)}  # fmt: skip
    client.post(url("todo", task.pk), empty)
    task.refresh_from_db()
    assert (task.repeat, task.assignee, task.tags, task.remind_minutes) == ("", "", [], None)
    assert task.remind_at == dt.datetime(2026, 11, 30, 8, 15, tzinfo=dt.UTC)
    version = task.version
    client.post(url("todo", task.pk), {**empty, "version": str(version)})
    task.refresh_from_db()
    assert task.version in {version, version + 1}
    assert task.remind_at == dt.datetime(2026, 11, 30, 8, 15, tzinfo=dt.UTC)


def test_a_rule_from_elsewhere_stays_when_the_form_is_saved(client, loose):
    rule = "FREQ=MONTHLY;BYDAY=-1FR"
    task = loose(due_date="2026-12-25", repeat=rule)
    page = client.get(url("todo", task.pk)).content.decode()
    assert f'<option value="{rule}" selected>' in page
    client.post(url("todo", task.pk), {"title": "New", "repeat": rule, "version": "1"})
    task.refresh_from_db()
    assert (task.title, task.repeat) == ("New", rule)


def test_a_line_with_a_repetition_a_person_and_a_tag_is_stored_as_its_preview_says(
    client, loose, at
):
    at(NOW)
    loose("Old", assignee="Ana Becker", tags=["sport"])
    line = "gym with everybody every Tuesday 7am @Ana #sport #unknown @home"
    shown = api(client, "post", "/commands/preview", {"text": line})
    (command,) = shown["commands"]
    assert command["title"] == "Gym with everybody #unknown @home"
    assert (command["repeat"], command["assignee"], command["tags"]) == (
        "FREQ=WEEKLY;BYDAY=TU", "Ana Becker", ["sport"],
    )  # fmt: skip
    assert {field for _start, _end, field in shown["spans"]} == {"repeat", "assignee", "tag"}
    client.post(url("add"), {"text": line, "seen": "1"})
    task = Task.objects.exclude(title="Old").get()
    assert (task.title, task.repeat, task.assignee, task.tags, str(task.due_date)) == (
        command["title"], command["repeat"], "Ana Becker", ["sport"], command["due_date"],
    )  # fmt: skip
    assert task.due_time == dt.time(7)
    preview = client.get(url("quick"), {"text": line}).content.decode()
    assert "every week on Tuesday" in preview


# Reminders ------------------------------------------------------------------------------------
@pytest.fixture
def berlin(alice, actor):
    alice.email = "alice@example.org"
    alice.save()
    Participant.objects.filter(pk=actor.owner_id).update(time_zone="Europe/Berlin")


def test_a_reminder_is_mailed_once_by_the_clock_of_its_owner(client, loose, berlin, at, settings):
    settings.SITE_URL = "https://futura.example"
    at(NOW)
    task = loose("Call <Ana>", due_date="2026-11-25", due_time="15:00", remind_minutes=60)
    loose("Later", due_date="2026-11-26", remind_minutes=10)
    at("2026-11-25T12:59:00")
    assert send_due() == 0
    at("2026-11-25T13:00:30")
    app.tasks["projects.send_reminders"]()
    assert send_due() == 0
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["alice@example.org"], "Reminder: Call <Ana>")
    assert "Wednesday 25 November 2026, 15:00" in sent.body
    assert f"https://futura.example/todos/{task.pk}" in sent.body
    at("2026-11-26T07:50:00")  # 8:50 in Berlin, ten minutes before the morning
    assert send_due() == 1


def test_a_reminder_is_mailed_once_when_its_owner_travels(client, loose, berlin, at):
    at(NOW)
    task = loose(due_date="2026-11-25", remind_minutes=60)
    api(client, "patch", f"/todos/{task.pk}", {"due_time": "15:00"})
    at("2026-11-25T13:00:30")
    assert send_due() == 1
    api(client, "patch", f"/todos/{task.pk}", {"title": "Call Ana", "priority": "high"})
    for zone, later in (("Europe/London", "14:00:30"), ("Pacific/Honolulu", "23:59:30")):
        Participant.objects.update(time_zone=zone)
        at(f"2026-11-25T{later}")
        assert send_due() == 0
    at("2026-11-26T00:00:30")  # two in the afternoon there
    assert send_due() == 0
    api(client, "patch", f"/todos/{task.pk}", {"due_time": "16:00"})
    at("2026-11-26T01:00:30")
    assert send_due() == 1


def test_a_change_while_the_mail_goes_out_is_reminded_of(client, loose, berlin, at, monkeypatch):
    at(NOW)
    task = loose(due_date="2026-11-25", due_time="15:00", remind_minutes=60)
    at("2026-11-25T13:00:30")

    def slow(_backend, messages):
        at("2026-11-25T13:00:40")
        api(client, "patch", f"/todos/{task.pk}", {"due_time": "16:00"})
        at("2026-11-25T13:00:50")
        return len(messages)

    with monkeypatch.context() as mails:
        mails.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", slow)
        assert send_due() == 1
    at("2026-11-25T14:00:30")
    assert send_due() == 1


@pytest.mark.parametrize(
    ("due", "moment"),
    [
        ("2027-03-28", "2027-03-27T08:00:00"),  # clocks are put forward that night
        ("2026-10-25", "2026-10-24T07:00:00"),  # and back
    ],
)
def test_a_day_before_is_at_the_same_time_of_day_where_clocks_change(
    loose, berlin, at, due, moment
):
    at("2026-10-01T10:00:00")
    loose(due_date=due, due_time="09:00", remind_minutes=24 * 60)
    due_moment = dt.datetime.fromisoformat(moment)
    at(str(due_moment - dt.timedelta(seconds=1)))
    assert send_due() == 0
    at(moment)
    assert send_due() == 1


def test_a_moment_reminds_and_what_is_done_dropped_or_deleted_does_not(client, loose, berlin, at):
    at(NOW)
    for name in ("Open", "Done", "Gone"):
        loose(name, remind_at="2026-11-25T11:00:00+00:00")
    client.post(url("status", Task.objects.get(title="Done").pk), {"status": "completed"})
    client.post(url("delete", Task.objects.get(title="Gone").pk))
    at("2026-11-25T11:30:00")
    assert send_due() == 1
    assert mail.outbox[0].subject == "Reminder: Open"
    assert Reminder.objects.get().sent_at


def test_a_mail_server_that_fails_is_tried_again_until_a_day_has_passed(
    loose, berlin, at, monkeypatch
):
    at(NOW)
    loose(remind_at="2026-11-25T11:00:00+00:00")
    at("2026-11-25T11:01:00")
    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", _refuses)
        assert send_due() == 0
    at("2026-11-25T20:00:00")
    assert send_due() == 1
    loose("Old", remind_at="2026-11-20T11:00:00+00:00")
    assert send_due() == 0


def _refuses(_backend, _messages):
    raise OSError("The mail server is away.")


def test_the_page_says_where_reminders_go(client, loose, alice):
    task = loose()
    alice.email = ""
    alice.save()
    assert "your account has no email address" in client.get(url("todo", task.pk)).content.decode()
    alice.email = "alice@example.org"
    alice.save()
    page = client.get(url("todo", task.pk)).content.decode()
    assert "Reminders are sent to alice@example.org." in page


def test_every_field_that_a_command_sets_is_in_form_json_and_history_by_one_name(client, loose):
    task = loose()
    loose("Wait for this")
    commands = {item["name"]: item for item in client.get("/api/commands").json()["commands"]}
    fields = set(commands["create_todo"]["arguments"]["properties"])
    form = flat(client.get(url("todo", task.pk)))
    assert {name for name in fields if f'name="{name}"' not in form} == set()
    assert fields - set(api(client, "get", f"/todos/{task.pk}")) == set()
    api(client, "patch", f"/todos/{task.pk}", {
        "details": "Twice", "status": "scheduled", "priority": "high", "start_date": "2026-12-01",
        "due_date": "2026-12-02", "due_time": "09:00", "estimate_low_days": 1,
        "estimate_high_days": 2, "assignee": "Ana", "tags": ["sport"], "repeat": "FREQ=DAILY",
    })  # fmt: skip
    history = client.get(reverse("operations:history", args=["task", task.pk])).content.decode()
    change = flat(client.get(re.search(r'id="details-\S+"\s+href="([^"]+)"', history)[1]))
    names = [
        "Details", "Status", "Priority", "Start date", "Due", "Due time",
        "Shortest estimate (days)", "Longest estimate (days)", "Assignee", "Tags", "Repeats",
    ]  # fmt: skip
    assert [name for name in names if f">{name}<" not in form] == []
    assert [name for name in names if f">{name}<" not in change] == []


def test_the_page_says_that_what_this_device_alone_has_is_not_mailed(browser, alice):
    guest = browser(None)
    guest.post(url("add"), {"text": "Call the printer", "seen": "1"})
    task = Task.objects.get()
    alice.email = "alice@example.org"
    alice.save()
    guest.force_login(alice)
    page = guest.get(url("todo", task.pk)).content.decode()
    assert "Reminders are sent once you move it to your account." in page
    assert "Reminders are sent to alice@example.org." not in page


def test_without_a_mail_server_the_page_says_so_and_nothing_counts_as_sent(
    client, loose, berlin, at, settings, capsys
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    at(NOW)
    task = loose(remind_at="2026-11-25T11:00:00+00:00")
    page = client.get(url("todo", task.pk)).content.decode()
    assert "this site has no mail server yet" in page
    assert "Reminders are sent to alice@example.org." not in page
    at("2026-11-25T11:01:00")
    assert send_due() == 0
    assert not Reminder.objects.exists()
    assert "Call the printer" not in capsys.readouterr().out
