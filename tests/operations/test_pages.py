"""The panel, the details, undo and edit through the doors, with and without htmx."""

from __future__ import annotations

import itertools
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from chat.events import log as events
from chat.events.kinds import Reference
from chat.models import Session
from chat.operations.cards import Field
from chat.operations.changes import Actor, Change, Create, Delete, Kind, Update
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import propose
from projects.models import Project, Task
from tests.event_log import replay_now
from tests.markup import flat
from tests.operations.pages import HTMX, panel, url, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def renamed(agent, project, cause) -> OperationBatch:
    changes: list[Change] = [
        Update(
            "project", project.pk, {"name": "Fit at home", "context": "We <b>pilot</b> in May."}
        ),
        Create("task", {"title": "Draw <wireframes>", "project": str(project.pk)}),
    ]
    return execute(actor=agent, changes=changes, cause=cause, title="Push the launch")


def digest(answer) -> str:
    found = re.search(r'name="digest" value="([0-9a-f]{64})"', answer.content.decode())
    assert found is not None
    return found[1]


def test_the_panel_tells_what_was_done_in_words(page, talk, renamed):
    told = words(page.get(panel(talk)))
    assert "Project updated , done now" in told
    assert "Name was Fitness app → , now Fit at home" in told
    assert "To-do created" in told
    assert "Draw &lt;wireframes&gt;" in told
    assert "Push the launch" in told
    assert "Undo all 2" in told


def test_no_level_of_headings_is_left_out(page, talk, renamed, agent, project):
    waiting = propose(actor=agent, changes=[Delete("project", project.pk)], reasons=["It deletes."])
    history = reverse("operations:history", args=["project", project.pk])
    for address in (panel(talk), history, url("batch", renamed), url("batch", waiting)):
        levels = [int(level) for level in re.findall(r"<h(\d)", page.get(address).text)]
        assert levels[0] == 1
        steps = itertools.pairwise(levels)
        assert all(after <= before + 1 for before, after in steps), (address, levels)


def test_the_panel_is_narrowed_and_says_when_nothing_fits(page, talk, renamed):
    only = page.get(panel(talk), {"type": "create"})
    assert "To-do created" in words(only)
    assert "Project updated" not in words(only)
    assert "No changes match this filter" in words(page.get(panel(talk), {"status": "failed"}))
    assert "To-do created" in words(page.get(panel(talk), {"entity": "nonsense"}))


@pytest.mark.thorough
def test_the_panel_costs_the_same_whatever_is_in_it(page, talk, agent, project, cause):
    def visit() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert page.get(panel(talk)).status_code == 200
        return len(asked)

    def more(n: int) -> None:
        for number in range(n):
            changes: list[Change] = [
                Create("task", {"title": f"T{number}", "project": str(project.pk)}),
                Update("project", project.pk, {"name": f"N{n} {number}"}),
            ]
            execute(actor=agent, changes=changes, cause=cause)

    more(1)
    few = visit()
    more(20)
    assert visit() == few


def test_long_panels_come_in_pages(page, talk, agent, project, cause):
    for number in range(53):
        change = Update("project", project.pk, {"name": f"Name {number}"})
        execute(actor=agent, changes=[change], cause=cause)
    first = page.get(panel(talk)).content.decode()
    assert first.count("data-gesture") == 50
    more = re.search(r'hx-get="([^"]+after=[^"]+)"', first)
    assert more is not None
    rest = page.get(more[1].replace("&amp;", "&"), headers=HTMX).content.decode()
    assert rest.count("data-gesture") == 3
    assert "<html" not in rest


def test_the_details_show_both_sides_with_the_words_that_differ_escaped(page, renamed):
    update, create = renamed.operations.order_by("sequence")
    answer = page.get(url("details", renamed, update))
    html = answer.content.decode()
    assert "<del>Fitness app</del>" in html
    assert "<ins>Fit at home</ins>" in html
    assert "We &lt;b&gt;pilot&lt;/b&gt; in May." in html
    assert "Push the launch to Q3." in html
    made = words(page.get(url("details", renamed, create), headers=HTMX))
    assert "Created" in made
    assert "Priority Normal" in made


