"""Which to-dos stand where, in the person's own days; quick add; copies to keep."""

from __future__ import annotations

import csv
import datetime as dt
import html
import io
import itertools
import json
import re

import pytest
from django.utils import timezone

from chat import zones
from chat.models import Participant
from chat.operations.models import OperationBatch
from chat.operations.steps import open_ledger
from projects import field_labels
from projects.models import Project, Task
from projects.todos import queries
from projects.todos.listing import TABS, Listing
from tests import project_rows, todos
from tests.extent import some
from tests.projects.todos.conftest import url

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
HTMX = {"HX-Request": "true", "HX-Target": "found"}


def words(answer):
    return answer.content.decode()


def shown(client, query):
    """Titles in the order of a page."""
    context = client.get(url("list") + query).context
    return [row.task.title for group in context["groups"] for row in group.rows]


def headings(client, query):
    return [group.title for group in client.get(url("list") + query).context["groups"]]


def test_every_status_and_priority_has_its_list(client, loose, at):
    at("2026-11-21 10:00")
    for status in Task.Status.values:
        loose(status, status=status, priority="low")
    assert shown(client, "?tab=inbox") == ["inbox"]
    assert shown(client, "?tab=available") == ["available"]
    assert shown(client, "?tab=upcoming") == ["scheduled"]
    assert shown(client, "?tab=blocked") == ["blocked"]
    assert set(shown(client, "?tab=done")) == {"completed", "dropped"}
    assert set(shown(client, "?tab=all")) == set(Task.Status.values)
    for status in Task.Status.values:
        assert shown(client, f"?status={status}") == [status]
    for priority in Task.Priority.values:
        loose(f"very {priority}", priority=priority)
        assert f"very {priority}" in shown(client, f"?tab=all&priority={priority}")
    assert shown(client, "?tab=all&priority=high") == ["very high"]
    assert "count" in words(client.get(url("list")))


def test_today_holds_what_presses_the_most_pressing_first(client, loose, at):
    at("2026-11-21 10:00")
    loose("later", due_date="2026-11-25")
    loose("no day, critical", priority="critical")
    loose("today, low", due_date="2026-11-21", priority="low")
    loose("today, at nine", due_date="2026-11-21", due_time="09:00", priority="low")
    loose("late", due_date="2026-11-19")
    loose("begun", status="scheduled", start_date="2026-11-20")
    loose("not begun", status="scheduled", start_date="2026-11-22", priority="critical")
    loose("done", due_date="2026-11-19", status="completed")
    assert shown(client, "") == [
        "late", "today, at nine", "today, low", "no day, critical", "begun",
    ]  # fmt: skip
    assert headings(client, "") == ["Overdue", "Today", "Critical", "Started"]
    assert words(client.get(url("list"))).count('class="late"') == 2  # nine o'clock is past
    assert shown(client, "?tab=upcoming") == ["not begun", "later"]
    assert headings(client, "?tab=upcoming") == ["Tomorrow", "Wednesday 25 November"]


def test_what_has_been_late_for_long_does_not_push_the_day_away(client, loose, at, actor):
    at("2026-11-21 10:00")
    old = [{"title": f"Old {number}", "due_date": "2025-12-01"} for number in range(60)]
    todos.add_all(actor=actor, all_values=old)
    loose("late", due_date="2026-11-14")
    loose("today", due_date="2026-11-21")
    loose("critical", priority="critical")
    assert shown(client, "")[:4] == ["late", "today", "critical", "Old 0"]
    assert headings(client, "")[-1] == "Overdue for more than a week"
    day = words(client.get("/home/day"))
    assert day.index(">late<") < day.index(">today<") < day.index(">Old 0<")
    assert "61 to-dos are overdue" in day


