"""The doors and fragments of single messages: forms, htmx, scripts; what a page offers when."""

from __future__ import annotations

import re
import uuid

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from chat import render
from chat.actions import rate_message, regenerate, send_message, start_session
from chat.models import Feedback, Message, Run, Session
from chat.presenters import presenter_for
from chat.queries import conversation
from tests.chat.carry import CarryState

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def talk(participant_of, alice, identity_for, drain):
    """A session of kind "carry", its first message answered."""

    def start(text: str) -> Session:
        session = start_session(
            participant=participant_of(alice), kind="carry", state=CarryState(), first_text=text
        )
        drain()
        return session

    return start


def run_of(session: Session) -> Run:
    run = session.runs.order_by("created_at").last()
    assert run is not None
    return run


def url(name: str, pk: object) -> str:
    return reverse(f"chat:{name}", args=[pk])


@pytest.mark.parametrize(
    ("door", "text", "of"),
    [
        ("regenerate", "one", "run"),
        ("continue_run", "/stop 3", "run"),
        ("edit", "one", "message"),
        ("rate", "one", "reply"),
    ],
)
def test_each_door_answers_forms_htmx_and_scripts_in_their_way(
    talk, alice, browser, door, text, of
):
    client = browser(alice)
    run = run_of(talk(text))
    address = url(door, {"run": run.pk, "message": run.message_id, "reply": run.reply_id}[of])
    sent = {"text": "two", "rating": "good"}
    first = client.post(address, sent)
    assert (first.status_code, first["Location"]) == (303, f"/echo/{run.session_id}/")
    # pressed again it is the same, whoever asks
    assert client.post(address, sent, **HTMX).status_code == 204
    again = client.post(address, sent, **JSON)
    assert again.status_code == 202
    if door != "rate":
        assert run.session.runs.count() == 2
        assert again.json()["run"] == str(run_of(run.session).pk)
    assert client.get(address).status_code == 405


def test_only_of_what_can_succeed_later_a_script_hears_that_it_may_try_again(
    talk, alice, browser, identity_for, drain
):
    session, client = talk("one"), browser(alice)

    def refused(message_id: object) -> bool:
        answer = client.post(url("edit", message_id), {"text": "uno"}, **JSON)
        assert answer.status_code == 409
        return answer.json()["error"]["retry"]

    first = run_of(session)
    Run.objects.filter(pk=first.pk).update(status="running", finished_at=None)
    assert refused(first.message_id)
    Run.objects.filter(pk=first.pk).update(status="completed")
    send_message(identity=identity_for(alice), session=session, text="two")
    assert not refused(first.message_id)
    drain()
    assert not refused(first.message_id)


def test_waiting_messages_are_changed_and_removed_by_forms(start, alice, browser, identity_for):
    session = start(alice)
    run = send_message(identity=identity_for(alice), session=session, text="two")
    client = browser(alice)
    assert client.post(url("reword", run.message_id), {"text": "2"}).status_code == 303
    assert session.messages.get().text == "2"
    for _ in "ab":
        assert client.post(url("remove", run.message_id), **HTMX).status_code == 204
    refused = client.post(url("reword", run.message_id), {"text": "two, after all"}, **JSON)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")


def test_a_refused_form_keeps_its_words_below_the_draft(talk, alice, browser):
    session = talk("one")
    client, run = browser(alice), run_of(session)
    Session.objects.filter(pk=session.pk).update(draft="half a tho")
    for _ in "ab":
        answer = client.post(url("reword", run.message_id), {"text": "better words"})
        assert answer.status_code == 409
    session.refresh_from_db()
    assert session.draft == "half a tho\n\nbetter words"
    client.post(url("reword", run.message_id), {"text": "a script has its words"}, **JSON)
    session.refresh_from_db()
    assert "script" not in session.draft


def test_a_rating_with_reasons_comes_by_form_and_goes_by_an_empty_one(talk, alice, browser):
    client, run = browser(alice), run_of(talk("one"))
    sent = {"rating": "bad", "reasons": ["tone", "unclear"], "comment": "<b>hm</b>"}
    assert client.post(url("rate", run.reply_id), sent, **JSON).json() == {"rating": "bad"}
    assert Feedback.objects.get().reasons == ["unclear", "tone"]
    assert client.post(url("rate", run.reply_id), {"rating": ""}).status_code == 303
    assert not Feedback.objects.exists()


# What a page offers ------------------------------------------------------------------------


def shown(session: Session, rf, query: str = "", **changes: object) -> str:
    """The log as the page shows it."""
    session = Session.objects.get(pk=session.pk)
    request = rf.get(f"/{query}")
    context = {"chat": {
        "messages": render.displayed_views(
            conversation(session), presenter_for(session.kind), request
        ), "reasons": presenter_for(session.kind).reasons, **changes}}  # fmt: skip
    return render_to_string("chat/_log.html", context)


