"""The staff's reading room: who may enter, what the list narrows to, what a session shows."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from chat.models import Message, Participant, Run, Session
from futura.llm.models import ModelCall

pytestmark = pytest.mark.django_db

LIST = "/staff/sessions"


@pytest.fixture
def stan(client):
    """A signed-in staff member."""
    user = get_user_model().objects.create_user("stan", "stan@example.org", "x", is_staff=True)
    client.force_login(user)
    return client


def talk(title="Baker", *, words="I bake <b>bread</b>", kind="survey", **run):
    """A session with one question, one answer and its run."""
    session = Session.objects.create(
        participant=Participant.objects.create(), kind=kind, title=title
    )
    asked = Message.objects.create(session=session, seq=1, role="assistant", text="What do you do?")
    said = Message.objects.create(session=session, seq=2, role="user", text=words)
    reply = Message.objects.create(session=session, seq=3, role="assistant", text="Tell me more.")
    made = Run.objects.create(
        session=session,
        message=said,
        reply=reply,
        **{"status": "completed", "trace": [{"name": "analysis", "label": "Reading"}], **run},
    )
    return session, asked, made


def test_the_anonymous_are_sent_to_sign_in(client):
    session, *_ = talk()
    for address in (LIST, f"{LIST}/{session.pk}"):
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_login"))


def test_people_without_a_staff_flag_find_nothing(client):
    session, *_ = talk()
    client.force_login(get_user_model().objects.create_user("bob", "bob@example.org", "x"))
    assert client.get(LIST).status_code == 404
    assert client.get(f"{LIST}/{session.pk}").status_code == 404


def test_an_empty_list_says_what_will_stand_there(stan):
    assert "Nobody has talked yet" in stan.get(LIST).text


def test_the_list_shows_titles_escaped_and_newest_first(stan):
    old, *_ = talk("<script>old</script>")
    Session.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=3))
    talk("Newer")
    page = stan.get(LIST).text
    assert "<script>old" not in page
    assert page.index("Newer") < page.index("&lt;script&gt;old")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=bak", {"Baker"}),
        ("kind=echo", {"Echo"}),
        ("problems=on", {"Broken"}),
        ("basic=on", {"Plain"}),
        ("status=ended", set()),
        ("since=2999-01-01", set()),
        ("since=not-a-day", {"Baker", "Echo", "Broken", "Plain"}),
        ("page=nonsense", {"Baker", "Echo", "Broken", "Plain"}),
    ],
)
def test_filters_narrow_the_list(stan, query, found):
    talk("Baker")
    talk("Echo", kind="echo")
    talk("Broken", status="failed", error_code="model_unavailable")
    talk("Plain", basic_mode=True)
    answer = stan.get(f"{LIST}?{query}")
    assert answer.status_code == 200
    assert {row.session.title for row in answer.context["rows"]} == found


def test_a_session_is_found_by_its_id(stan):
    session, *_ = talk("Baker")
    talk("Other")
    answer = stan.get(LIST, {"q": str(session.pk)})
    assert [row.session.pk for row in answer.context["rows"]] == [session.pk]


def test_the_list_costs_the_same_for_one_and_for_twenty(stan, django_assert_num_queries):
    talk()
    stan.get(LIST)
    with django_assert_num_queries(6) as one:
        stan.get(LIST)
    for number in range(19):
        talk(f"Job {number}")
    with django_assert_num_queries(len(one.captured_queries)):
        stan.get(LIST)


def test_a_session_shows_transcript_trace_calls_and_state(stan):
    session, _, run = talk()
    ModelCall.objects.create(
        created_at=timezone.now(), session_id=session.pk, run_id=run.pk, stage="message_analysis",
        attempt=1, wire="responses", model_asked="m-1", latency_ms=12, outcome="ok",
    )  # fmt: skip
    Session.objects.filter(pk=session.pk).update(state={"turnCount": 1})
    page = stan.get(f"{LIST}/{session.pk}?show=trace").text
    assert "I bake &lt;b&gt;bread&lt;/b&gt;" in page
    assert "Reading" in page
    assert "message_analysis" in page
    assert "price unknown" in page
    assert "turnCount" in stan.get(f"{LIST}/{session.pk}?show=state").text


def test_an_unknown_session_and_an_unknown_tab_do_no_harm(stan):
    session, *_ = talk()
    assert stan.get(f"{LIST}/{uuid.uuid4()}").status_code == 404
    assert stan.get(f"{LIST}/{session.pk}?show=<script>").status_code == 200