@pytest.mark.parametrize("status", some(["paused", "completed", "archived"], 3))
def test_what_is_open_in_a_project_that_is_not_active_does_not_call(
    client, actor, project, todo, at, status
):
    at("2026-11-21 10:00")
    todo("late", due_date="2026-11-19")
    assert shown(client, "") == ["late"]
    project_rows.change_status(actor=actor, project=project, status=status)
    assert shown(client, "") == []
    assert shown(client, "?tab=all") == ["late"]


def test_filters_narrow_and_a_search_looks_everywhere(client, loose, project, todo, at):
    at("2026-11-21 10:00")
    loose("Call the printer", details="about the paper", due_date="2026-11-19")
    todo("Print labels", due_date="2026-11-24")
    todo("Buy wood", due_date="2026-12-24")
    assert set(shown(client, "?q=PRINT")) == {"Call the printer", "Print labels"}
    assert shown(client, "?q=paper+call") == ["Call the printer"]
    assert set(shown(client, "?q=weekly")) == {"Print labels", "Buy wood"}  # the project's name
    assert shown(client, "?tab=all&project=none") == ["Call the printer"]
    assert set(shown(client, f"?tab=all&project={project.pk}")) == {"Print labels", "Buy wood"}
    assert shown(client, "?tab=all&due=late") == ["Call the printer"]
    assert shown(client, "?tab=all&due=week") == ["Print labels"]
    assert shown(client, "?tab=all&due=later") == ["Buy wood"]
    assert shown(client, "?tab=all&due=none") == []
    assert "No to-dos match" in words(client.get(url("list") + "?tab=all&due=none"))
    assert shown(client, "?tab=all&sort=new")[0] == "Buy wood"


def test_an_odd_address_shows_a_list_all_the_same(client, loose):
    loose()
    for query in (
        "?tab=nowhere", "?page=-1", "?page=x", "?page=99999999", "?project=x", "?sort=evil",
        "?q=%00", "?q=" + "x" * 20_000, "?due=never", "?priority=very", "?status=gone",
    ):  # fmt: skip
        assert client.get(url("list") + query).status_code == 200, query


# Days and zones --------------------------------------------------------------------------------
def test_today_begins_at_the_person_s_midnight(client, loose, at):
    loose("Due on the 22nd", due_date="2026-11-22")
    at("2026-11-21 23:30")
    assert shown(client, "") == []
    client.cookies[zones.COOKIE] = "Europe/Berlin"  # there it is half past midnight
    assert shown(client, "") == ["Due on the 22nd"]
    client.cookies[zones.COOKIE] = "America/Los_Angeles"
    assert shown(client, "") == []
    at("2026-11-23 07:59")  # one minute before midnight in Los Angeles
    assert headings(client, "") == ["Today"]
    at("2026-11-23 08:00")
    assert headings(client, "") == ["Overdue"]


MOMENTS = (
    ("2026-10-25 00:29", "Today", 0),  # 02:29 in Berlin, summer time
    ("2026-10-25 01:31", "Today", 1),  # 02:31, in the hour that comes twice
    ("2026-10-25 22:59", "Today", 1),  # 23:59, winter time
    ("2026-10-25 23:00", "Overdue", 2),  # midnight (with the heading)
)


def test_the_day_on_which_clocks_go_back_has_its_25_hours(client, loose, at):
    client.cookies[zones.COOKIE] = "Europe/Berlin"
    loose("Turn the clocks", due_date="2026-10-25", due_time="02:30")
    for moment, heading, late in MOMENTS:
        at(moment)
        assert headings(client, "") == [heading], moment
        page = words(client.get(url("list")))
        assert page.count('class="late"') + page.count('todos-group late"') == late, moment


def test_a_day_is_moved_by_the_person_s_clock(client, loose, at):
    at("2026-11-21 23:30")
    client.cookies[zones.COOKIE] = "Pacific/Auckland"  # Sunday noon there
    task = loose()
    client.post(url("when", task.pk), {"to": "week"})
    task.refresh_from_db()
    assert str(task.due_date) == "2026-11-23"


