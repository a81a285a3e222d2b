"""Two tabs, or two people, change the same: what both changed is shown, nothing is overwritten."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

import pytest
from django.urls import reverse

from tests import project_rows, todos

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url(name, *args):
    return reverse(f"projects:{name}", args=args)


def words(answer):
    return answer.content.decode()


def test_what_two_tabs_changed_apart_is_merged(client, actor, project):
    project_rows.edit_project(actor=actor, project=project, values={"description": "Theirs"})
    sent = {"name": "New name", "description": "No retyping.", "version": "1"}
    client.post(url("edit", project.pk), sent)
    project.refresh_from_db()
    assert (project.name, project.description) == ("New name", "Theirs")


def test_what_both_changed_is_shown_and_nothing_overwritten(client, actor, project):
    project_rows.edit_project(actor=actor, project=project, values={"name": "Theirs"})
    sent = {"name": "Yours", "version": "1"}
    answer = client.post(url("edit", project.pk), sent)
    assert answer.status_code == 409
    page = words(answer)
    assert "Theirs" in page
    assert "Yours" in page
    project.refresh_from_db()
    assert project.name == "Theirs"
    # the form that came back saves over what it showed
    client.post(url("edit", project.pk), {"name": "Yours", "version": "2"})
    project.refresh_from_db()
    assert project.name == "Yours"


def returned(answer):
    """What the browser would send of a form that came back."""
    assert answer.status_code == 409
    fields = re.findall(r'<input [^>]*name="(\w+)"[^>]*?(?: value="([^"]*)")?[ >]', answer.text)
    return {name: value for name, value in fields if name in TYPED}


TYPED = ("version", "title", "assignee", "tags", "due_date", "remind_at", "estimate_low_days")


def test_what_another_changed_beside_a_clash_stays_when_it_is_saved_again(client, actor, todo):
    task, needed = todo("Agree", assignee="Bo"), todo("Ask")
    theirs = {"assignee": "Ana", "tags": ["lab", "x"], "due_date": "2027-03-09",
              "remind_at": "2027-03-08T09:00Z", "estimate_low_days": "2.5",
              "depends_on": [str(needed.pk)]}  # fmt: skip
    todos.change(actor=actor, task=task, values=theirs | {"title": "Theirs"})
    sent = {"title": "Yours", "assignee": "Bo", "tags": "", "due_date": "", "remind_at": "",
            "estimate_low_days": "", "version": "1"}  # fmt: skip
    address = reverse("todos:todo", args=[task.pk])
    for title in ("Theirs too", ""):
        answer = client.post(address, sent)
        sent = returned(answer) | {"depends_on": [str(needed.pk)]}
        assert re.search(rf'value="{needed.pk}" checked', answer.text)
        assert sent["title"] == "Yours"
        if title:  # somebody is faster once more
            task.refresh_from_db()
            todos.change(actor=actor, task=task, values={"title": title})
    assert client.post(address, sent).status_code == 302
    task.refresh_from_db()
    assert (task.title, task.assignee, task.tags) == ("Yours", "Ana", ["lab", "x"])
    assert (str(task.due_date), task.estimate_low_days) == ("2027-03-09", Decimal("2.5"))
    assert task.remind_at == dt.datetime(2027, 3, 8, 9, tzinfo=dt.UTC)
    assert list(task.depends_on.all()) == [needed]


def test_a_field_that_is_put_back_after_a_clash_holds_what_it_held(client, actor, todo):
    task = todo("Agree", assignee="Bo")
    todos.change(actor=actor, task=task, values={"title": "Theirs", "assignee": "Ana"})
    sent = {"title": "Yours", "assignee": "Bo", "version": "1"}
    address = reverse("todos:todo", args=[task.pk])
    again = returned(client.post(address, sent)) | {"title": "Agree"}
    assert client.post(address, again).status_code == 302
    task.refresh_from_db()
    assert (task.title, task.assignee) == ("Agree", "Ana")


def test_a_clash_names_projects_days_and_statuses_as_people_know_them(client, actor, todo):
    task = todo("Agree")
    garden, yard = (
        project_rows.create_project(actor=actor, values={"name": name}).row
        for name in ("Garden", "Yard")
    )
    theirs = {"project": garden.pk, "due_date": "2027-03-09", "status": "blocked"}
    todos.change(actor=actor, task=task, values=theirs)
    sent = {"title": "Agree", "project": str(yard.pk), "due_date": "2027-03-10", "version": "1"}
    answer = client.post(reverse("todos:todo", args=[task.pk]), sent | {"status": "dropped"})
    clashes = re.findall(r'<dd class="pre">(.*?)</dd>', answer.text)
    assert clashes == ["Blocked", "Dropped", "9 March 2027", "10 March 2027", "Garden", "Yard"]


def test_a_dimension_changed_in_two_tabs_is_asked_in_place(client, actor, project):
    project_rows.edit_dimension(actor=actor, of=project, field="core_people_bonds", text="Theirs")
    address = url("dimension", project.pk, "core_people_bonds")
    answer = client.post(address, {"content": "Yours", "version": "1"}, headers=HTMX)
    assert answer.status_code == 422
    assert "Theirs" in words(answer)
    assert 'name="version" value="2"' in words(answer)