@pytest.mark.parametrize(("chars", "is_long"), [(20, False), (21, True)])
def test_what_exceeds_forty_characters_gets_a_line_of_its_own(chars, is_long):
    assert Field("name", "Title", "a" * 15, "b" * chars).is_long == is_long


def test_what_was_deleted_shows_what_is_gone(page, actor, project):
    batch = execute(actor=actor, changes=[Delete("project", project.pk)])
    told = words(page.get(url("details", batch, batch.operations.get())))
    assert "Deleted" in told
    assert "Fitness app" in told


def test_one_change_is_undone_after_a_preview_and_redone(page, talk, project, renamed):
    update = renamed.operations.get(type="update")
    preview = page.get(url("undo", renamed, update))
    assert "After undo" in words(preview)
    assert "every change stays in the history" in words(preview)  # however many there are
    answer = page.post(url("undo", renamed, update), {"digest": digest(preview)})
    assert (answer.status_code, answer["Location"]) == (303, f"{panel(talk)}#batch-{renamed.pk}")
    project.refresh_from_db()
    assert project.name == "Fitness app"
    shown = flat(page.get(panel(talk)))
    assert 'data-status="rolled_back"' in shown
    assert "Undone by you at" in shown
    redo = re.search(r'href="(/operations/[^"]+/undo)"[^>]*><svg[^>]*><use href="#i-retry"', shown)
    assert redo is not None
    page.post(redo[1], {"digest": digest(page.get(redo[1]))})
    project.refresh_from_db()
    assert project.name == "Fit at home"
    assert 'data-status="rolled_back"' not in page.get(panel(talk)).content.decode()


def test_undo_and_redo_make_no_two_to_dos_that_wait_for_each_other(page, actor, make):
    first, second = make("task", title="Draw"), make("task", title="Print")

    def waits(task: Task, other: Task | None) -> OperationBatch:
        links = {"depends_on": [str(other.pk)] if other else []}
        return execute(actor=actor, changes=[Update("task", task.pk, links)])

    waits(first, second)
    freed = waits(first, None)
    waits(second, first)
    address = url("undo_all", freed)
    shown = page.get(address)
    assert "These to-dos would wait for each other." in words(shown)
    answer = page.post(address, {"digest": digest(shown)})
    assert answer.status_code == 409
    assert "These to-dos would wait for each other." in words(answer)
    assert not first.depends_on.exists()


def test_a_batch_is_undone_whole_and_its_open_conversation_is_told(
    page, talk, project, renamed, django_capture_on_commit_callbacks
):
    address, start = url("undo_all", renamed), events.tail(talk.pk)
    preview = page.get(address)
    with django_capture_on_commit_callbacks(execute=True):
        page.post(address, {"digest": digest(preview)})
    logged = [item.event for item in replay_now(talk.pk, start).entries]
    assert Reference("operations", str(renamed.pk)) in logged
    project.refresh_from_db()
    assert project.name == "Fitness app"
    assert Task.objects.get().deleted_at


def test_a_field_that_was_changed_twice_is_restored_once(page, agent, project, cause):
    changes = [Update("project", project.pk, {"name": name}) for name in ("Fit", "Fit at home")]
    batch = execute(actor=agent, changes=changes, cause=cause)
    told = words(page.get(url("undo_all", batch)))
    assert told.count("Fitness app") == 1


def test_what_came_and_went_in_one_change_is_gone_after_its_undo(page, agent, cause):
    made = Create("project", {"name": "Bakery"})
    batch = execute(actor=agent, changes=[made, Delete("project", made.id)], cause=cause)
    told = words(page.get(url("undo_all", batch)))
    assert "will be deleted" in told
    assert "will be restored" not in told