# Quick add -------------------------------------------------------------------------------------
def test_a_line_is_shown_as_it_is_understood_then_kept(client, project, at):
    at("2026-11-21 10:00")
    line = "Call the printer Monday 3pm #weekly !high"
    page = words(client.get(url("quick"), {"text": line}))
    for part in ("Call the printer", "23 Nov, 15:00", "High", "Weekly sheet"):
        assert part in page
    assert not Task.objects.exists()
    answer = client.post(url("add"), {"text": line, "next": "/todos?tab=all"}, headers=HTMX)
    task = Task.objects.get()
    assert (task.title, task.priority, task.project) == ("Call the printer", "high", project)
    assert (str(task.due_date), str(task.due_time)) == ("2026-11-23", "15:00:00")
    assert task.status == "available"
    assert "Call the printer" in words(answer)
    assert "Added to-do." in words(answer)


def test_without_scripts_what_was_understood_is_shown_before_it_is_kept(client, at):
    at("2026-11-21 10:00")
    line = "Call the printer tomorrow"
    page = words(client.post(url("add"), {"text": line}))
    assert not Task.objects.exists()
    assert 'name="seen"' in page
    assert line in page
    assert client.post(url("add"), {"text": line, "seen": "1"}).status_code == 302
    assert Task.objects.get().title == "Call the printer"
    assert client.post(url("add"), {"text": "No day at all"}).status_code == 302
    assert Task.objects.filter(title="No day at all").exists()


def test_each_line_of_a_list_becomes_a_to_do(client, at):
    at("2026-11-21 10:00")
    text = "- Buy wood tomorrow\r\n\r\n* Ask Ana !high\r\nPaint <the fence>"
    shown = words(client.post(url("quick") + "?each", {"text": text}))
    assert "“Buy wood”" in shown
    assert 'name="seen"' in shown
    assert "Add as one to-do" in shown
    page = words(client.post(url("add"), {"text": text}))
    assert "Paint &lt;the fence&gt;" in page
    assert not Task.objects.exists()
    client.post(url("add"), {"text": text}, headers=HTMX)
    rows = list(Task.objects.order_by("position").values_list("title", "due_date", "priority"))
    assert rows == [
        ("Buy wood", dt.date(2026, 11, 22), "normal"),
        ("Ask Ana", None, "high"),
        ("Paint <the fence>", None, "normal"),
    ]
    batch = OperationBatch.objects.get()
    assert batch.title == "Added 3 to-dos"


def test_lines_of_which_one_cannot_be_kept_are_all_left(client, monkeypatch):
    answer = client.post(url("add"), {"text": f"Buy wood\n{'x' * 600}"}, headers=HTMX)
    assert answer.status_code == 422
    assert "field__error" in words(answer)
    monkeypatch.setattr("projects.commands.todos.AT_ONCE", 5)
    many = "\n".join(f"Row {n}" for n in range(6))
    assert client.post(url("add"), {"text": many, "seen": "1"}).status_code == 422
    assert not Task.objects.exists()
    client.post(url("add"), {"text": "Two\nlines", "plain": "1"})
    assert Task.objects.get().title == "Two lines"


def test_every_word_can_be_kept_in_the_title(client, at):
    at("2026-11-21 10:00")
    client.post(url("add"), {"text": "Listen to Blue Monday", "plain": "1"})
    task = Task.objects.get()
    assert (task.title, task.due_date) == ("Listen to Blue Monday", None)


def test_a_line_that_cannot_be_kept_is_said_so(client):
    for text in ("", "   ", "\x00", "x" * 20_000, "word " * 4_000):
        answer = client.post(url("add"), {"text": text}, headers=HTMX)
        assert answer.status_code == 422, text[:9]
        assert answer["HX-Retarget"] == "#quick-preview"
        assert "field__error" in words(answer)
        assert client.post(url("add"), {"text": text}).status_code == 422, text[:9]
        assert client.get(url("quick"), {"text": text}).status_code == 200, text[:9]
    assert not Task.objects.exists()


