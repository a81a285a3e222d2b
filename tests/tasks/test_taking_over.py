"""Lists from before the ledger are taken into it with every row, deleted ones included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from chat.actions import erase
from chat.models import Message, Participant, Session
from chat.operations.changes import Actor
from chat.operations.models import Operation, OperationBatch
from chat.operations.replay import differences
from chat.operations.undo import undo
from tasks import migrations
from tasks.commands.edit import EditTask
from tasks.models import SurveyResponse, WorkTask
from tests.tasks import changing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
BEFORE = "0001_start"
NOW = max(path.stem for path in Path(migrations.__path__[0]).glob("0*.py"))


def migrate(name: str | None, *, step_by_step: bool = True) -> Any:
    """The app registry as it was at that migration of the survey; without tables at None."""
    executor = MigrationExecutor(connection)
    if step_by_step:
        executor.loader = loader = MigrationLoader(connection, replace_migrations=False)
        for key, squashed in loader.replacements.items():
            loader.graph.remove_replacement_node(key, squashed.replaces)
    executor.migrate([("tasks", name)])
    return executor.loader.project_state([("tasks", name)]).apps if name else None


@pytest.fixture
def old(transactional_db) -> Iterator[Any]:
    """The models of the survey before its rows were operable."""
    migrate(None, step_by_step=False)  # the tables were made at once
    yield migrate(BEFORE)
    migrate(NOW)


def old_list(apps: Any) -> Session:
    """A list of three: one edited often, one deleted, one whose match is waiting."""
    session = Session.objects.create(participant=Participant.objects.create(), kind="survey")
    said = Message.objects.create(session=session, seq=1, role="user", text="I bake bread.")
    response = apps.get_model("tasks", "SurveyResponse").objects.create(
        session_id=session.pk, job_title="Baker", step="done"
    )
    task, match = apps.get_model("tasks", "WorkTask"), apps.get_model("tasks", "TaskMatch")
    for place, (words, more) in enumerate(
        [
            ("Bake bread", {"version": 7, "time_share": "12.50", "groups": ["workOutput"]}),
            ("Sell cakes", {"deleted_at": timezone.now()}),
            ("Clean ovens", {}),
        ],
        start=1,
    ):
        row = task.objects.create(
            response=response, position=place, statement=words, message_id=said.pk, **more
        )
        done = {"status": "matched", "text": "Bake.", "score": 0.8, "candidates": [{"score": 0.8}]}
        match.objects.create(task=row, version=3, **(done if place < 3 else {}))
    return session


def test_rows_from_before_are_in_the_ledger_afterwards(old):
    session = old_list(old)
    migrate(NOW)
    assert differences() == []
    response = SurveyResponse.objects.select_related("session").get(pk=session.pk)
    first, gone, last = response.tasks.select_related("match")
    assert {item.owner_id for item in (first, gone, last)} == {session.participant_id}
    assert [item.position for item in (first, gone, last)] == [1024, 2048, 3072]
    assert (first.version, gone.version, gone.match.version) == (1, 2, 2)
    batch = OperationBatch.objects.get(session=session)
    assert (batch.actor, batch.operations.count()) == ("system", 8)
    deletion = Operation.objects.get(entity_id=gone.pk, type=Operation.Type.DELETE)
    undo(actor=Actor(gone.owner_id), operations=[deletion])
    changing.act(EditTask, response, task=first.pk, statement="Bake rye bread")
    assert WorkTask.objects.filter(deleted_at=None).count() == 3
    assert differences() == []
    erase(response.session)
    assert not Operation.objects.filter(payload__erased_at=None).exists()
    assert differences() == []
