"""The list of conversations: whose it is, what it marks, and putting things in order."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from chat import actions, library
from chat.models import Message, Run, Session
from chat.queries import IN_BIN_FOR, InBin, session_for
from chat.runs.perform import perform
from futura.errors import BadInput, NotFound, TooLong

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def said(participant_of):
    """Makes a conversation with these texts, the person's first, and returns it."""

    def make(user, *texts, title="", kind="echo", **more):
        session = Session.objects.create(
            participant=participant_of(user), kind=kind, title=title, state={"heard": []}, **more
        )
        Message.objects.bulk_create(
            Message(session=session, seq=seq, role=("assistant", "user")[seq % 2], text=text)
            for seq, text in enumerate(texts, start=1)
        )
        return session

    return make


def rows(identity, tab="active", **more):
    return library.page_of(identity, tab, **more).rows


def act(client, verb, session, body=None, **more):
    return client.post(reverse(f"chat:{verb}", args=[session.pk]), body or {}, **more)


def test_the_list_shows_only_ones_own_newest_first(said, alice, bob, identity_for):
    first, second = said(alice, "One", title="First"), said(alice, "Two", title="Second")
    said(bob, "Three", title="Bob's")
    assert [row.title for row in rows(identity_for(alice))] == ["Second", "First"]
    Session.objects.filter(pk=first.pk).update(updated_at=timezone.now() + timedelta(minutes=1))
    assert [row.session for row in rows(identity_for(alice))] == [first, second]


def test_a_row_says_what_was_said_last_and_an_untitled_one_how_it_began(said, alice, identity_for):
    said(alice, "I bake\nbread at night", "And **how** often?")
    (row,) = rows(identity_for(alice))
    assert row.title == "I bake bread at night"
    assert (row.words, row.is_own_words) == ("And how often?", False)
    assert row.kind == "Conversation"


def test_pages_follow_each_other_by_key_without_gaps_or_doubles(
    said, alice, identity_for, monkeypatch
):
    monkeypatch.setattr(library, "PAGE", 3)
    at = timezone.now()
    for number in range(8):
        said(alice, "Hello", title=f"Nr {number}")
    Session.objects.update(updated_at=at)  # ties are kept apart by their ids
    seen, key = [], ""
    while True:
        page = library.page_of(identity_for(alice), "active", after=key)
        seen += [row.title for row in page.rows]
        key = page.next_key
        if not key:
            break
    assert sorted(seen) == [f"Nr {number}" for number in range(8)]


@pytest.mark.parametrize(
    "key", ["", "x", "1-2", "9" * 30 + "-" + "a" * 32, "99999999999999999-" + "f" * 32]
)
def test_a_key_that_is_none_begins_at_the_newest(said, alice, identity_for, key):
    said(alice, "Hello")
    assert len(rows(identity_for(alice), after=key)) == 1


def test_an_answer_is_new_until_its_owner_had_it_on_a_page(
    start, alice, browser, drain, identity_for
):
    session = start(alice)
    drain()
    identity = identity_for(alice)
    assert rows(identity)[0].is_unread
    assert library.has_unread(identity)
    session.refresh_from_db()
    actions.mark_seen(identity=identity, session=session, seq=1)
    assert not rows(identity)[0].is_unread
    assert not library.has_unread(identity)
    actions.send_message(identity=identity, session=session, text="And now?")
    assert not rows(identity)[0].is_unread  # one's own words are no news
    drain()
    assert rows(identity)[0].is_unread


def test_seen_never_goes_back_nor_beyond_what_was_said(said, alice, bob, identity_for):
    session = said(alice, "One", "Two", "Three")
    for seq, seen in [(2, 2), (1, 2), (1_000_000, 3)]:
        session.refresh_from_db()
        actions.mark_seen(identity=identity_for(alice), session=session, seq=seq)
        session.refresh_from_db()
        assert session.seen_seq == seen
    with pytest.raises(NotFound):
        actions.mark_seen(identity=identity_for(bob), session=session, seq=3)


def test_marks_say_what_works_waits_or_broke_off(said, alice, identity_for):
    session = said(alice, "Hello")
    run = Run.objects.create(session=session, message=session.messages.get())
    for status, work in [
        ("queued", "queued"), ("running", "running"), ("failed", "failed"),
        ("interrupted", "failed"), ("stopped", ""), ("completed", ""),
    ]:  # fmt: skip
        Run.objects.filter(pk=run.pk).update(status=status)
        assert rows(identity_for(alice))[0].work == work, status