def test_a_complete_answer_can_be_copied_rated_and_had_anew(talk, rf, alice, identity_for):
    session = talk('say <b>"this"</b>\n\nand that')
    run = run_of(session)
    html = shown(session, rf)
    assert url("regenerate", run.pk) in html
    assert url("edit", run.message_id) in html
    assert 'data-source="say &lt;b&gt;&quot;this&quot;&lt;/b&gt;\n\nand that"' in html
    assert html.count("data-copy") == 2
    assert html.count('aria-pressed="false"') == 2
    rate_message(
        identity=identity_for(alice),
        message_id=run.reply_id,
        rating="bad",
        reasons=["tone"],
        comment='"><script>',
    )
    html = shown(session, rf)
    assert re.search(r'value=""[^>]*aria-pressed="true"[^>]*aria-label="Poor reply"', html)
    assert 'data-reasons="tone"' in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    ("status", "offers", "refuses"),
    [
        ("stopped", ["continue", "retry"], ["regenerate"]),
        ("interrupted", ["continue", "retry"], ["regenerate"]),
        ("failed", ["retry"], ["continue", "regenerate"]),
    ],
)
def test_an_answer_that_broke_off_says_what_was_kept_and_how_to_go_on(
    talk, rf, status, offers, refuses
):
    session = talk("/stop 3")
    run = run_of(session)
    Run.objects.filter(pk=run.pk).update(status=status)
    Message.objects.filter(pk=run.reply_id).update(status=status)
    html = shown(session, rf)
    assert "heard /stop 3" in html
    assert "Undo and try again" in html
    for door in offers:
        assert f"/chat/runs/{run.pk}/{door}" in html
    for door in refuses:
        assert f"/chat/runs/{run.pk}/{door}" not in html
    Message.objects.filter(pk=run.reply_id).update(text="")
    assert "/continue" not in shown(session, rf)


def test_what_broke_off_before_something_else_was_said_offers_nothing(
    talk, rf, identity_for, alice, drain
):
    session = talk("/stop 3")
    send_message(identity=identity_for(alice), session=session, text="well")
    drain()
    html = shown(session, rf)
    assert "You stopped this reply" in html
    assert "heard /stop 3" not in html
    assert "/retry" not in html


def test_waiting_messages_offer_to_be_changed_and_removed(start, rf, alice, identity_for):
    session = start(alice)
    run = send_message(identity=identity_for(alice), session=session, text="two")
    html = shown(session, rf)
    assert "Waiting for the current reply" in html
    assert url("reword", run.message_id) in html
    assert url("remove", run.message_id) in html
    assert url("edit", run.message_id) not in html


def test_without_javascript_the_forms_open_in_place(talk, rf, start, alice, identity_for):
    session = talk("one")
    run = run_of(session)
    html = shown(session, rf, f"?edit={run.message_id}")
    assert f'action="{url("edit", run.message_id)}"' in html
    assert "autofocus>one</textarea>" in html
    html = shown(session, rf, f"?why={run.reply_id}")
    assert f'action="{url("rate", run.reply_id)}"' in html
    assert "It ignored what I said" in html
    for odd in ("?edit=<script>", f"?edit={uuid.uuid4()}", f"?edit={run.reply_id}"):
        assert "<form" not in shown(session, rf, odd)
    waiting = start(alice)
    queued = send_message(identity=identity_for(alice), session=waiting, text="two")
    html = shown(waiting, rf, f"?edit={queued.message_id}")
    assert f'action="{url("reword", queued.message_id)}"' in html


def test_ratings_cost_a_page_no_query_of_their_own(
    talk, alice, identity_for, django_assert_num_queries
):
    session = talk("one")
    with django_assert_num_queries(2):
        conversation(session)
    rate_message(identity=identity_for(alice), message_id=run_of(session).reply_id, rating="good")
    with django_assert_num_queries(2):
        assert conversation(session).messages[-1].rated["rating"] == "good"


# For staff -----------------------------------------------------------------------------------


def test_staff_read_what_was_replaced_and_what_people_said(
    talk, alice, stan, browser, identity_for, drain
):
    session = talk("one")
    me, run = identity_for(alice), run_of(session)
    rate_message(
        identity=me, message_id=run.reply_id, rating="bad", reasons=["tone"], comment="<i>no</i>"
    )
    regenerate(identity=me, run_id=run.pk)
    drain()
    browser(alice).post(url("edit", run.message_id), {"text": "ONE"})
    drain()
    gone = send_message(identity=me, session=session, text="a slip")
    browser(alice).post(url("remove", gone.message_id))
    desk = browser(stan)
    desk.post(f"/staff/sessions/{session.pk}/why", {"reason": "Asked by mail"})
    page = desk.get(f"/staff/sessions/{session.pk}?show=replaced").content.decode()
    transcript, replaced = page.split('aria-label="Detail"', 1)
    assert "ONE" in transcript
    assert ">one<" not in transcript.replace("<p>", ">").replace("</p>", "<")
    for words in ("I do not like the tone", "&lt;i&gt;no&lt;/i&gt;", "<p>one</p>"):
        assert words in replaced
    assert "a slip" not in page
    assert browser(alice).get(f"/staff/sessions/{session.pk}?show=replaced").status_code == 404