def test_somebody_without_an_account_gets_a_list_and_a_cookie(browser):
    visitor = browser()
    page = words(visitor.get(url("list")))
    assert "No to-dos yet" in page
    assert not Participant.objects.exists()
    answer = visitor.post(url("add"), {"text": "Buy milk"})
    assert "futura_participant" in answer.cookies
    assert "Buy milk" in words(visitor.get(url("list") + "?tab=inbox"))
    assert "Buy milk" not in words(browser().get(url("list") + "?tab=inbox"))


# Copies ----------------------------------------------------------------------------------------
def test_a_list_is_kept_as_table_and_data(client, loose, todo, at):
    at("2026-11-21 10:00")
    loose(
        "=SUM(A1)", details="Two\nlines", due_date="2026-11-22", due_time="15:00",
        estimate_low_days="0.5", estimate_high_days="2", remind_minutes=60,
    )  # fmt: skip
    todo("Print labels", priority="high")
    table = list(csv.DictReader(io.StringIO(words(client.get(url("csv") + "?tab=all"))[1:])))
    assert [row["Title"] for row in table] == ["Print labels", "'=SUM(A1)"]
    assert (table[1]["Due"], table[1]["Due time"]) == ("2026-11-22", "15:00")
    estimate = table[1]["Shortest estimate (days)"], table[1]["Longest estimate (days)"]
    assert (*estimate, table[1]["Reminder"]) == ("0.50", "2.00", "an hour before")
    answer = client.get(url("json") + "?tab=inbox")
    assert 'filename="to-dos-inbox-2026-11-21.json"' in answer["Content-Disposition"]
    (only,) = json.loads(answer.content)["tasks"]
    assert (only["title"], only["due_time"], only["project"]) == ("=SUM(A1)", "15:00:00", None)


def test_the_clock_of_the_page_is_the_person_s(client, at):
    at("2026-11-21 10:00")
    client.cookies[zones.COOKIE] = "Asia/Tokyo"
    assert client.get(url("list")).status_code == 200
    assert timezone.get_current_timezone_name() == "Asia/Tokyo"


def test_all_lists_finished_ones_last_under_their_heading_newest_first(client, loose, at):
    at("2026-11-20 10:00")
    for title in ("First done", "Second done", "Open"):
        loose(title)
    for hour, title in ((11, "First done"), (12, "Second done")):
        at(f"2026-11-20 {hour}:00")
        todo = Task.objects.get(title=title)
        client.post(url("status", todo.pk), {"status": "completed", "next": "/todos?tab=all"})
    page = words(client.get("/todos?tab=all"))
    places = [
        page.index(f">{text}<")
        for text in ("Open", "Completed or dropped, newest first", "Second done", "First done")
    ]
    assert places == sorted(places)
    assert "Default: Manual order" in page


def test_every_count_is_as_long_as_its_list(client, me, owner, actor):
    today = timezone.localdate()
    days = (None, today - DAY, today, today + DAY)
    projects = [project_rows.create_project(actor=actor, values={"name": n}).row for n in "ABCD"]
    for project, status in zip(projects, Project.Status.values, strict=True):
        project_rows.change_status(actor=actor, project=project, status=status)
    Task.objects.bulk_create(
        Task(owner=owner, title="x", project=project, status=status, priority=priority,
             due_date=due, start_date=start)
        for project in (None, *projects)
        for status in Task.Status.values
        for priority in ("critical", "normal")
        for due, start in itertools.product(days, days[:1] + days[2:])
    )  # fmt: skip
    counts = queries.counts_of(me.participant_ids, today)
    for tab in TABS:
        assert counts[tab] == queries.matching(me, Listing(tab=tab), today).count(), tab
    is_open = Listing(tab="open")
    calls = queries.matching(me, is_open, today)
    assert counts["late"] == calls.filter(due_date__lt=today).count() > 0
    assert counts["due_today"] == calls.filter(due_date=today).count() > 0
    everywhere = {"inbox", *Task.CLOSED}
    for status in Task.Status.values:
        base = queries.own(me) if status in everywhere else calls
        assert counts[f"status_{status}"] == base.filter(status=status).count() > 0
    resting = queries.own(me).filter(status__in=Task.ACTIVE).exclude(status="inbox")
    assert counts["resting"] == resting.exclude(pk__in=calls.values("pk")).count() > 0