def test_a_later_change_by_hand_is_a_conflict_with_both_values_to_decide(
    page, actor, project, renamed
):
    execute(actor=actor, changes=[Update("project", project.pk, {"name": "By hand"})])
    address = url("undo", renamed, renamed.operations.get(type="update"))
    preview = page.get(address)
    told = words(preview)
    assert "Restore: Fitness app" in told
    assert "Keep: By hand" in told
    refused = page.post(address, {"digest": digest(preview)})
    assert refused.status_code == 409
    assert "Choose which values to keep" in words(refused)
    choice = re.search(r'name="(choice-[^"]+)"', preview.content.decode())
    assert choice is not None
    page.post(address, {"digest": digest(preview), choice[1]: "keep"})
    project.refresh_from_db()
    assert (project.name, project.context) == ("By hand", "")


def test_what_is_to_be_kept_is_not_deleted_with_what_it_belongs_to(page, actor, agent, cause):
    made = Create("project", {"name": "Bakery"})
    below = Create("task", {"title": "Find an oven", "project": str(made.id)})
    batch = execute(actor=agent, changes=[made, below], cause=cause)
    execute(actor=actor, changes=[Update("task", below.id, {"title": "Buy an oven"})])
    address = url("undo_all", batch)
    preview = page.get(address)
    whole, part = (batch.operations.get(entity=entity).pk for entity in ("project", "task"))
    choices = {"digest": digest(preview), f"choice-{whole}-row": "restore"}
    refused = page.post(address, choices | {f"choice-{part}-row": "keep"})
    assert refused.status_code == 409
    assert "“Buy an oven” can only be kept together with “Bakery”." in words(refused)
    assert Task.objects.get().deleted_at is None
    page.post(address, choices | {f"choice-{part}-row": "restore"})
    assert Task.objects.get().deleted_at
    assert Project.objects.get().deleted_at


def test_an_undo_that_was_not_shown_is_refused(page, actor, project, renamed):
    address = url("undo", renamed, renamed.operations.get(type="update"))
    old = digest(page.get(address))
    execute(actor=actor, changes=[Update("project", project.pk, {"context": "By hand"})])
    assert page.post(address, {"digest": old}).status_code == 409
    assert page.post(address, {}).status_code == 400


def test_what_goes_along_and_what_stands_in_the_way_is_said_first(page, actor, agent, make):
    change = Create("project", {"name": "New", "slug": "new"})
    batch = execute(actor=agent, changes=[change])
    make("task", title="By hand", project=str(change.id))
    assert "with To-do: By hand" in words(page.get(url("undo_all", batch)))
    gone = execute(actor=actor, changes=[Delete("project", change.id)])
    make("project", name="Thief", slug="new")
    told = words(page.get(url("undo_all", gone)))
    assert "Another of your projects has this short name." in told


def test_a_done_change_is_edited_by_a_change_of_its_own(page, project, renamed):
    update = renamed.operations.get(type="update")
    form = page.get(url("amend", renamed, update))
    assert 'value="Fit at home"' in form.content.decode()
    version = re.search(r'name="version" value="(\d+)"', form.content.decode())
    assert version is not None
    sent = {"name": "Fit", "context": "We pilot in June.", "version": version[1]}
    assert page.post(url("amend", renamed, update), sent).status_code == 303
    project.refresh_from_db()
    assert (project.name, project.context) == ("Fit", "We pilot in June.")
    assert Operation.objects.filter(amends=update).count() == 1
    again = page.post(url("amend", renamed, update), sent | {"name": "Late"})
    assert again.status_code == 422
    assert "changed meanwhile" in words(again)


