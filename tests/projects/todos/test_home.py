"""The home page: a welcome, the day of a person, fresh after every change, in few queries."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat import zones
from chat.models import Message, Participant, Session
from chat.operations.changes import Delete
from chat.operations.review import propose
from projects.concierge import agenda, snapshot
from projects.models import Task
from projects.modes import starting
from tests import project_rows
from tests.projects.todos.conftest import url
from tests.tasks.pages.conftest import make_survey

pytestmark = pytest.mark.django_db


def words(answer):
    return " ".join(answer.content.decode().split())


def test_a_newcomer_is_welcomed_with_one_input_and_leaves_no_row(browser):
    page = words(browser().get("/"))
    assert "What would you like to do?" in page
    assert "Try a sample workspace" not in page
    assert "A sample workspace" in page
    assert not Participant.objects.exists()


def test_an_example_of_the_first_page_runs_at_once(browser):
    client = browser()
    page = words(client.get("/"))
    assert 'name="text" value="Call the printer Friday 3pm"' in page
    assert 'name="title" value="Librarian"' in page
    sent = {
        "text": "Call the printer Friday 3pm",
        "do": "todo",
        "seen": "1",
        "next": "/todos?tab=all",
    }
    assert "Call the printer" in words(client.post("/begin", sent, follow=True))
    assert Task.objects.get().due_time.hour == 15
    begun = browser().post("/survey", {"title": "Librarian", "occupation": ""})
    assert begun.status_code == 302
    assert begun["Location"].startswith("/survey/")


def test_what_a_newcomer_types_goes_where_they_want_it(browser):
    client = browser()
    job = client.post("/begin", {"text": "Night nurse", "do": "job"})
    assert job["Location"] == "/survey?title=Night+nurse"
    assert "Night nurse" in words(client.get(job["Location"]))
    project = client.post("/begin", {"text": "A roof garden", "do": "project"}, follow=True)
    assert "A roof garden" in words(project)
    client = browser()
    sent = {"text": "Buy soil", "do": "todo", "seen": "1", "next": "/todos?tab=all"}
    assert "Buy soil" in words(client.post("/begin", sent, follow=True))
    assert Task.objects.get().title == "Buy soil"
    for choice in ("job", "todo", "project", ""):
        assert browser().post("/begin", {"text": " \x00", "do": choice}).status_code == 302


def test_who_comes_back_signed_out_is_led_to_what_is_theirs(browser, alice):
    for page in ("/", "/todos?tab=all", "/projects", "/conversations", "/operations"):
        way = f"/accounts/login/?next={quote(page, safe='')}"
        assert way in words(browser().get(page)), page
        assert way not in words(browser(alice).get(page)), page


def test_who_asks_to_be_remembered_stays_signed_in_for_three_months(alice, browser):
    alice.set_password("correct horse battery")
    alice.save()
    typed = {"login": alice.username, "password": "correct horse battery"}
    for remember, days in (({"remember": "on"}, 90), ({}, None)):
        answer = browser().post("/accounts/login/", {**typed, **remember})
        age = answer.cookies["sessionid"]["max-age"]
        assert age == (days * 24 * 3600 if days else "")


def test_somebody_who_just_signed_in_finds_first_steps(alice, browser):
    page = words(browser(alice).get("/"))
    assert "No to-dos yet." in page
    assert "Create a project" in page
    assert "Alice" in page


def test_the_day_shows_what_presses_what_waits_and_what_goes_on(
    client, actor, loose, draft, todo, at, participant_of, alice
):
    at("2026-11-21 10:00")
    loose("Late thing", due_date="2026-11-20")
    loose("Critical thing", priority="critical")
    loose("At three", due_date="2026-11-21", due_time="15:00")
    loose("Next month", due_date="2026-12-21")
    doomed = todo("Doomed")
    propose(
        actor=actor, changes=[Delete("task", doomed.pk)], title="Delete one", reasons=["It goes."]
    )
    survey = make_survey(participant_of(alice), title="Baker")
    Session.objects.create(
        participant=participant_of(alice), kind="project_update", title="About the sheet"
    )
    page = words(client.get("/"))
    for told in (
        "Late thing", "Critical thing", "At three", "15:00", "One to-do is overdue",
        "One change to review", "Fitness app", "Survey: Baker", "About the sheet",
        "Saturday, 21 November", "Good morning",
    ):  # fmt: skip
        assert told in page, told
    assert "Next month" not in page.partition('id="day"')[2]
    day = page.partition('id="day"')[2]
    assert day.index("Late thing") < day.index("At three") < day.index("Critical thing")
    assert survey.response.job_title == "Baker"


def test_what_was_left_long_ago_does_not_stand_on_the_day(client, participant_of, alice, at):
    at("2026-09-01 10:00")
    make_survey(participant_of(alice), title="Baker")
    assert "Survey: Baker" in words(client.get("/"))
    at("2026-09-16 10:00")
    assert "Survey: Baker" not in words(client.get("/"))
    assert "Baker" in words(client.get("/surveys"))


def test_a_tick_on_the_day_is_told_and_the_day_comes_anew(client, loose):
    task = loose("Water the plants", due_date=str(timezone.localdate()))
    sent = {"status": "completed", "next": "/"}
    answer = client.post(url("status", task.pk), sent, headers={"HX-Request": "true"})
    assert answer["HX-Trigger"] == "todos-changed"
    assert "Undo" in words(answer)
    day = words(client.get("/home/day", headers={"HX-Request": "true"}))
    assert "Water the plants" not in day
    assert "<html" not in day
    plain = client.post(url("status", task.pk), {"status": "available", "next": "/"})
    assert plain.url.startswith("/?done=")
    assert "Undo" in words(client.get(plain.url))


def test_the_day_is_nobody_else_s(client, loose, browser, bob):
    loose("Secret", due_date=str(timezone.localdate()))
    for other in (browser(bob), browser()):
        assert "Secret" not in words(other.get("/"))
        assert "Secret" not in words(other.get("/home/day"))


def test_somebody_without_an_account_comes_home_to_their_day(browser):
    visitor = browser()
    visitor.post(url("add"), {"text": "Buy milk today", "seen": "1"})
    assert "Buy milk" in words(visitor.get("/"))


def test_hello_and_today_are_of_the_person_s_clock(client, loose, at):
    loose("On Sunday", due_date="2026-11-22")
    at("2026-11-21 19:30")
    assert "Good evening" in words(client.get("/"))
    client.cookies[zones.COOKIE] = "Pacific/Auckland"
    page = words(client.get("/"))
    assert "Good morning" in page
    assert "Sunday, 22 November" in page
    assert "One to-do is for today" in page


def test_home_says_of_nothing_that_it_is_due_which_is_critical_alone(client, loose, at):
    at("2026-11-23 09:00")
    loose("Book movers", due_date="2026-11-27", priority="critical")
    page = words(client.get("/"))
    assert "One to-do is for today" in page
    assert "due today" not in page


@pytest.mark.thorough
def test_home_asks_the_database_as_often_for_hundreds_as_for_one(
    client, actor, loose, project, todo, participant_of, alice
):
    today = str(timezone.localdate())

    def fill(number):
        loose(f"Loose {number}", due_date=today)
        last = todo(f"In a project {number}", due_date=today, priority="critical")
        propose(actor=actor, changes=[Delete("task", last.pk)], reasons=["It goes."])
        project_rows.start_draft(actor=actor, values={"name": f"Draft {number}"})
        make_survey(participant_of(alice), title=f"Job {number}")
        Session.objects.create(participant=participant_of(alice), kind="project_update")

    def asked():
        with CaptureQueriesContext(connection) as made:
            assert client.get("/").status_code == 200
        return len(made)

    fill(0)
    few = asked()
    for number in range(1, 7):
        fill(number)
    assert asked() == few
    assert few <= 30


def test_a_draft_that_was_begun_in_a_talk_leads_back_into_it(identity_for, alice, actor, draft):
    talk = Session.objects.create(participant_id=actor.owner_id, kind="project_create")
    begun = starting.begin_draft(
        identity=identity_for(alice), session=talk, values={"name": "Boat"}
    )
    me = identity_for(alice)
    lines = {
        item.title: item.url
        for item in agenda.agenda_of(me, snapshot.of_owners(me.participant_ids)).ongoing
    }
    assert lines["Boat"] == f"/projects/agent/new?draft={begun.pk}"
    assert lines["Fitness app"] == f"/projects/drafts/{draft.pk}"


def test_what_can_be_continued_is_told_apart_by_its_last_words_its_beginning_and_its_time(
    client, actor, participant_of, alice
):
    for said in ("Move the deadline.", "Add Tom."):
        talk = Session.objects.create(
            participant_id=actor.owner_id, kind="project_update", title="Boat"
        )
        Message.objects.create(session=talk, seq=1, role="user", text=said)
    project_rows.start_draft(actor=actor, values={"context": "A roof garden for bees."})
    make_survey(participant_of(alice), title="Nurse")
    page = words(client.get("/"))
    assert "Move the deadline." in page
    assert "Add Tom." in page
    assert "A roof garden for bees." in page
    assert "3 tasks so far, just now" in page


def test_all_that_waits_is_counted_and_the_oldest_is_shown_too(client, actor, loose, browser, bob):
    for number in range(16):
        one = loose(f"Doomed {number}")
        propose(
            actor=actor, changes=[Delete("task", one.pk)], title=f"Delete number {number}",
            reasons=["It goes."],
        )  # fmt: skip
    page = words(client.get("/"))
    assert "16 changes need your review" in page
    assert "Delete number 15" in page
    assert "Delete number 0<" not in page
    assert "Show all 16" in page
    everything = words(client.get("/home/waiting"))
    assert all(f"Delete number {number}<" in everything for number in range(16))
    assert everything.index("Delete number 0<") < everything.index("Delete number 15<")
    assert "Delete number" not in words(browser(bob).get("/home/waiting"))
    assert client.post("/home/waiting").status_code == 405
