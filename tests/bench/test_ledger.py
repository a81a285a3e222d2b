"""What the ledger costs: over a bare write, as a long panel, and undoing much at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.models import Message, Participant, Session
from chat.operations.changes import Actor, Cause, Change, Create, Update
from chat.operations.execute import execute
from chat.operations.steps import open_ledger
from chat.operations.undo import rehearse, undo
from projects.models import Project, Task
from tests.bench.product import show

pytestmark = [pytest.mark.bench, pytest.mark.django_db]
TIMES = 200
VISITS = 15


@pytest.fixture
def actor(alice: User, participant_of: Callable[[User], Participant]) -> Actor:
    return Actor(participant_of(alice).pk, kind="agent")


def project_of(actor: Actor) -> Project:
    change = Create("project", {"name": "Shed", "slug": "shed"})
    execute(actor=actor, changes=[change])
    return Project.objects.get(pk=change.id)


def timed(work: Callable[[int], object]) -> tuple[int, float]:
    """Queries of one call (savepoints aside), and the median seconds of many."""
    work(0)
    with CaptureQueriesContext(connection) as asked:
        work(1)
    count = sum("SAVEPOINT" not in item["sql"] for item in asked)
    taken = []
    for number in range(2, TIMES + 2):
        begun = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - begun)
    return count, median(taken)


def test_a_recorded_change_beside_a_bare_one(actor: Actor) -> None:
    project = project_of(actor)
    open_ledger()  # the mark lasts as long as the test's transaction

    def bare(number: int) -> None:
        with transaction.atomic():
            row = Project.objects.select_for_update().get(pk=project.pk)
            row.name = f"Bare {number}"
            row.save(update_fields=["name", "updated_at"])

    def recorded(number: int) -> None:
        execute(actor=actor, changes=[Update("project", project.pk, {"name": f"Kept {number}"})])

    few, bare_s = timed(bare)
    many, recorded_s = timed(recorded)
    show(
        queries={"bare": few, "recorded": many},
        bare_ms=round(bare_s * 1000, 2),
        recorded_ms=round(recorded_s * 1000, 2),
        times_bare=round(recorded_s / bare_s, 1),
    )
    assert many == 6


def filled(participant: Participant, actor: Actor, operations: int) -> Session:
    """A conversation with so many changes, five in a batch."""
    session = Session.objects.create(participant=participant, kind="survey")
    said = Message.objects.create(session=session, seq=1, role="user", text="Change it.")
    cause = Cause(session=session, message=said)
    project = Project.objects.get()
    for batch in range(operations // 5):
        changes: list[Change] = [
            Update("project", project.pk, {"name": f"{batch} {n}", "context": f"Of {n}"})
            for n in range(4)
        ]
        task = Create("task", {"title": f"Task {batch}", "project": str(project.pk)})
        execute(actor=actor, changes=[*changes, task], cause=cause)
    return session


def test_a_panel_with_5000_operations_beside_one_with_50(
    browser: Callable[..., Client],
    alice: User,
    participant_of: Callable[[User], Participant],
    actor: Actor,
) -> None:
    project_of(actor)
    page = browser(alice)
    told = {}
    for size in (50, 5_000):
        session = filled(participant_of(alice), actor, size)
        address = f"/operations/sessions/{session.pk}"
        page.get(address)
        with CaptureQueriesContext(connection) as asked:
            assert page.get(address).status_code == 200
        queries = len(asked)
        taken = []
        for _ in range(VISITS):
            begun = time.perf_counter()
            page.get(address)
            taken.append(time.perf_counter() - begun)
        told[size] = (queries, median(taken))
    (few, short_s), (many, long_s) = told[50], told[5_000]
    show(
        queries={"50 operations": few, "5000 operations": many},
        small_ms=round(short_s * 1000, 1),
        large_ms=round(long_s * 1000, 1),
        times_small=round(long_s / short_s, 2),
    )
    assert few == many


def test_undoing_a_batch_of_500_beside_one_of_5(actor: Actor) -> None:
    project = project_of(actor)
    undone_at_once(actor, project, 2)  # what is compiled once
    few, many = undone_at_once(actor, project, 5), undone_at_once(actor, project, 500)
    show(
        queries={"5 operations": few["queries"], "500 operations": many["queries"]},
        done_s=round(many["done_s"], 2),
        previewed_s=round(many["shown_s"], 2),
        undone_s=round(many["undone_s"], 2),
        undone_per_operation_ms=round(many["undone_s"] * 2, 2),
        times_five=round(many["undone_s"] / few["undone_s"], 1),
    )
    assert many["queries"] - few["queries"] == 500 - 5  # nothing but the writing of a row
    assert Task.objects.filter(deleted_at=None).count() == 0


def undone_at_once(actor: Actor, project: Project, count: int) -> dict[str, float]:
    """What making so many tasks in one batch, the preview and the undo of it took."""
    changes = [
        Create("task", {"title": f"Task {n}", "project": str(project.pk)}) for n in range(count)
    ]
    begun = time.perf_counter()
    batch = execute(actor=actor, changes=changes)
    done_s = time.perf_counter() - begun
    operations = list(batch.operations.all())
    begun = time.perf_counter()
    plan = rehearse(actor.owner_id, operations)
    shown_s = time.perf_counter() - begun
    with CaptureQueriesContext(connection) as asked:
        begun = time.perf_counter()
        undo(actor=actor, operations=operations, digest=plan.digest)
        undone_s = time.perf_counter() - begun
    return {"queries": len(asked), "done_s": done_s, "shown_s": shown_s, "undone_s": undone_s}