def test_tags_are_edited_with_commas_between_them(page, actor, project):
    tagged = execute(actor=actor, changes=[Update("project", project.pk, {"tags": ["a", "b"]})])
    address = url("amend", tagged, tagged.operations.get())
    assert "a, b" in words(page.get(url("details", tagged, tagged.operations.get())))
    form = page.get(address).text
    assert 'value="a, b"' in form
    version = re.search(r'name="version" value="(\d+)"', form)
    assert version is not None
    page.post(address, {"tags": "sport, , at home", "version": version[1]})
    project.refresh_from_db()
    assert project.tags == ["sport", "at home"]


def test_links_are_edited_among_ones_own_living_rows(page, actor, other, project, make):
    theirs = make("project", who=other, name="Theirs", slug="theirs")
    place = make("project", name="Garden", slug="garden")
    tasks = [make("task", title=f"T{n}", project=str(project.pk)) for n in range(3)]
    elsewhere = make("task", title="Elsewhere", project=str(place.pk))
    change = Update("task", tasks[0].pk, {"depends_on": [str(tasks[1].pk)], "title": "First"})
    linked = execute(actor=actor, changes=[change])
    form = flat(page.get(url("amend", linked, linked.operations.get())))
    boxes = re.findall(r'name="depends_on" value="([^"]+)"( checked)?', form)
    assert dict(boxes) == {str(tasks[1].pk): " checked", str(tasks[2].pk): ""}
    version = re.search(r'name="version" value="(\d+)"', form)
    assert version is not None
    sent = {"version": version[1], "title": "First", "depends_on-shown": "1"}
    answer = page.post(url("amend", linked, linked.operations.get()), sent)
    assert answer.status_code == 303
    assert list(tasks[0].depends_on.all()) == []
    for stranger in (elsewhere, theirs):
        more = {"depends_on": [str(stranger.pk)]}
        answer = page.post(url("amend", linked, linked.operations.get()), sent | more)
        assert answer.status_code == 422
    moved = execute(
        actor=actor, changes=[Update("task", tasks[2].pk, {"project": str(place.pk)})]
    ).operations.get()
    form = page.get(url("amend", moved.batch, moved)).content.decode()
    assert str(project.pk) in form
    assert str(theirs.pk) not in form
    page.post(url("amend", moved.batch, moved), {"project": str(project.pk)})
    tasks[2].refresh_from_db()
    assert tasks[2].project == project


def test_an_edit_of_what_moved_on_shows_what_stands_now_and_then_replaces_it(
    page, project, renamed, actor
):
    update = renamed.operations.get(type="update")
    address = url("amend", renamed, update)
    version = re.search(r'name="version" value="(\d+)"', page.get(address).text)
    assert version is not None
    program = Actor(actor.owner_id, kind=Kind.PROGRAM)
    theirs = {"name": "By <program>", "context": "Theirs"}
    execute(actor=program, changes=[Update("project", project.pk, theirs)])
    sent = {"name": "By hand", "context": "We <b>pilot</b> in May.", "version": version[1]}
    answer = page.post(address, sent, headers=HTMX)
    assert answer.status_code == 422
    assert "This was changed meanwhile." in words(answer)
    assert "Name: Current By &lt;program&gt;" in words(answer)
    assert 'value="By hand"' in answer.text
    fresh = re.search(r'name="version" value="(\d+)"', answer.text)
    context = re.search(r'name="context"[^>]*>\s*([^<]*?)\s*</textarea>', answer.text)
    assert fresh is not None
    assert context is not None
    sent |= {"context": context[1], "version": fresh[1]}
    assert page.post(address, sent).status_code == 303
    project.refresh_from_db()
    assert (project.name, project.context) == ("By hand", "Theirs")


def test_a_wrong_value_keeps_the_form(page, renamed):
    create = renamed.operations.get(type="create")
    answer = page.post(url("amend", renamed, create), {"title": "", "priority": "huge"})
    assert answer.status_code == 422
    assert "field__error" in answer.content.decode()


