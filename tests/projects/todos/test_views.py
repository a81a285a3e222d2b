"""To-dos by week and on a board, the order that is remembered, and several chosen there."""

from __future__ import annotations

import html
import re

import pytest

from chat.operations.changes import Create
from chat.operations.execute import execute
from projects.models import Task
from tests import project_rows, todos
from tests.markup import flat
from tests.projects.todos.conftest import url

pytestmark = pytest.mark.django_db
NOW = "2026-11-25T10:00:00"  # a Wednesday


def columns(client, query):
    """The headings of the columns, each with the titles below it."""
    page = flat(client.get(f"/todos?{query}"))
    sections = re.findall(r'<section class="todos-column.*?</section>', page, re.DOTALL)
    return {
        re.search(r"<h2.*?>(.*?)<span", section, re.DOTALL)[1]: re.findall(
            r'todo__text"><a[^>]*>(.*?)</a>', section
        )
        for section in sections
    }


def test_a_week_has_its_days_late_ones_first_and_the_weeks_beside_it(client, loose, at):
    at(NOW)
    loose("Late", due_date="2026-11-20")
    loose("Missed", due_date="2026-11-24")
    loose("Noon", due_date="2026-11-26", due_time="12:00")
    loose("Morning", due_date="2026-11-26", due_time="08:00")
    loose("Begins", start_date="2026-11-29")
    loose("Next", due_date="2026-11-30")
    loose("Some day")
    assert columns(client, "view=week") == {
        "Overdue": ["Late", "Missed"], "Mon 23 Nov": [], "Tue 24 Nov": [], "Wed 25 Nov": [],
        "Thu 26 Nov": ["Morning", "Noon"], "Fri 27 Nov": [], "Sat 28 Nov": [],
        "Sun 29 Nov": ["Begins"],
    }  # fmt: skip
    assert columns(client, "view=week&week=2026-12-02")["Mon 30 Nov"] == ["Next"]
    assert columns(client, "view=week&week=2026-11-17")["Fri 20 Nov"] == ["Late"]
    page = client.get("/todos?view=week").content.decode()
    assert "week=2026-11-16" in page
    assert "week=2026-11-30" in page
    assert columns(client, "view=week&q=noon")["Thu 26 Nov"] == ["Noon"]


def test_a_board_has_a_column_for_each_status_and_what_was_done_lately(client, loose, actor, at):
    at("2026-11-10T10:00:00")
    todos.complete(actor=actor, task=loose("Done long ago"))
    at(NOW)
    todos.complete(actor=actor, task=loose("Done"))
    at("2026-11-25T11:00:00")
    todos.complete(actor=actor, task=loose("Done now"))
    loose("New")
    loose("Stuck", status="blocked")
    loose("Dropped", status="dropped")
    assert columns(client, "view=board") == {
        "Inbox": ["New"], "Available": [], "Scheduled": [], "Blocked": ["Stuck"],
        "Done": ["Done now", "Done"],
    }  # fmt: skip


def others(client, query):
    """How many more a column says that it has, and the titles of the list that it leads to."""
    number, address, more = re.search(
        r'>(\d+) \+ ?<a\s+href="([^"]+)">(\d+)<', flat(client.get(f"/todos?{query}"))
    ).groups()
    page = flat(client.get(html.unescape(address)))
    return int(number), int(more), re.findall(r'todo__text"><a[^>]*>(.*?)</a>', page)


def test_a_column_shows_the_first_and_leads_to_the_others(client, actor):
    changes = [Create("task", {"title": f"To-do {number}"}) for number in range(32)]
    assert execute(actor=actor, changes=changes).status == "completed"
    number, more, listed = others(client, "view=board")
    assert len(columns(client, "view=board")["Inbox"]) == number
    assert number + more == len(listed) == 32


@pytest.mark.thorough
def test_hundreds_of_late_ones_do_not_push_the_week_away(client, actor, loose, at):
    at(NOW)
    changes = [
        Create("task", {"title": f"Late {number}", "due_date": "2026-01-01"})
        for number in range(320)
    ]
    assert execute(actor=actor, changes=changes).status == "completed"
    loose("Noon", due_date="2026-11-26")
    assert columns(client, "view=week")["Thu 26 Nov"] == ["Noon"]
    number, more, listed = others(client, "view=week")
    assert number + more == 320
    assert all(title.startswith("Late") for title in listed)


@pytest.mark.thorough
@pytest.mark.parametrize("view", ["list&tab=all", "week", "board"])
def test_a_view_takes_as_many_queries_for_twenty_as_for_one(
    client, actor, view, django_assert_num_queries, at
):
    at(NOW)
    project = project_rows.create_project(actor=actor, values={"name": "Garden"}).row

    def add(*titles):
        changes = []
        for title in titles:
            needed = Create("task", {"title": f"Before {title}"})
            values = {"title": title, "due_date": "2026-11-26", "project": str(project.pk),
                      "status": "available", "depends_on": [str(needed.id)]}  # fmt: skip
            changes += [needed, Create("task", values)]
        assert execute(actor=actor, changes=changes).status == "completed"

    add("One")
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as first:
        client.get(f"/todos?view={view}")
    add(*(f"More {number}" for number in range(20)))
    with django_assert_num_queries(len(first)):
        client.get(f"/todos?view={view}")


def test_the_order_and_the_view_stay_until_others_are_chosen(client, loose):
    loose("B", due_date="2027-01-01")
    loose("A", due_date="2027-01-02")
    loose("C", priority="high")
    rows = re.compile(r'todo__text"><a[^>]*>(.*?)</a>')

    def shown(query=""):
        return rows.findall(flat(client.get(f"/todos{query}")))

    assert shown("?tab=all&sort=priority&q=")[0] == "C"
    assert shown("?tab=all") == ["C", "B", "A"]
    page = client.get("/todos?tab=all").content.decode()
    assert '<option value="priority" selected>' in page
    assert shown("?tab=all&sort=") == shown("?tab=all") == ["B", "A", "C"]
    assert "todos-columns--board" in client.get("/todos?view=board").content.decode()
    assert "todos-columns--board" in client.get("/todos").content.decode()
    client.get("/todos?view=list")
    assert "todos-columns" not in client.get("/todos").content.decode()


def test_several_are_moved_on_a_board_by_a_plain_form_and_taken_back_at_once(client, loose):
    ids = [loose(title).pk for title in "ABC"]
    page = client.get("/todos?view=board").content.decode()
    assert page.count('name="chosen"') == 3
    sent = {"chosen": ids[:2], "do": "complete", "next": "/todos?view=board"}
    answer = client.post(url("bulk"), sent)
    assert answer.url.startswith("/todos?view=board&done=")
    assert Task.objects.filter(status="completed").count() == 2
    done = answer.url.rpartition("done=")[2]
    client.post(url("undo", done), {"next": "/todos?view=board"})
    assert Task.objects.filter(status="inbox").count() == 3


@pytest.mark.parametrize(
    "query", ["view=x", "week=x", "week=9999-12-31", "view=week&week=0001-01-01"]
)
def test_what_an_address_says_wrongly_is_left_out(client, query):
    assert client.get(f"/todos?{query}").status_code == 200
