"""What is written of projects: checked, recorded, undone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from chat.operations.models import Operation, OperationBatch
from chat.operations.replay import differences
from chat.operations.undo import undo
from futura.errors import BadInput, Conflict, TooLong
from projects import queries
from projects.models import Project, ProjectDraft, Task
from tests import project_rows, todos

pytestmark = pytest.mark.django_db


def take_back(actor, batch):
    return undo(actor=actor, operations=list(batch.operations.all()))


def test_two_projects_of_one_name_get_slugs_of_their_own(actor, bobs):
    slugs = [
        project_rows.create_project(actor=who, values={"name": "Größer & café"}).row.slug
        for who in (actor, actor, bobs)
    ]
    assert slugs == ["grosser-cafe", "grosser-cafe-2", "grosser-cafe"]


def test_a_name_in_another_script_still_gets_a_slug(actor):
    assert project_rows.create_project(actor=actor, values={"name": "日本語"}).row.slug == "project"


def test_a_project_needs_a_name_and_an_order_of_its_days(actor):
    with pytest.raises(BadInput) as no_name:
        project_rows.create_project(actor=actor, values={"name": "  "})
    assert no_name.value.field == "name"
    values = {"name": "A", "start_date": "2027-02-01", "end_date": "2027-01-01"}
    with pytest.raises(BadInput) as order:
        project_rows.create_project(actor=actor, values=values)
    assert order.value.field == "end_date"
    assert not Project.objects.exists()


def test_an_end_is_compared_with_the_start_that_stands(actor, project):
    project_rows.edit_project(actor=actor, project=project, values={"start_date": "2027-02-01"})
    project.refresh_from_db()
    with pytest.raises(BadInput):
        project_rows.edit_project(actor=actor, project=project, values={"end_date": "2027-01-01"})


def test_texts_over_their_limit_are_refused_by_name(actor, project):
    with pytest.raises(TooLong) as error:
        project_rows.edit_dimension(
            actor=actor, of=project, field="core_people_bonds", text="x" * 50_001
        )
    assert error.value.field == "core_people_bonds"


@pytest.mark.parametrize(
    ("merge", "text"), [("replace", "B"), ("append", "A\n\nB"), ("prepend", "B\n\nA")]
)
def test_a_dimension_is_replaced_or_joined(actor, project, merge, text):
    for one in ("A", "B"):
        project.refresh_from_db()
        project_rows.edit_dimension(
            actor=actor, of=project, field="core_people_bonds", text=one, merge=merge
        )
    project.refresh_from_db()
    assert project.core_people_bonds == text


def test_joining_what_stands_there_already_changes_nothing(actor, project):
    for _time in range(2):
        project_rows.edit_dimension(
            actor=actor, of=project, field="core_people_bonds", text="Two of us.", merge="append"
        )
        project.refresh_from_db()
    assert project.core_people_bonds == "Two of us."


def test_a_join_with_a_text_that_changed_meanwhile_is_refused(actor, project):
    seen = Project.objects.get(pk=project.pk)
    project_rows.edit_dimension(actor=actor, of=project, field="core_people_bonds", text="Ann")
    with pytest.raises(Conflict):
        project_rows.edit_dimension(
            actor=actor, of=seen, field="core_people_bonds", text="Ben", merge="append"
        )


def test_a_stale_version_is_refused_and_a_persons_try_leaves_no_trace(actor, project):
    before = OperationBatch.objects.count()
    with pytest.raises(Conflict):
        project_rows.edit_project(actor=actor, project=project, values={"name": "B"}, version=7)
    assert OperationBatch.objects.count() == before


def test_done_is_dated_and_reopening_takes_the_date_back(actor, todo):
    task = todos.complete(actor=actor, task=todo()).row
    assert task.completed_at is not None
    task = todos.reopen(actor=actor, task=task).row
    assert (task.status, task.completed_at) == ("available", None)


def test_todos_move_among_each_other_and_back_in_one_gesture(actor, project, todo):
    _first, _second, third = todo("1"), todo("2"), todo("3")
    batch = todos.move(actor=actor, task=third, to="first")
    assert [task.title for task in queries.tasks_of(project)] == ["3", "1", "2"]
    take_back(actor, batch)
    assert [task.title for task in queries.tasks_of(project)] == ["1", "2", "3"]


def test_todos_never_wait_for_themselves_however_long_the_way(actor, todo):
    first, second, third = todo("1"), todo("2"), todo("3")
    todos.wait_for(actor=actor, task=second, needed=[first.pk])
    todos.wait_for(actor=actor, task=third, needed=[second.pk])
    for needed in (first, third):
        with pytest.raises(BadInput):
            todos.wait_for(actor=actor, task=first, needed=[needed.pk])
    assert not first.depends_on.exists()


def test_a_todo_waits_for_none_of_anothers(actor, bobs, todo):
    theirs = todos.add(actor=bobs, project=None, values={"title": "Bob's"}).row
    with pytest.raises(Conflict):
        todos.wait_for(actor=actor, task=todo(), needed=[theirs.pk])


def test_what_is_no_number_of_days_is_refused_with_its_field(todo):
    for value in (True, "NaN", "Infinity", float("nan"), "1e400", [1], -1, 4000):
        with pytest.raises(BadInput) as error:
            todo(estimate_low_days=value)
        assert error.value.field == "estimate_low_days", value
        assert not Task.objects.exists()


def test_estimates_come_back_from_the_database_as_the_ledger_has_them(actor, todo):
    todo(estimate_low_days="1", estimate_high_days=Decimal("2.505"), priority="medium")
    assert Task.objects.get().priority == "normal"
    assert differences() == []


def test_a_deleted_project_comes_back_with_its_todos_and_notes(actor, project, todo):
    todo()
    todos.add_note(actor=actor, project=project, values={"text": "Kept **too**."})
    batch = project_rows.delete_project(actor=actor, project=project).batch
    assert not Project.objects.filter(deleted_at=None).exists()
    assert not Task.objects.filter(deleted_at=None).exists()
    take_back(actor, batch)
    project.refresh_from_db()
    assert len(queries.tasks_of(project)) == len(queries.notes_of(project)) == 1
    assert differences() == []


def test_a_draft_becomes_a_project_with_its_todos_in_one_batch(actor, draft):
    done = project_rows.finalise_draft(actor=actor, draft=draft)
    project = done.row
    assert (project.name, project.slug) == ("Fitness app", "fitness-app")
    assert project.core_goals_momentum == "Launch in spring."
    titles = [task.title for task in queries.tasks_of(project)]
    assert titles == ["Design wireframes", "Choose a stack"]
    draft.refresh_from_db()
    assert (draft.status, draft.finalized_project) == ("completed", project)
    assert done.batch.operations.count() == 4
    assert differences() == []


def test_undoing_a_finalised_draft_takes_all_of_it_back(actor, draft):
    batch = project_rows.finalise_draft(actor=actor, draft=draft).batch
    take_back(actor, batch)
    draft.refresh_from_db()
    assert (draft.status, draft.finalized_project_id) == ("in_progress", None)
    assert not Project.objects.filter(deleted_at=None).exists()
    assert not Task.objects.filter(deleted_at=None).exists()
    # and it can be finalised again
    assert project_rows.finalise_draft(actor=actor, draft=draft).row.slug == "fitness-app"


def test_a_draft_that_moved_on_is_not_finalised_at_all(actor, draft):
    seen = ProjectDraft.objects.get(pk=draft.pk)
    project_rows.edit_draft(actor=actor, draft=draft, values={"name": "Other"})
    with pytest.raises(Conflict):
        project_rows.finalise_draft(actor=actor, draft=seen)
    assert not Project.objects.exists()
    assert not Task.objects.exists()


def test_a_draft_is_finalised_once_and_only_with_a_name(actor, draft):
    nameless = project_rows.start_draft(actor=actor).row
    with pytest.raises(BadInput) as error:
        project_rows.finalise_draft(actor=actor, draft=nameless)
    assert error.value.field == "name"
    project_rows.finalise_draft(actor=actor, draft=draft)
    draft.refresh_from_db()
    with pytest.raises(Conflict):
        project_rows.finalise_draft(actor=actor, draft=draft)
    assert Project.objects.count() == 1


def test_a_text_in_a_draft_counts_its_dimension_as_covered(actor, draft):
    assert draft.dimensions_covered == ["core_people_bonds", "core_goals_momentum"]
    project_rows.edit_dimension(
        actor=actor, of=draft, field="core_trust_safeguards", text="It may rain."
    )
    draft.refresh_from_db()
    assert draft.dimensions_covered[-1] == "core_trust_safeguards"


def test_an_abandoned_draft_is_changed_only_when_taken_up_again(actor, draft):
    draft = project_rows.abandon_draft(actor=actor, draft=draft).row
    with pytest.raises(Conflict):
        project_rows.edit_draft(actor=actor, draft=draft, values={"name": "B"})
    draft = project_rows.resume_draft(actor=actor, draft=draft).row
    assert project_rows.edit_draft(actor=actor, draft=draft, values={"name": "B"}).row.name == "B"


def test_every_gesture_is_named_in_the_ledger_without_its_content(actor, project, todo):
    todos.complete(actor=actor, task=todo("Print labels"))
    titles = list(OperationBatch.objects.order_by("created_at").values_list("title", flat=True))
    assert titles == [
        "Created project",
        "Added to-do",
        "Completed to-do",
    ]
    assert set(Operation.objects.values_list("status", flat=True)) == {"completed"}
