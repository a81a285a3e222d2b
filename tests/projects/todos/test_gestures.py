"""What is done to to-dos on their pages, by plain forms and by htmx; every write can be undone."""

from __future__ import annotations

import datetime as dt
import json
import re
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.operations.changes import Create
from chat.operations.execute import execute
from chat.operations.models import OperationBatch
from chat.operations.replay import differences
from projects.commands.todo_changes import renumbered
from projects.models import Task
from projects.todos import queries
from projects.todos.listing import Listing
from tests import project_rows, todos
from tests.projects.todos.conftest import url
from tests.waiting import until_waiting

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "found"}


def words(answer):
    return answer.content.decode()


def titles(identity, tab, **more):
    found = queries.matching(identity, Listing(tab=tab, **more), timezone.localdate())
    return [task.title for task in found]


@pytest.fixture
def me(alice, identity_for, actor):
    return identity_for(alice)


def undone(client, answer):
    """Takes back what a redirect tells of."""
    batch = answer.url.rpartition("done=")[2]
    return client.post(url("undo", batch), {"next": "/todos?tab=all"})


def test_a_to_do_is_done_opened_again_and_each_taken_back(client, loose):
    task = loose()
    answer = client.post(url("status", task.pk), {"status": "completed", "next": "/todos?tab=all"})
    assert answer.url.startswith("/todos?tab=all&done=")
    task.refresh_from_db()
    assert task.status == "completed"
    assert task.completed_at
    page = words(client.get(answer.url))
    assert "Completed to-do." in page
    again = undone(client, answer)
    task.refresh_from_db()
    assert (task.status, task.completed_at) == ("inbox", None)
    undone(client, again)
    task.refresh_from_db()
    assert task.status == "completed"
    assert not differences()


def test_with_htmx_the_list_comes_back_with_a_notice_that_undoes(client, loose):
    task = loose()
    sent = {"status": "completed", "next": "/todos?tab=inbox"}
    answer = client.post(url("status", task.pk), sent, headers=HTMX)
    page = words(answer)
    assert 'id="found"' in page
    assert "<html" not in page
    assert task.title not in page.partition('id="toasts"')[0]
    batch = OperationBatch.objects.latest("created_at")
    assert url("undo", batch.pk) in page
    assert answer["HX-Trigger"] == "todos-changed"
    back = client.post(url("undo", batch.pk), {"next": "/todos?tab=inbox"}, headers=HTMX)
    assert task.title in words(back).partition('id="toasts"')[0]
    elsewhere = client.post(
        url("status", task.pk), {"status": "completed", "next": "/"}, headers={"HX-Request": "true"}
    )
    assert 'id="found"' not in words(elsewhere)
    assert 'id="toasts"' in words(elsewhere)


@pytest.mark.parametrize(
    ("to", "days"), [("today", 0), ("tomorrow", 1), ("week", 2), ("none", None), ("day", 40)]
)
def test_a_to_do_gets_another_day_and_keeps_its_time(client, loose, at, to, days):
    today = at("2026-11-21 10:00").date()  # a Saturday
    task = loose(due_date="2026-12-24", due_time="15:00", start_date="2026-12-20")
    day = (today + dt.timedelta(days=days)) if days is not None else None
    client.post(url("when", task.pk), {"to": to, "day": str(day or "")})
    task.refresh_from_db()
    assert task.due_date == day
    assert task.due_time == (dt.time(15) if day else None)
    assert task.start_date == min(day or dt.date.max, dt.date(2026, 12, 20))


def test_a_day_that_is_none_changes_nothing(client, loose):
    task = loose()
    for told in (
        {"to": "someday"},
        {"to": "day", "day": "soon"},
        {"to": "day", "day": "2026-02-31"},
    ):
        assert client.post(url("when", task.pk), told).status_code == 400
    task.refresh_from_db()
    assert task.version == 1


