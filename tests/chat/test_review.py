"""The staff's workplace: queues, marks, notes, what comes next, replay, the log of readings."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from chat.models import Message, Session
from chat.staff import audit, queries, queues
from chat.staff.models import Access, Review, ReviewNote
from chat.staff.trace import differences
from futura import roles
from tests.chat.test_staff import LIST, talk
from tests.markup import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def rita(django_user_model):
    """A reviewer, and nothing else."""
    user = django_user_model.objects.create_user("rita", "rita@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name=roles.REVIEWER))
    return user


@pytest.fixture
def desk(browser, rita):
    """Her browser."""
    return browser(rita)


def at(session, name=""):
    return f"{LIST}/{session.pk}{name}"


def aged(title, days, **more):
    """A talk that began some days ago."""
    session, *_ = talk(title, **more)
    when = timezone.now() - timedelta(days=days)
    Session.objects.filter(pk=session.pk).update(created_at=when)
    return session


def mark(desk, session, query="", **sent):
    return desk.post(f"{at(session, '/mark')}{query}", sent)


def titles(answer):
    return [row.session.title for row in answer.context["rows"]]


def numbers(answer):
    return {item.queue.name: item.number for item, _query in answer.context["tabs"]}


def test_each_queue_holds_what_its_name_says(desk, rita, stan):
    plain, broken = aged("Plain", 1), aged("Broken", 2, status="failed")
    wordy, done = aged("Wordy", 3), aged("Done", 4)
    Message.objects.bulk_create(
        Message(session=wordy, seq=10 + n, role="user", text="And more.") for n in range(15)
    )
    talk("Assistant", kind="concierge")  # nothing comes of it that could be reviewed
    mark(desk, plain, do="take")
    mark(desk, wordy, do="flag", reason="Somebody's name")
    mark(desk, done, do="reviewed")
    page = desk.get(LIST)
    assert numbers(page) == {
        "": 4, "new": 3, "mine": 1, "flagged": 1, "doubtful": 0, "long": 1, "failed": 1,
        "unfinished": 0, "reviewed": 1,
    }  # fmt: skip
    assert page.text.count("<td>Work survey</td>") == 4
    assert titles(desk.get(f"{LIST}?queue=failed")) == ["Broken"]
    assert titles(desk.get(f"{LIST}?queue=long")) == ["Wordy"]
    assert "Somebody&#x27;s name" in desk.get(f"{LIST}?queue=flagged").text
    assert titles(desk.get(f"{LIST}?queue=new")) == ["Plain", "Broken", "Wordy"]
    assert broken.title == "Broken"


def test_reviewed_leads_to_the_next_one_of_the_queue_and_ends_at_the_last(desk, rita):
    first, second = aged("First", 1), aged("Second", 2)
    page = desk.get(f"{at(first)}?queue=new")
    assert page.context["place"].next.pk == second.pk
    assert f'href="{at(second)}?queue=new" rel="next" data-key="j"' in flat(page)
    answer = mark(desk, first, "?queue=new", do="reviewed")
    assert answer["Location"] == f"{at(second)}?queue=new"
    answer = mark(desk, second, "?queue=new", do="reviewed")
    assert answer["Location"] == f"{LIST}?queue=new"
    kept = Review.objects.get(pk=first.pk)
    assert (kept.reviewed_by, kept.reviewed_at is None) == (rita, False)
    mark(desk, first, do="reopen")
    assert titles(desk.get(f"{LIST}?queue=new")) == ["First"]


def test_work_is_taken_given_and_released(desk, browser, stan, rita, alice):
    session = aged("Baker", 1)
    assert mark(desk, session, do="take").status_code == 303
    assert mark(browser(stan), session, do="take").status_code == 409
    assert mark(desk, session, do="give", to=str(alice.pk)).status_code == 422
    assert mark(desk, session, do="give", to=str(stan.pk)).status_code == 303
    assert Review.objects.get(pk=session.pk).assignee == stan
    mark(desk, session, do="release")
    assert Review.objects.get(pk=session.pk).assignee is None
    assert mark(desk, session, do="burn").status_code == 400


def test_two_reviewers_at_one_conversation_lose_nothing_of_each_other(desk, browser, stan, rita):
    session, office = aged("Baker", 1), browser(stan)
    stale = {"assignee": "", "reason_before": "", "tags_before": ""}  # of a page open since before
    mark(office, session, do="tags", tags="night, shift")
    mark(desk, session, do="tags", tags="day", tags_before="night, gone")
    assert Review.objects.get(pk=session.pk).tags == ["shift", "day"]
    notes = flat(desk.get(f"{at(session)}?show=notes"))
    assert 'name="tags_before" value="shift, day"' in notes
    mark(office, session, do="flag", reason="Names a colleague")
    refused = mark(desk, session, **stale, do="flag", reason="Swears")
    assert refused.status_code == 409
    assert "flagged this conversation: “Names a colleague”" in refused.text
    assert 'value="Swears"' in refused.text
    assert 'name="reason_before" value="Names a colleague"' in refused.text
    mark(office, session, do="take")
    taken = mark(desk, session, do="take")
    assert (taken.status_code, "already taken" in taken.text) == (409, True)
    assert "I bake" in taken.text  # the conversation, not a page of errors
    for sent in ({"do": "give", "to": str(rita.pk)}, {"do": "release"}):
        answer = mark(desk, session, **{**stale, "assignee": str(rita.pk)}, **sent)
        assert answer.status_code == 409
        assert "assigned this conversation to Stan" in answer.text
    assert Review.objects.get(pk=session.pk).assignee == stan
    mark(desk, session, assignee=str(stan.pk), do="give", to=str(rita.pk))
    assert Review.objects.get(pk=session.pk).assignee == rita


def test_private_talks_are_given_to_those_only_who_may_open_them(browser, rita, stan):
    private, office = aged("Divorce plans", 2, kind="concierge"), browser(stan)
    assert mark(office, private, do="give", to=str(rita.pk)).status_code == 403
    office.post(at(private, "/why"), {"reason": "Asked by mail"})
    assert mark(office, private, do="give", to=str(rita.pk)).status_code == 422
    rita.user_permissions.add(Permission.objects.get(codename="conversations"))
    assert mark(office, private, do="give", to=str(rita.pk)).status_code == 303


def test_notes_and_tags_are_kept_and_told_escaped(desk, browser, stan):
    session = aged("Baker", 1)
    mark(desk, session, do="note", text="Ask <b>again</b>", seq="2")
    assert mark(desk, session, do="note", text=" ").status_code == 422
    long = mark(desk, session, do="note", text="n" * 2_001, seq="2")
    assert "n" * 2_001 in long.text
    assert '<option value="2" selected>' in flat(long)
    assert "t" * 41 in mark(desk, session, do="tags", tags="t" * 41).text
    assert "r" * 501 in mark(desk, session, do="flag", reason="r" * 501).text
    mark(desk, session, do="tags", tags="night,  shift work, night")
    page = desk.get(f"{at(session)}?show=notes").text
    assert page.count("Ask &lt;b&gt;again&lt;/b&gt;") == 2  # in the list, and under the message
    assert Review.objects.get(pk=session.pk).tags == ["night", "shift work"]
    assert titles(desk.get(f"{LIST}?tag=night")) == ["Baker"]
    note = ReviewNote.objects.get()
    assert mark(browser(stan), session, do="remove_note", note=str(note.pk)).status_code == 404
    assert mark(desk, session, do="remove_note", note=str(note.pk)).status_code == 303
    assert not ReviewNote.objects.exists()


def test_what_changes_in_a_talk_is_counted_anew(desk):
    session = aged("Baker", 1)
    desk.get(LIST)
    Message.objects.create(session=session, seq=9, role="user", text="And I sell it.")
    assert Review.objects.get(pk=session.pk).turns == 1
    session.save(update_fields=["updated_at"])  # as every turn does at its end
    desk.get(LIST)
    assert Review.objects.get(pk=session.pk).turns == 2
    assert queues.refresh() == 0
    queues.outdated([session.pk])
    assert queues.refresh_all() == 1


@pytest.mark.thorough
def test_the_desk_costs_the_same_for_two_and_for_twenty(desk, django_assert_num_queries):
    session = aged("Baker", 1)
    aged("Other", 2)
    address = f"{at(session)}?queue=new"
    desk.get(address)
    with django_assert_num_queries(40, exact=False) as one:
        desk.get(address)
    cost = len(one.captured_queries)
    for number in range(18):
        aged(f"Job {number}", 3 + number)
    desk.get(LIST)
    with django_assert_num_queries(cost):
        desk.get(address)


def test_a_sitting_is_one_reading_however_often_it_is_refreshed(desk, rita, browser, stan):
    session = aged("Baker", 1)
    for _ in range(3):
        desk.get(at(session))
    browser(stan).get(at(session))
    mine = Access.objects.get(user=rita)
    assert (mine.times, mine.owner_id) == (3, session.participant_id)
    assert Access.objects.count() == 2
    long_ago = timezone.now() - audit.SITTING * 2
    Access.objects.filter(pk=mine.pk).update(last_at=long_ago)
    desk.get(at(session))
    assert Access.objects.filter(user=rita).count() == 2
    assert [reading.user_name for reading in audit.readings_of([session.participant_id])] == [
        "rita", "stan", "rita",
    ]  # fmt: skip


def test_reading_in_the_admin_is_logged_too(browser, stan, django_user_model):
    root = django_user_model.objects.create_superuser("root", "root@example.org", "x")
    session, asked, _run = talk("Baker")
    assert browser(root).get(f"/admin/chat/message/{asked.pk}/change/").status_code == 200
    assert browser(root).get(f"/admin/chat/session/{session.pk}/change/").status_code == 200
    assert browser(stan).get(f"/admin/chat/session/{session.pk}/change/").status_code == 403
    assert Access.objects.get().user == root


def test_administrators_see_who_read_and_exported_what(desk, browser, stan, rita):
    session = aged("Baker", 1)
    desk.get(at(session))
    audit.exported(user=rita, what="tasks.csv", about={"since": "2026-01-01"})
    office = browser(stan)
    text = flat(office.get("/staff/log"))
    assert "Baker" in text
    assert "tasks.csv · since: 2026-01-01" in text
    audit.exported(user=rita, what="people.csv", about={"campaign": "Bakers", "own words": True})
    german = flat(office.get("/staff/log", headers={"Accept-Language": "de"}))
    assert "people.csv · Kampagne: Bakers · eigene Worte: ja" in german
    session.delete()
    assert "a deleted conversation" in office.get("/staff/log?kind=reading").text
    assert "tasks.csv" not in office.get(f"/staff/log?q={session.pk}").text
    assert desk.get("/staff/log").status_code == 403


def test_a_replay_goes_through_everything_in_order_with_the_state_at_each_point(desk):
    session, _asked, run = talk("Baker")
    run.state_before = {"turnCount": 0, "coverage": {"input": "none"}, "said": []}
    run.finished_at = timezone.now()
    run.save()
    session.state = {"turnCount": 1, "coverage": {"input": "low"}, "said": ["bread"]}
    session.save()
    found = queries.replay(session, at=99)
    assert (found.at, found.length) == (3, 3)
    assert {
        (change.path, change.name, change.before, change.after)
        for change in found.traced[0].differences
    } == {
        ("", "turns", "0", "1"),
        ("coverage", "input", "none", "low"),
        ("", "said", "", "bread"),
    }
    assert queries.replay(session, at=2).state["turnCount"] == 0
    first = desk.get(f"{at(session)}/replay")
    assert (
        "I bake" not in first.text.split("Steps and state")[0].split("Messages up to this step")[1]
    )
    last = desk.get(f"{at(session)}/replay?at=4&queue=new").text
    assert "<del>none</del>" in last
    assert "at=3" in last
    assert Access.objects.get().kind == "replay"


def test_a_replay_leads_on_and_back_and_shows_the_state_by_then(desk):
    session, _asked, run = talk("Baker")
    run.state_before = {"turnCount": 7}
    run.save()
    page = desk.get(f"{at(session)}/replay?at=2&queue=new&show=state")
    assert "&quot;turnCount&quot;: 7" in page.text
    assert 'rel="prev" data-key="ArrowLeft" href="?queue=new&amp;at=1&amp;show=state#m-1"' in flat(
        page
    )
    assert 'rel="next" data-key="ArrowRight" href="?queue=new&amp;at=3&amp;show=state#m-3"' in flat(
        page
    )
    assert f'href="{at(session)}?queue=new" data-key="p"' in flat(page)
    end = desk.get(f"{at(session)}/replay?at=3").text
    assert 'rel="next"' not in end.split('class="replay__bar"')[1].split("</form>")[0]


def test_what_was_set_aside_stands_in_a_replay_until_it_was(desk):
    session, asked, _run = talk("Baker")
    newer = Message.objects.create(session=session, seq=4, role="user", text="I sell bread.")
    Message.objects.filter(seq__in=(2, 3)).update(superseded_at=newer.created_at)
    texts = [
        [turn.message.seq for turn in queries.replay(session, at=place).turns]
        for place in (1, 2, 3, 4)
    ]
    assert texts == [[1], [1, 2], [1, 2, 3], [1, 4]]
    asked.superseded_at = timezone.now()
    asked.save()
    found = queries.replay(session, at=99)
    assert asked.pk not in {turn.message.pk for turn in found.turns}
    assert desk.get(f"{LIST}/{uuid.uuid4()}/replay").status_code == 404


def test_differences_of_states_say_what_came_and_what_went():
    before = {"a": 1, "same": 2, "list": ["x", "y"], "deep": {"in": "low"}, "gone": "old"}
    after = {"a": 2, "same": 2, "list": ["y", "z"], "deep": {"in": "high"}}
    assert [(row.name, row.before, row.after) for row in differences(before, after)] == [
        ("a", "1", "2"), ("list", "x", "z"), ("in", "low", "high"), ("gone", "old", ""),
    ]  # fmt: skip