def test_a_title_ends_the_directions_that_it_begins(client, loose):
    loose("Bill \u202etxt.exe", due_date="2026-12-01", tags=["a\u202eb"])
    for title in ("Bill \u2067\u202bb", "Bill \u2067\u202bc\u2069", "Bill \u202ad\u202c"):
        loose(title)
    copy = client.get("/todos/export.csv?tab=all").text
    assert "Bill \u202etxt.exe\u202c," in copy
    assert ",a\u202eb\u202c," in copy
    assert "Bill \u2067\u202bb\u202c\u2069," in copy
    assert "Bill \u2067\u202bc\u2069," in copy
    assert "Bill \u202ad\u202c," in copy


def test_the_table_has_a_column_for_every_field_that_can_be_set_and_no_words_for_nothing(
    client, loose
):
    loose("Pay the rent")
    copy = client.get("/todos/export.csv?tab=all").text.removeprefix("\ufeff")
    head, row = csv.reader(copy.splitlines())
    commands = {item["name"]: item for item in client.get("/api/commands").json()["commands"]}
    names = set(commands["create_todo"]["arguments"]["properties"]) - {"project", "remind_at"}
    assert {field_labels.FIELDS[name] for name in names} - {*head} == set()
    filled = {name: text for name, text in zip(head, row, strict=True) if text}
    assert filled.keys() == {"Title", "Status", "Priority", "Id"}


@pytest.mark.thorough
def test_a_copy_has_every_to_do_however_many_there_are(client, owner):
    open_ledger()
    number = queries.PLACED + 1  # more than any page looks at
    Task.objects.bulk_create(Task(owner=owner, title=f"To-do {n}") for n in range(number))
    copy = json.loads(client.get("/todos/export.json?tab=all").content)
    assert len(copy["tasks"]) == number


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["form", "fragment"])
def test_a_list_left_open_after_signing_out_adds_nothing_and_offers_to_sign_in(client, headers):
    shown = client.get("/todos").text
    (marked,) = re.findall(r'<input type="hidden" name="account" value="1">', shown)
    client.logout()
    people = Participant.objects.count()
    sent = {"text": "Call the printer", "seen": "1", "account": "1"}
    headers = {"Referer": "http://testserver/todos?tab=inbox", **headers}
    answer = client.post(url("add"), sent, headers=headers)
    assert answer.status_code == 401
    assert "You are signed out." in answer.text
    assert "next=http%3A%2F%2Ftestserver%2Ftodos%3Ftab%3Dinbox" in answer.text
    assert headers.get("HX-Request") or "Call the printer</textarea>" in answer.text
    assert not Task.objects.exists()
    assert Participant.objects.count() == people
    assert marked not in client.get("/todos").text


def test_an_open_list_asks_for_itself_whatever_was_looked_at_since(client, loose):
    loose("Sow")
    page = words(client.get(url("list") + "?tab=inbox&view=list"))
    address = html.unescape(re.search(r'id="found"[^>]*hx-get="([^"]*)"', page)[1])
    client.get(url("list") + "?view=week&sort=new")
    again = words(client.get(address, headers=HTMX))
    assert 'data-here="/todos?tab=inbox"' in again
    assert again.lstrip().startswith("<div")


def test_an_open_project_asks_for_its_to_dos(client, project):
    page = words(client.get(f"/projects/{project.pk}"))
    address = re.search(r'id="tasks"[^>]*hx-get="([^"]*)"', page)[1]
    assert 'id="tasks"' in words(client.get(address, headers={"HX-Request": "true"}))
