"""The agent's figures: what counts as begun, completed, undone; who may look; the costs."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.models import Feedback, Message, Run, Session
from chat.operations.changes import Actor, Cause, Create, Kind
from chat.operations.execute import execute
from chat.operations.undo import undo
from futura.llm.staff.periods import Period
from projects.staff.queries import metrics
from projects.staff.views import length_words

pytestmark = pytest.mark.django_db
URL = "staff_agent:figures"


def session_of(person, kind, *, days_ago=1.0, **state):
    begun = timezone.now() - dt.timedelta(days=days_ago)
    made = Session.objects.create(participant=person, kind=kind, state=state, created_at=begun)
    Message.objects.create(session=made, seq=1, role="user", text="Hello")
    Run.objects.create(session=made, status=Run.Status.COMPLETED)
    return made


def project_by(person, session, name):
    change = Create("project", {"name": name, "slug": name.lower()})
    todo = Create("task", {"title": "First", "project": str(change.id)})
    actor = Actor(person.pk, Kind.AGENT)
    return execute(actor=actor, changes=[change, todo], cause=Cause(session=session), title=name)


@pytest.fixture
def world(alice, bob, participant_of):
    """Two creating conversations of alice (one completed and undone), an audit and a forecast."""
    me, other = participant_of(alice), participant_of(bob)
    first = session_of(me, "project_create", questions_asked=4)
    batch = project_by(me, first, "Sheet")
    values = {"name": "Sheet", "session": str(first.pk), "status": "completed",
              "core_goals_momentum": "May.", "core_people_bonds": "Me.",
              "dimensions_covered": ["core_goals_momentum", "core_people_bonds"],
              "completed_at": timezone.now().isoformat()}  # fmt: skip
    execute(actor=Actor(me.pk), changes=[Create("draft", values)])
    undo(actor=Actor(me.pk), operations=list(batch.operations.filter(entity="task")))
    session_of(me, "project_create", questions_asked=2)
    audit = session_of(other, "project_audit", questions_asked=7)
    reply = Message.objects.create(
        session=audit, seq=2, role="assistant", text="…", parts=[{"type": "findings", "items": []}]
    )
    Feedback.objects.create(message=reply, participant=other, rating="good")
    broken = session_of(other, "project_forecast")
    Run.objects.create(session=broken, status=Run.Status.FAILED)
    session_of(other, "survey")
    session_of(me, "project_update", days_ago=50)
    return me


def figures(**period):
    return {metric.kind: metric for metric in metrics(Period(**period))}


def test_each_mode_is_counted_by_what_it_is_for(world):
    found = figures(since=timezone.now() - dt.timedelta(days=30))
    create, audit = found["project_create"], found["project_audit"]
    assert (create.started, create.completed, create.people, create.returning) == (2, 1, 1, 1)
    assert (create.questions, create.messages) == (6, 2)
    assert (create.operations, create.undone, create.failed) == (2, 1, 0)
    assert (create.tasks, create.projects) == (1, 1)
    assert create.undo == 0.5
    assert create.dimensions == 2
    assert create.to_completion is not None
    assert 0.9 < create.to_completion / dt.timedelta(days=1) < 1.1
    assert create.to_operation is not None
    assert (audit.started, audit.completed, audit.good) == (1, 1, 1)
    forecast = found["project_forecast"]
    assert (forecast.completed, forecast.errors, forecast.undo) == (0, 0.5, None)
    assert found["project_update"].started == 0
    every = found[""]
    assert (every.started, every.completed, every.people, every.returning) == (4, 2, 2, 2)
    assert figures()[""].started == 5


def test_the_page_is_for_staff(world, browser, alice, stan):
    assert browser().get(reverse(URL)).status_code == 302
    assert browser(alice).get(reverse(URL)).status_code == 404
    page = browser(stan).get(reverse(URL), {"span": "all"})
    assert page.status_code == 200
    text = page.content.decode()
    for word in ("Create", "Update", "Audit", "Forecast", "All four"):
        assert word in text
    assert "style=" not in text


def test_nonsense_in_the_address_is_no_error(browser, stan):
    answer = browser(stan).get(reverse(URL), {"span": "x\x00"})
    assert answer.status_code == 200


def test_an_empty_stretch_says_so(browser, stan):
    page = browser(stan).get(reverse(URL))
    assert "No conversations in this period" in page.content.decode()


@pytest.mark.thorough
@pytest.mark.parametrize("people", [1, 20])
def test_the_queries_do_not_grow(people, world, django_assert_num_queries):
    for number in range(people - 1):
        batch = project_by(world, session_of(world, "project_create"), f"More{number}")
        assert batch.status == "completed"
    with django_assert_num_queries(12):
        metrics(Period())


def test_lengths_of_time_are_told_as_people_read_them():
    told = [length_words(dt.timedelta(seconds=item)) for item in (40, 720, 9_000, 216_000)]
    assert told == ["40 s", "12 min", "2.5 h", "2.5 days"]
    assert length_words(None) == "–"
