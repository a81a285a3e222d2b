"""Laws of the ledger, over random histories of creating, changing, deleting and taking back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from chat.models import Participant
from chat.operations import serialization
from chat.operations.changes import Actor, Change, Create, Delete, Update
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import all_operables
from chat.operations.replay import differences
from chat.operations.undo import UndoConflict, rehearse, undo
from futura.errors import Conflict
from tests.extent import examples

pytestmark = pytest.mark.django_db
WORDS = st.sampled_from(["", "a", "b", "c"])
PLACES = st.integers(0, 5)
STEPS = st.one_of(
    st.tuples(st.just("project"), PLACES, WORDS),
    st.tuples(st.just("task"), PLACES, WORDS),
    st.tuples(st.just("change"), PLACES, WORDS),
    st.tuples(st.just("describe"), PLACES, WORDS),
    st.tuples(st.just("delete"), PLACES, WORDS),
    st.tuples(st.just("link"), PLACES, WORDS),
    st.tuples(st.just("clash"), PLACES, WORDS),
    st.tuples(st.just("undo"), PLACES, WORDS),
)
HISTORIES = st.lists(st.lists(STEPS, min_size=1, max_size=4), min_size=1, max_size=8)
laws = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


class History:
    """Plays steps for one owner; every list of steps is one batch."""

    def __init__(self) -> None:
        self.actor = Actor(Participant.objects.create().pk)
        self.rows: list[tuple[str, uuid.UUID]] = []
        self.batches: list[OperationBatch] = []

    def change(self, what: str, place: int, word: str) -> Change | None:
        if what == "project":
            made = Create("project", {"name": word, "slug": uuid.uuid4().hex})
            self.rows.append(("project", made.id))
            return made
        if what == "clash":  # there may be one of this name already: then the database refuses it
            return Create("project", {"name": word, "slug": "same"})
        if not self.rows:
            return None
        entity, key = self.rows[place % len(self.rows)]
        if what == "task":
            projects = [item for kind, item in self.rows if kind == "project"]
            values = {"title": word or "t", "project": str(projects[place % len(projects)])}
            task = Create("task", values)
            self.rows.append(("task", task.id))
            return task
        if what == "link":
            tasks = [item for kind, item in self.rows if kind == "task"]
            ends = [str(item) for item in tasks[place:] if item != key]
            return Update(entity, key, {"depends_on": ends}) if entity == "task" else None
        if what == "delete":
            return Delete(entity, key)
        if what == "describe":
            return Update(entity, key, {"details" if entity == "task" else "context": word})
        name = {"title": word or "t"} if entity == "task" else {"name": word}
        return Update(entity, key, name)

    def play(self, steps: list[tuple[str, int, str]]) -> OperationBatch | None:
        undone = [place for what, place, _word in steps if what == "undo"]
        if undone and self.batches:
            self.take_back(self.batches[undone[0] % len(self.batches)])
        changes = [self.change(*step) for step in steps if step[0] != "undo"]
        wanted = [item for item in changes if item is not None]
        if not wanted:
            return None
        self.batches.append(execute(actor=self.actor, changes=wanted))
        return self.batches[-1]

    def take_back(self, batch: OperationBatch) -> OperationBatch | None:
        """Undoes what stands of a batch; conflicts are restored. None when it is refused."""
        done = list(batch.operations.filter(status="completed"))
        if not done:
            return None
        try:
            plan = rehearse(self.actor.owner_id, done)
            choices: Any = {conflict.key: "restore" for conflict in plan.conflicts}
            undone = undo(actor=self.actor, operations=done, choices=choices)
        except Conflict:
            return None
        self.batches.append(undone)
        return undone


def tables() -> dict[str, dict[str, Any]]:
    """Every living row by its id."""
    return {
        name: {
            str(row.pk): serialization.read(of, row)
            for row in of.model._default_manager.filter(deleted_at__isnull=True)
        }
        for name, of in all_operables().items()
    }


def facts() -> list[tuple[Any, ...]]:
    return list(
        Operation.objects.order_by("pk").values_list(
            "pk", "type", "entity_id", "changed_fields", "result_version",
            "payload__before", "payload__after",
        )
    )  # fmt: skip


@laws
@given(HISTORIES)
def test_undoing_is_identity_and_redoing_is_doing(db, batches):
    history = History()
    for steps in batches[:-1]:
        history.play(steps)
    before = tables()
    last = history.play([batch for batch in batches[-1] if batch[0] != "undo"])
    if last is None:
        return
    done = tables()
    undone = history.take_back(last)
    if undone is None:  # nothing of it was done
        assert tables() == done
        return
    assert tables() == before
    assert history.take_back(undone) is not None
    assert tables() == done


@laws
@given(HISTORIES)
def test_nothing_recorded_is_ever_lost_or_changed(db, batches):
    history = History()
    known: list[tuple[Any, ...]] = []
    for steps in batches:
        history.play(steps)
        now = facts()
        assert [item for item in known if item not in now] == []
        known = now


@laws
@given(HISTORIES, PLACES)
def test_undoing_without_a_decision_never_takes_anybodys_later_change(db, batches, place):
    history = History()
    for steps in batches:
        history.play(steps)
    if not history.batches:
        return
    batch = history.batches[place % len(history.batches)]
    standing = list(batch.operations.filter(status="completed"))
    before = tables()
    plan = rehearse(history.actor.owner_id, standing)
    try:
        undo(actor=history.actor, operations=standing, digest=plan.digest)
    except UndoConflict:
        assert plan.conflicts
        assert tables() == before
    except Conflict:
        assert tables() == before
    else:
        assert plan.conflicts == []
    assert differences() == []


@laws
@given(HISTORIES, PLACES)
def test_what_was_undone_is_not_undone_again(db, batches, place):
    history = History()
    for steps in batches:
        history.play(steps)
    if not history.batches:
        return
    batch = history.batches[place % len(history.batches)]
    done = list(batch.operations.filter(status="completed"))
    if history.take_back(batch) is None:
        return
    before, count = tables(), Operation.objects.count()
    with pytest.raises(Conflict, match="already undone"):
        undo(actor=history.actor, operations=done)
    assert (tables(), Operation.objects.count()) == (before, count)


@laws
@given(HISTORIES, st.lists(st.tuples(PLACES, WORDS), min_size=1, max_size=3), st.booleans())
# what a person chose is by chance what the row was created with
@example([[("project", 0, "a"), ("change", 0, ""), ("change", 0, "b")]], [(0, "a")], True)
def test_of_a_later_change_by_hand_stands_what_was_decided(db, batches, by_hand, is_kept):
    history = History()
    for steps in batches:
        history.play([step for step in steps if step[0] != "undo"])
    if not history.batches:
        return
    agents = history.batches[-1]
    person = [history.change("change", *item) for item in by_hand]
    execute(actor=history.actor, changes=[item for item in person if item is not None])
    standing = list(agents.operations.filter(status="completed"))
    if not standing:
        return
    plan = rehearse(history.actor.owner_id, standing)
    choices: Any = {conflict.key: "keep" if is_kept else "restore" for conflict in plan.conflicts}
    before = tables()
    try:
        undo(actor=history.actor, operations=standing, choices=choices, digest=plan.digest)
    except Conflict:  # what was kept stands in the way of what comes back
        assert tables() == before
        return
    after = tables()
    for one in plan.conflicts:
        row = str(one.entity_id)
        if one.field and is_kept:
            assert after[one.entity][row][one.field] == before[one.entity][row][one.field]
        elif one.field == "" and is_kept:
            assert row in after[one.entity]
    assert differences() == []