def test_an_open_list_asks_for_itself_again_until_more_of_it_is_shown(said, alice, browser):
    session = said(alice, "Hello")
    client, url = browser(alice), reverse("chat:sessions")
    page = client.get(url, {"q": "hello", "moved": str(session.pk)}).content.decode()
    assert f'hx-get="{url}?q=hello" hx-trigger="stale"' in page
    Run.objects.create(session=session, status="running")
    again = client.get(url, {"q": "hello"}, HTTP_HX_REQUEST="true").content.decode()
    assert 'data-work="running"' in again
    assert "data-fresh" in again
    later = client.get(url, {"after": "2020-01-01T00:00:00+00:00"}).content.decode()
    assert "data-fresh" not in later


@pytest.mark.thorough
def test_a_page_of_the_list_costs_the_same_for_one_and_for_many(
    said, alice, browser, django_assert_num_queries
):
    client = browser(alice)
    said(alice, "Hello", "Hi", title="Baker")
    url = reverse("chat:sessions")
    client.get(url)
    for query in ({}, {"q": "baker"}):
        # the navigation asks for what is new, and for what presses today
        with django_assert_num_queries(8 if query else 7) as few:
            client.get(url, query)
        for number in range(20):
            session = said(alice, "Hello baker", "Hi", title=f"Nr {number}")
            Run.objects.create(session=session, status="failed")
        with django_assert_num_queries(len(few.captured_queries)):
            assert client.get(url, query).content.count(b'class="talk-row"') > 20


def test_renaming_keeps_the_order_and_refuses_what_is_no_title(said, alice, bob, identity_for):
    session, newer = said(alice, "One", title="Old"), said(alice, "Two", title="Newer")
    identity = identity_for(alice)
    actions.rename_session(identity=identity, session_id=session.pk, title="  My\n new  title ")
    assert [row.title for row in rows(identity)] == ["Newer", "My new title"]
    for title, refusal in [("  ", BadInput), ("x" * 201, TooLong), (None, BadInput)]:
        with pytest.raises(refusal):
            actions.rename_session(identity=identity, session_id=newer.pk, title=title)
    with pytest.raises(NotFound):
        actions.rename_session(identity=identity_for(bob), session_id=newer.pk, title="Mine")
    newer.refresh_from_db()
    assert newer.title == "Newer"


def test_archived_ones_lie_apart_and_come_back(said, alice, identity_for):
    session, identity = said(alice, "One"), identity_for(alice)
    for _twice in range(2):
        actions.archive_session(identity=identity, session_id=session.pk)
    assert [len(rows(identity, tab)) for tab in library.TABS] == [0, 1, 0]
    actions.send_message(identity=identity, session=session, text="It goes on all the same.")
    actions.unarchive_session(identity=identity, session_id=session.pk)
    assert [len(rows(identity, tab)) for tab in library.TABS] == [1, 0, 0]


def test_a_deleted_one_is_not_found_anywhere_but_in_the_bin(
    said, alice, bob, browser, identity_for
):
    session, client = said(alice, "One", "Two", title="Baker"), browser(alice)
    answer = act(client, "delete", session)
    assert answer["Location"].endswith(f"?moved={session.pk}")
    told = client.get(answer["Location"]).content.decode()
    assert "is in the bin" in told
    assert "Undo" in told
    assert [len(rows(identity_for(alice), tab)) for tab in library.TABS] == [0, 0, 1]
    with pytest.raises(InBin):
        session_for(identity_for(alice), session.pk)
    for verb in ("send", "stop", "draft", "rename", "archive"):
        assert act(client, verb, session, {"text": "hi", "title": "x"}).status_code == 404, verb
    page = client.get(reverse("chat:log", args=[session.pk]))
    assert page.status_code == 404
    assert reverse("chat:restore", args=[session.pk]) in page.content.decode()
    strangers = browser(bob).get(reverse("chat:log", args=[session.pk])).content.decode()
    assert "in the bin" not in strangers
    assert act(browser(bob), "restore", session).status_code == 404


def test_a_restored_one_is_where_it_was(said, alice, identity_for):
    session, identity = said(alice, "One"), identity_for(alice)
    actions.archive_session(identity=identity, session_id=session.pk)
    actions.delete_session(identity=identity, session_id=session.pk)
    actions.restore_session(identity=identity, session_id=session.pk)
    assert [len(rows(identity, tab)) for tab in library.TABS] == [0, 1, 0]


