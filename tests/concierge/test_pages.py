"""The pages of the concierge: first visit, conversation, suggestions as buttons, changes in it."""

from __future__ import annotations

import re

import pytest
from django.utils.formats import date_format

from chat import export
from chat.commands.base import Scope
from chat.commands.run import run
from chat.commands.undo import Undo
from chat.events.kinds import Reference
from chat.fragments import changes
from chat.models import Participant, Run, Session
from chat.operations.changes import Actor, Cause, Delete
from chat.operations.review import propose

pytestmark = pytest.mark.django_db


@pytest.fixture
def alices(alice, browser):
    return browser(alice)


def test_a_visitor_sees_first_steps_and_begins_by_saying_something(client, drain):
    shown = client.get("/concierge")
    assert shown.status_code == 200
    assert shown.content.count(b'class="offer"') == 5
    assert b'hx-trigger="load"' not in shown.content
    assert not Participant.objects.exists()
    begun = client.post("/concierge/say", {"text": "Create a task to buy bread"})
    assert begun.status_code == 303
    drain()
    assert b"<strong>Buy bread</strong>" in client.get(begun.url).content
    assert b"<strong>Buy bread</strong>" in client.get("/concierge").content


def test_a_reply_from_before_there_was_a_model_is_not_called_the_models_failure(
    alices, drain, request
):
    begun = alices.post("/concierge/say", {"text": "Create a task to buy bread"})
    drain()
    assert b"data-basic" not in alices.get(begun.url).content  # the whole page says so
    request.getfixturevalue("scripted")
    page = alices.get(begun.url).content.decode()
    (note,) = re.findall(r"data-basic>.*?</svg>\s*(.+?)\s*</p>", page, re.DOTALL)
    assert note == "Basic mode: answered without the language model."


