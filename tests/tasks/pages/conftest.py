"""A survey of alice's with three tasks, and browsers to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from chat.identity import Identity
from chat.models import Message, Participant, Session
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.conftest import make_person
from tests.lasting import lasting
from tests.tasks import changing

CANDIDATES = [
    {
        "task_id": f"c{number}",
        "text": text,
        "occupation_code": "15-2051.00",
        "occupation_title": "Data Scientists",
        "kind": "Core",
        "score": score,
        "groups": ["mentalProcesses"],
        "activity_ids": ["4.A.2.a.4"],
        "importance": None,
    }
    for number, text, score in [(1, "Analyze data.", 0.8), (2, "Present findings.", 0.5)]
]


MATCH = {
    "status": TaskMatch.Status.MATCHED,
    "candidates": CANDIDATES,
    "onet_task_id": "c1",
    "text": "Analyze data.",
    "occupation_title": "Data Scientists",
    "score": 0.8,
    "confidence": TaskMatch.Confidence.HIGH,
    "method": TaskMatch.Method.RULES,
    "reason": "Both analyse.",
}


def make_task(response: SurveyResponse, position: int, statement: str, **more: Any) -> WorkTask:
    """A task with a finished match."""
    return changing.make(
        response, MATCH, position=position, statement=statement, raw=statement, **more
    )


@dataclass
class Survey:
    """A response with shortcuts to its addresses."""

    response: SurveyResponse
    tasks: list[WorkTask]

    def url(self, name: str, task: WorkTask | None = None) -> str:
        """An address of this survey, of one of its tasks when given."""
        args = [self.response.pk, task.pk] if task else [self.response.pk]
        return reverse(f"survey:{name}", args=args)

    def fresh(self, task: WorkTask) -> WorkTask:
        """The task as it is stored now."""
        return WorkTask.objects.select_related("match").get(pk=task.pk)

    def statements(self) -> list[str]:
        """Living statements in their order."""
        living = self.response.tasks.filter(deleted_at=None).order_by("position")
        return list(living.values_list("statement", flat=True))


def make_survey(participant: Participant, *, title: str = "Data analyst") -> Survey:
    """A talk of two messages and three tasks made of it."""
    state = SurveyState(job_title=title).model_dump(mode="json", by_alias=True)
    session = Session.objects.create(
        participant=participant, kind="survey", title=title, state=state
    )
    Message.objects.create(session=session, seq=1, role="assistant", text="What do you do?")
    said = Message.objects.create(
        session=session, seq=2, role="user", text="I clean data and write reports."
    )
    response = SurveyResponse.objects.create(
        session=session, job_title=title, step=SurveyResponse.Step.DONE
    )
    tasks = [
        {
            "position": place,
            "statement": statement,
            "raw": statement,
            "quote": quote,
            "message": said,
            "group": "workOutput",
            "groups": ["workOutput"],
            "activity_ids": ["4.A.3.b.6"],
        }
        for place, (statement, quote) in enumerate(
            [("Clean data", "clean data"), ("Write reports", "write reports"), ("Plan work", "")],
            start=1,
        )
    ]
    return Survey(response, changing.make_all(response, MATCH, tasks))


def _commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction"))


@pytest.fixture(scope="module")
def _kept(request, django_db_setup, django_db_blocker) -> Iterator[Survey | None]:
    """Alice's survey, made once for a module; None where a test of it commits."""
    tests = [item for item in request.session.items if item.path == request.path]
    if any(_commits(item) for item in tests):
        yield None
        return

    def make() -> Survey:
        return make_survey(Identity(user_id=make_person("alice").pk).participant())

    with lasting(django_db_blocker, make) as made:
        yield made


@pytest.fixture
def alice(_kept: Survey | None, db: None) -> User:
    """Owns the survey."""
    return User.objects.get(username="alice") if _kept else make_person("alice")


@pytest.fixture
def survey(
    _kept: Survey | None, alice: User, participant_of: Callable[[User], Participant]
) -> Survey:
    """Alice's."""
    if _kept is None:
        return make_survey(participant_of(alice))
    response = SurveyResponse.objects.select_related("session").get(pk=_kept.response.pk)
    rows = WorkTask.objects.select_related("match")
    return Survey(response, list(rows.filter(response=response).order_by("position")))


@pytest.fixture
def page(browser: Callable[..., Client], alice: User) -> Client:
    """Alice's browser."""
    return browser(alice)


@pytest.fixture
def htmx() -> dict[str, str]:
    """Headers of a request that htmx makes."""
    return {"HX-Request": "true"}