def test_deleting_stops_what_waits(start, alice, drain, identity_for):
    session, identity = start(alice), identity_for(alice)
    drain()
    waiting = actions.send_message(identity=identity, session=session, text="Wait for the reply")
    actions.delete_session(identity=identity, session_id=session.pk)
    waiting.refresh_from_db()
    message = session.messages.get(text="Wait for the reply")
    assert waiting.status == Run.Status.STOPPED
    assert message.status == Message.Status.STOPPED
    perform(waiting.pk)
    assert not session.messages.filter(role="assistant", seq__gt=message.seq).exists()
    with pytest.raises(NotFound):
        actions.send_message(identity=identity, session=session, text="Still there?")


def test_deleting_asks_what_runs_to_stop(said, alice, identity_for):
    session = said(alice, "Hello")
    run = Run.objects.create(session=session, status="running", lease=uuid.uuid4())
    actions.delete_session(identity=identity_for(alice), session_id=session.pk)
    run.refresh_from_db()
    assert run.stop_requested_at is not None


def test_the_bin_is_emptied_after_thirty_days(said, alice, identity_for):
    old, young, kept = (said(alice, "One") for _each in range(3))
    now = timezone.now()
    for session, days in [(old, 30.1), (young, 29.9)]:
        Session.objects.filter(pk=session.pk).update(deleted_at=now - timedelta(days=days))
    assert [row.session for row in rows(identity_for(alice), "bin")] == [young]
    assert actions.purge_sessions(now=now) == 1
    assert set(Session.objects.all()) == {young, kept}
    assert timedelta(days=30) == IN_BIN_FOR


def test_erasing_leaves_nothing_of_it(said, alice, browser):
    session, client = said(alice, "One", title="Baker"), browser(alice)
    asked = client.get(reverse("chat:erase", args=[session.pk])).content.decode()
    assert "“Baker” and all its messages will be deleted." in asked
    assert Session.objects.filter(pk=session.pk).exists()
    assert act(client, "erase", session).status_code == 303
    assert not Session.objects.filter(pk=session.pk).exists()
    assert not Message.objects.filter(session_id=session.pk).exists()


def test_htmx_gets_the_row_with_a_way_back(said, alice, browser):
    session, client = said(alice, "One", title="Baker"), browser(alice)
    named = act(client, "rename", session, {"title": "<b>Miller</b>"}, **HTMX).content.decode()
    assert "&lt;b&gt;Miller&lt;/b&gt;" in named
    refused = act(client, "rename", session, {"title": ""}, **HTMX)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.content.decode()
    for verb, back in [("archive", "unarchive"), ("delete", "restore")]:
        told = act(client, verb, session, **HTMX).content.decode()
        assert reverse(f"chat:{back}", args=[session.pk]) in told
        assert told.lstrip().startswith(f'<li class="talk-row talk-row--gone" id="s-{session.pk}"')
        act(client, back, session, **HTMX)


def test_forms_go_back_where_they_came_from_but_never_elsewhere(said, alice, browser):
    session, client = said(alice, "One"), browser(alice)
    sent = {"title": "New", "next": "/conversations?tab=bin"}
    assert act(client, "rename", session, sent)["Location"] == "/conversations?tab=bin"
    sent["next"] = "https://evil.example/"
    assert act(client, "rename", session, sent)["Location"] == f"/echo/{session.pk}/"


def test_the_navigation_tells_of_news(said, alice, browser):
    session, client = said(alice, "One", "Two"), browser(alice)
    assert 'class="dot"' in client.get("/conversations").content.decode()
    Session.objects.filter(pk=session.pk).update(seen_seq=2)
    assert 'class="dot"' not in client.get("/conversations").content.decode()


def test_somebody_new_finds_an_empty_list_and_leaves_no_trace(browser, db):
    answer = browser().get("/conversations")
    assert (
        "No conversations yet. They appear here when you talk to Futura." in answer.content.decode()
    )
    assert answer.status_code == 200
    assert "futura_participant" not in answer.cookies


def test_conversations_of_one_name_and_kind_say_when_each_began(said, alice, identity_for):
    for title in ("Baker", "Baker", "Cook"):
        said(alice, "One", title=title)
    titles = sorted(row.title for row in rows(identity_for(alice), "active"))
    assert all(title.startswith("Baker · ") for title in titles[:2])
    assert titles[2] == "Cook"