def test_the_page_of_a_known_person_asks_for_the_greeting_once_a_day(alices, talk, drain):
    first = alices.post("/concierge/new")
    talk_url = first.url
    assert b'hx-trigger="load"' not in alices.get(talk_url).content  # it is on its way
    drain()
    shown = alices.get(talk_url)
    assert b'hx-trigger="load"' not in shown.content
    assert shown.content.count(b'class="offer"') == 5
    assert alices.post("/concierge/greet").status_code == 303
    assert drain() == 0
    alices.post("/concierge/greet", {"again": "1"})
    assert drain() == 1
    session = Session.objects.get()
    Session.objects.update(state=session.state | {"greeted_on": "2020-01-01"})
    assert b'hx-trigger="load"' in alices.get("/concierge").content
    answer = alices.post("/concierge/greet", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert drain() == 1


def test_without_a_conversation_the_greeting_begins_one_and_loads_the_page_anew(alices, owner):
    answer = alices.post("/concierge/greet", {"next": "/"}, headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == "/"
    assert Run.objects.get().message is None


def test_a_known_person_with_a_model_is_greeted_by_it_on_the_first_visit_too(
    alices, owner, settings
):
    assert b'hx-trigger="load"' not in alices.get("/concierge").content
    settings.OPENAI_API_KEY = "sk-scripted"
    assert b'hx-trigger="load"' in alices.get("/concierge").content


def test_a_new_conversation_is_not_begun_twice_before_anything_is_said(alices, talk, drain):
    chat = talk()
    assert alices.post("/concierge/new").url == f"/concierge/{chat.id}"
    chat.say("list my tasks")
    assert alices.post("/concierge/new").url != f"/concierge/{chat.id}"
    assert Session.objects.filter(kind="concierge").count() == 2


def test_a_foreign_next_address_is_not_followed(alices):
    answer = alices.post("/concierge/say", {"text": "hello", "next": "https://evil.example/"})
    assert answer.url.startswith("/concierge/")


def test_changes_stand_in_the_thread_with_undo_and_links(alices, talk, task):
    task("Buy pens")
    chat = talk()
    chat.say("mark buy pens done")
    shown = alices.get(f"/concierge/{chat.id}").content.decode()
    batch = chat.batches[0]
    assert f'id="batch-{batch.pk}"' in shown
    assert "Undo" in shown
    assert f'href="#batch-{batch.pk}"' in shown
    chat.say("undo that")
    again = alices.get(f"/concierge/{chat.id}").content.decode()
    assert 'data-status="rolled_back"' in again
    assert "Redo" in again


def test_what_waits_can_be_approved_in_the_thread(alices, talk, task):
    task("Buy pens")
    chat = talk()
    chat.say("delete buy pens")
    shown = alices.get(f"/concierge/{chat.id}").content.decode()
    assert "Approve" in shown
    assert f"/operations/{chat.batches[0].pk}/approve" in shown


def test_one_of_several_that_wait_can_be_unticked_and_goes_on_waiting(alices, talk, task):
    tasks = [task(f"Paint room {n}") for n in range(2)]
    chat = talk()
    actor = Actor(tasks[0].owner_id, kind="agent")
    deletions = [Delete("task", item.pk) for item in tasks]
    batch = propose(
        actor=actor, changes=deletions, title="Delete both", reasons=["They go."],
        cause=Cause(session=chat.session),
    )  # fmt: skip
    page = alices.get(f"/operations/{batch.pk}").content.decode()
    ticked = re.findall(r'<input type="checkbox" name="shown" value="([^"]+)"[^>]* checked', page)
    assert len(ticked) == 2
    assert f'form="decide-{batch.pk}"' in page
    assert "Deselect the changes you do not want." in page
    alices.post(f"/operations/{batch.pk}/approve", {"shown": ticked[:1]})
    batch.refresh_from_db()
    assert sorted(batch.operations.values_list("status", flat=True)) == ["completed", "pending"]
    assert batch.status == "review"


def test_the_ledgers_line_follows_an_undo_on_the_open_page(alices, talk, task):
    task("Buy pens")
    chat = talk()
    chat.say("mark buy pens done")
    shown = alices.get(f"/concierge/{chat.id}").content.decode()
    line = 'class="message__foot ledger-line"'
    assert shown.count(line) == 1
    batch = chat.batches[0]
    run(Undo(batch=batch.pk), Scope.of_actor(Actor(batch.owner_id)))
    news = changes(chat.session.pk, [Reference("operations", str(batch.pk))], "chat", ())
    assert f'id="m-{chat.session.messages.last().pk}"' in news.html
    assert "Undone" in news.html.partition(line)[2].partition("</p>")[0]


def test_an_answer_that_another_has_replaced_is_no_news_of_its_changes(alices, talk, task, drain):
    task("Buy pens")
    chat = talk()
    chat.say("mark buy pens done")
    batch, replaced = chat.batches[0], chat.session.messages.last()
    alices.post(f"/chat/runs/{batch.run_id}/regenerate", {"sure": "1"})
    drain()
    replaced.refresh_from_db()
    assert replaced.superseded_at is not None
    news = changes(chat.session.pk, [Reference("operations", str(batch.pk))], "chat", ())
    assert f'id="m-{replaced.pk}"' not in news.html


def test_suggestions_escape_what_people_wrote(alices, talk, task):
    task("<script>alert(1)</script>", priority="critical")
    chat = talk(has_greeting=True)
    shown = alices.get(f"/concierge/{chat.id}").content
    assert b"<script>alert(1)" not in shown
    assert b"&lt;script&gt;" in shown


@pytest.mark.thorough
def test_the_thread_takes_the_same_queries_for_one_change_and_for_many(alices, talk, task):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    chat = talk()
    chat.say("create a task to buy bread")
    with CaptureQueriesContext(connection) as few:
        alices.get(f"/concierge/{chat.id}")
    for number in range(4):
        chat.say(f"create a task to buy thing number {number} in town")
    with CaptureQueriesContext(connection) as many:
        alices.get(f"/concierge/{chat.id}")
    assert len(many) <= len(few) + 1


def test_other_kinds_of_conversations_are_not_shown_as_the_concierges(alices, owner):
    other = Session.objects.create(participant=owner, kind="project_update")
    assert alices.get(f"/concierge/{other.pk}").status_code == 404


def test_the_export_tells_suggestions_and_changes_in_words(talk, task):
    task("Buy pens", priority="critical")
    chat = talk(has_greeting=True)
    chat.say("mark buy pens done")
    told = "".join(export.pieces_of(chat.session, "md"))
    assert "- Mark “Buy pens” complete if it is done" in told
    assert "1 change made" in told


def test_the_other_conversations_stand_beside_an_open_one_under_names_of_their_own(alices, talk):
    silent = talk()
    chat = talk("add a fence to the garden list")
    shown = alices.get(f"/concierge/{chat.id}").content.decode()
    side = shown.partition('<nav class="talks"')[2].partition("</nav>")[0]
    day = date_format(silent.session.created_at, "l, j F")
    assert re.findall(r"<span>([^<]*)</span>", side) == ["add a fence to the garden list", day]
    assert f'href="/concierge/{chat.id}" aria-current="page"' in side
    silent.say("what is overdue?")
    again = alices.get(f"/concierge/{chat.id}").content.decode()
    assert "<span>what is overdue?</span>" in again