def test_several_are_changed_in_one_gesture_and_taken_back_together(client, loose, project, todo):
    tasks = [loose("One"), loose("Two"), todo("Three")]
    ids = [str(task.pk) for task in tasks]

    def now():
        return {t.title: t for t in Task.objects.filter(pk__in=ids, deleted_at=None)}

    done = client.post(url("bulk"), {"chosen": ids, "do": "complete"})
    assert {t.status for t in now().values()} == {"completed"}
    undone(client, done)
    assert [t.status for t in now().values()].count("completed") == 0
    client.post(url("bulk"), {"chosen": ids, "do": "priority:critical"})
    assert {t.priority for t in now().values()} == {"critical"}
    client.post(url("bulk"), {"chosen": ids, "do": "when:tomorrow"})
    tomorrow = timezone.localdate() + dt.timedelta(days=1)
    assert {t.due_date for t in now().values()} == {tomorrow}
    client.post(url("bulk"), {"chosen": ids, "do": f"project:{project.pk}"})
    assert {t.project_id for t in now().values()} == {project.pk}
    assert now()["One"].status == "available"  # it was in the inbox
    client.post(url("bulk"), {"chosen": ids, "do": "project:none"})
    assert {t.project_id for t in now().values()} == {None}
    gone = client.post(url("bulk"), {"chosen": ids, "do": "delete"})
    assert now() == {}
    undone(client, gone)
    assert len(now()) == 3
    assert OperationBatch.objects.filter(title="Deleted 3 to-dos").exists()
    assert not differences()


def test_what_was_deleted_meanwhile_does_not_hold_up_the_others(client, actor, loose):
    tasks = [loose(title) for title in ("One", "Two", "Gone", "Gone, too")]
    todos.delete(actor=actor, tasks=tasks[2:])
    chosen = [str(task.pk) for task in tasks]
    answer = client.post(url("bulk"), {"chosen": chosen, "do": "complete", "next": "/todos"})
    assert Task.objects.filter(status="completed").count() == 2
    notice = "Completed 2 to-dos. 2 more were selected but no longer existed."
    assert notice in client.get(answer.url).text
    sent = {"chosen": chosen[1:3], "do": "priority:high", "next": "/todos"}
    assert "1 more was selected" in client.post(url("bulk"), sent, headers=HTMX).text
    assert client.post(url("bulk"), {"chosen": chosen[2:], "do": "complete"}).status_code == 404


def test_what_cannot_be_done_to_several_is_refused(client, loose, project):
    task = loose()
    for sent in (
        {"do": "complete"},
        {"chosen": "x", "do": "complete"},
        {"chosen": str(task.pk), "do": "explode"},
        {"chosen": str(task.pk), "do": "priority:very"},
        {"chosen": str(task.pk), "do": "project:x"},
        {"chosen": [str(uuid.uuid4()) for _ in range(201)], "do": "complete"},
    ):
        assert client.post(url("bulk"), sent).status_code == 400, sent
    task.refresh_from_db()
    assert task.version == 1


def test_nobody_else_s_to_dos_or_projects_can_be_reached(client, loose, bobs):
    theirs = todos.add(actor=bobs, project=None, values={"title": "Secret"})
    shed = project_rows.create_project(actor=bobs, values={"name": "Shed"}).row
    mine = loose()
    both = [str(mine.pk), str(theirs.row.pk)]
    assert client.post(url("bulk"), {"chosen": both, "do": "complete"}).status_code == 404
    sent = {"chosen": str(mine.pk), "do": f"project:{shed.pk}"}
    assert client.post(url("bulk"), sent).status_code == 404
    assert client.post(url("undo", theirs.batch.pk)).status_code == 404
    place = {"to": "before", "before": str(theirs.row.pk), "next": "/todos?tab=inbox"}
    assert client.post(url("place", mine.pk), place).status_code == 400
    sent = {"title": "Mine", "project": str(shed.pk), "version": "1"}
    assert client.post(url("todo", mine.pk), sent).status_code == 422
    page = words(client.get(url("list") + f"?tab=all&project={shed.pk}"))
    assert "Secret" not in page
    assert "Shed" not in page
    mine.refresh_from_db()
    assert mine.version == 1