def test_what_failed_says_why(page, talk, agent, actor, project, cause):
    changes: list[Change] = [
        Create("project", {"name": "Twin", "slug": "fitness-app"}),
        Create("task", {"title": "After"}),
    ]
    execute(actor=agent, changes=changes, cause=cause)
    told = words(page.get(panel(talk)))
    assert "Project not created , failed" in told
    assert "Another of your projects has this short name." in told
    assert "Not applied: an earlier change failed." in told


def test_htmx_gets_the_changed_batches_and_closes_its_dialog(page, renamed):
    address = url("undo_all", renamed)
    preview = page.get(address, headers=HTMX)
    assert "<html" not in preview.content.decode()
    answer = page.post(address, {"digest": digest(preview)}, headers=HTMX)
    assert (answer.status_code, answer["HX-Trigger"]) == (200, "operations-done")
    html = answer.content.decode()
    assert f'id="batch-{renamed.pk}"' in html
    assert html.count('data-status="rolled_back"') == 2


def test_a_conversation_that_only_reads_says_so(page, alice, participant_of):
    reading = Session.objects.create(participant=participant_of(alice), kind="project_audit")
    told = words(page.get(panel(reading)))
    assert "This conversation changes nothing." in told
    assert "apply immediately" not in told
    assert "Review first" not in told


def test_the_policy_is_its_owners(page, browser, bob, alice, participant_of):
    talk = Session.objects.create(participant=participant_of(alice), kind="project_update")
    address = reverse("operations:policy", args=[talk.pk])
    assert page.post(address, {"policy": "review"}).status_code == 303
    talk.refresh_from_db()
    assert talk.policy == "review"
    assert "need your review" in page.get(panel(talk)).content.decode()
    assert page.post(address, {"policy": "never"}).status_code == 400
    assert browser(bob).post(address, {"policy": "auto"}).status_code == 404


def test_a_row_has_a_history(page, browser, bob, project, renamed):
    address = reverse("operations:history", args=["project", project.pk])
    told = words(page.get(address))
    assert told.index("Project updated") < told.index("Project created")
    assert browser(bob).get(address).status_code == 404


def test_a_card_tells_of_a_new_row_what_was_chosen_and_its_details_all(page, talk, agent, cause):
    values = {"title": "Call", "due_date": "2026-12-03", "due_time": "09:30", "priority": "normal"}
    batch = execute(actor=agent, changes=[Create("task", values)], cause=cause)
    card = words(page.get(panel(talk)))
    assert "Title Call Due 3 December 2026 Due time 09:30" in card
    assert "Priority" not in card
    assert "Normal" in words(page.get(url("details", batch, batch.operations.get())))


@pytest.mark.thorough
def test_a_batch_of_many_has_a_page_with_all(page, talk, agent, project, cause):
    changes = [
        Create("task", {"title": f"Task {n}", "project": str(project.pk)}) for n in range(120)
    ]
    batch = execute(actor=agent, changes=changes, cause=cause)
    assert "Show all 120" in words(page.get(panel(talk)))
    first = page.get(url("batch", batch))
    assert first.content.decode().count('class="operation"') == 100
    rest = page.get(url("batch", batch), {"after": "100"})
    assert rest.content.decode().count('class="operation"') == 20
    assert "Undo all 120 changes" in words(rest)


def test_what_stands_in_the_way_of_an_undo_is_named_and_its_own_undo_is_a_link(
    page, actor, project, make
):
    make("task", title="Draw", project=str(project.pk))
    done = execute(actor=actor, changes=[Delete("project", project.pk)])
    task, root = (done.operations.get(entity=entity) for entity in ("task", "project"))
    answer = page.get(url("undo", done, task))
    told = "This cannot be undone: It needs “Fitness app”, which was deleted."
    assert f"{told} Undo that deletion" in words(answer)
    assert f'href="{url("undo", done, root)}"' in answer.text
    assert "Draw" in words(page.get(url("undo", done, root)))  # comes back with it
