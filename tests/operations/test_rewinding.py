"""Before a message is answered anew, what the former answer changed is taken back."""

from __future__ import annotations

import pytest
from django.db import transaction

from chat.actions.turn_reset import take_back
from chat.models import Run
from chat.operations.changes import Cause, Create, Update
from chat.operations.execute import execute
from chat.operations.replay import differences
from chat.operations.review import propose
from chat.operations.undo import undo
from futura.errors import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(talk, cause) -> Run:
    return Run.objects.create(session=talk, message=cause.message, status="stopped")


@pytest.fixture
def by_run(talk, cause, run) -> Cause:
    return Cause(session=talk, message=cause.message, run=run)


def test_all_that_an_answer_did_is_undone_and_what_it_proposed_let_drop(
    agent, project, by_run, run
):
    for name in ("One", "Two"):
        execute(actor=agent, changes=[Update("project", project.pk, {"name": name})], cause=by_run)
    waits = propose(actor=agent, changes=[Create("task", {"title": "T"})], reasons=[], cause=by_run)
    assert take_back(run) is not None
    project.refresh_from_db()
    waits.refresh_from_db()
    assert (project.name, waits.status) == ("Fitness app", "rejected")
    assert take_back(run) is None
    assert differences() == []


def test_what_the_answer_took_back_itself_is_not_done_again(agent, project, by_run, run):
    done = execute(
        actor=agent, changes=[Update("project", project.pk, {"name": "One"})], cause=by_run
    )
    undo(actor=agent, operations=list(done.operations.all()), cause=by_run)
    assert take_back(run) is None
    project.refresh_from_db()
    assert project.name == "Fitness app"


def test_what_was_changed_by_hand_since_is_decided_first(agent, actor, project, by_run, run):
    execute(actor=agent, changes=[Update("project", project.pk, {"name": "One"})], cause=by_run)
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "By hand"})])
    with pytest.raises(Conflict, match="under Changes first"), transaction.atomic():
        take_back(run)
    project.refresh_from_db()
    assert project.name == "By hand"