def test_a_to_do_is_put_in_its_place(client, loose, me):
    tasks = {name: loose(name) for name in "abcd"}

    def place(name, **to):
        sent = {"next": "/todos?tab=inbox", **to}
        assert client.post(url("place", tasks[name].pk), sent).status_code == 302
        return "".join(titles(me, "inbox"))

    assert "".join(titles(me, "inbox")) == "abcd"
    assert place("d", to="up") == "abdc"
    assert place("a", to="down") == "badc"
    assert place("c", to="first") == "cbad"
    assert place("c", to="last") == "badc"
    assert place("c", to="before", before=str(tasks["a"].pk)) == "bcad"
    assert place("b", to="after", before=str(tasks["a"].pk)) == "cabd"
    assert place("d", to="after", before=str(tasks["d"].pk)) == "cabd"
    sent = {"next": "/todos?tab=inbox", "to": "sideways"}
    assert client.post(url("place", tasks["a"].pk), sent).status_code == 400
    undone(client, client.post(url("place", tasks["d"].pk), {**sent, "to": "first"}))
    assert "".join(titles(me, "inbox")) == "cabd"


def test_moving_one_leaves_the_others_alone_where_there_is_room():
    def row(position):
        return Task(id=uuid.uuid4(), position=position)

    wide = [row(9000), row(1024), row(2048), row(3072)]
    moved = renumbered([wide[1], wide[0], wide[2], wide[3]], 1)
    assert [item.values for item in moved] == [{"position": 1536}]
    tight = [row(0), row(0), row(0), row(50)]
    moved = renumbered(tight, 1)
    assert [item.values["position"] for item in moved] == [1, 2]


def test_the_page_of_a_to_do_changes_all_of_it(client, loose, project, todo):
    task, other = loose(), todo("First")
    page = words(client.get(url("todo", task.pk) + "?next=/todos%3Ftab%3Dinbox"))
    assert "/todos?tab=inbox" in page
    sent = {
        "title": "Call the printer",
        "details": "Ask for **matt** paper",
        "status": "scheduled",
        "priority": "high",
        "due_date": "2027-03-02",
        "due_time": "15:00",
        "start_date": "2027-03-01",
        "project": str(project.pk),
        "estimate_low_days": "1",
        "version": "1",
        "next": "/todos?tab=inbox",
    }
    answer = client.post(url("todo", task.pk), sent)
    assert answer.url.startswith("/todos?tab=inbox&done=")
    task.refresh_from_db()
    assert (task.due_date, task.due_time) == (dt.date(2027, 3, 2), dt.time(15))
    assert (task.project_id, task.status, task.priority) == (project.pk, "scheduled", "high")
    page = words(client.get(url("todo", task.pk)))
    assert str(other.pk) in page  # it may wait for what is in its project now
    assert 'value="15:00' in page
    undone(client, answer)
    task.refresh_from_db()
    assert (task.project_id, task.due_time) == (None, None)


def test_of_very_many_the_newest_can_be_waited_for(client, loose, actor):
    task = loose("Waits")
    changes = [Create("task", {"title": f"Old {n}"}) for n in range(queries.CHOICES)]
    assert execute(actor=actor, changes=changes).status == "completed"
    newest = loose("Just thought of")
    page = words(client.get(url("todo", task.pk)))
    offered = re.findall(r'name="depends_on"\s+value="([^"]+)"', page)
    assert str(newest.pk) in offered
    assert len(offered) == queries.CHOICES


def test_a_form_keeps_what_its_to_do_waits_for_wherever_that_is(
    client, actor, project, todo, loose
):
    away, done, task = todo("Away"), todo("Done"), todo("Waits")
    todos.wait_for(actor=actor, task=task, needed=[away.pk, done.pk])
    todos.change(actor=actor, task=away, values={"project": None})
    todos.complete(actor=actor, task=done)
    task.refresh_from_db()
    page = client.get(url("todo", task.pk)).text
    ticked = re.findall(r'name="depends_on"\s+value="([^"]+)" checked', page)
    sent = {"title": "Waits still", "depends_on": ticked, "version": str(task.version)}
    assert client.post(url("todo", task.pk), sent).status_code == 302
    task.refresh_from_db()
    assert task.title == "Waits still"
    assert {*task.depends_on.all()} == {away, done}


WRONG = (
    ("title", ""),
    ("title", "x" * 20_000),
    ("due_time", "late"),
    ("due_time", "25:00"),
    ("due_date", "soon"),
    ("estimate_low_days", "-1"),
    ("priority", "very"),
    ("status", "gone"),
    ("project", "x"),
)


def test_a_refused_form_keeps_what_was_typed(client, loose):
    task = loose()
    sent = {"title": "Kept words", "details": "All of it", "due_date": "2027-03-02", "version": "1"}
    for field, value in WRONG:
        answer = client.post(url("todo", task.pk), {**sent, field: value})
        assert answer.status_code == 422, (field, value)
        assert "All of it" in words(answer)
        assert "field__error" in words(answer)
    task.refresh_from_db()
    assert task.version == 1


def test_a_time_needs_a_day_and_goes_with_it(client, loose):
    task = loose()
    answer = client.post(url("todo", task.pk), {"title": "T", "due_time": "15:00", "due_date": ""})
    assert answer.status_code == 422
    assert "date with the time" in words(answer)


def test_html_in_every_field_is_text(client, actor, loose, project):
    nasty = "<script>alert(1)</script><b hx-get='/x'>"
    project_rows.edit_project(actor=actor, project=project, values={"name": nasty})
    first = loose(nasty, details=nasty, due_date=str(timezone.localdate()), priority="critical")
    last = todos.add(actor=actor, project=project, values={"title": nasty}).row
    todos.wait_for(actor=actor, task=last, needed=[first.pk])
    for address in (
        url("list"), url("list") + "?tab=all", url("list") + f"?tab=all&q={nasty}",
        url("todo", first.pk), url("quick") + f"?text={nasty} tomorrow",
    ):  # fmt: skip
        page = words(client.get(address))
        assert nasty not in page, address
        assert "<b hx-get" not in page, address
    answer = client.post(url("add"), {"text": nasty}, headers=HTMX)
    assert nasty not in words(answer)


@pytest.mark.thorough
def test_pages_ask_the_database_as_often_for_hundreds_as_for_one(client, actor, project):
    addresses = [url("list") + f"?tab={tab}" for tab in ("today", "inbox", "upcoming", "all")]
    today = str(timezone.localdate())

    def fill(*numbers):
        changes = []
        for number in numbers:
            first = Create("task", {"title": f"Loose {number}", "due_date": today})
            values = {"title": f"In a project {number}", "project": str(project.pk),
                      "due_date": today, "priority": "critical", "status": "available",
                      "depends_on": [str(first.id)]}  # fmt: skip
            changes += [first, Create("task", values)]
        assert execute(actor=actor, changes=changes).status == "completed"

    def asked():
        counts = []
        for address in addresses:
            with CaptureQueriesContext(connection) as made:
                assert client.get(address).status_code == 200
            counts.append(len(made))
        return counts

    fill(0)
    few = asked()
    fill(*range(1, 31))
    assert asked() == few
    assert max(few) <= 12
    page = words(client.get(url("list") + "?tab=all"))
    assert page.count("data-todo=") == queries.ON_PAGE
    assert "1 to 50 of 62" in page
    rest = words(client.get(url("list") + "?tab=all&page=2"))
    assert rest.count("data-todo=") == 12
    assert words(client.get(url("list") + "?tab=all&page=99")).count("data-todo=") == 12


@pytest.mark.django_db(transaction=True)
def test_two_links_at_once_close_no_circle_of_which_each_sees_a_half(alice, browser, actor, loose):
    first, second, third, fourth = (loose(title) for title in ("One", "Two", "Three", "Four"))
    todos.wait_for(actor=actor, task=second, needed=[third.pk])
    todos.wait_for(actor=actor, task=fourth, needed=[first.pk])

    def link() -> tuple[int, bytes]:
        try:
            sent = json.dumps({"depends_on": [str(fourth.pk)]})
            address = f"/api/todos/{third.pk}"
            answer = browser(alice).patch(address, sent, content_type="application/json")
            return answer.status_code, answer.content
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            todos.wait_for(actor=actor, task=first, needed=[second.pk])
            other = pool.submit(link)
            until_waiting(1)
        status, answer = other.result()
    assert status == 409
    assert b"would wait for each other" in answer
    assert not third.depends_on.exists()
