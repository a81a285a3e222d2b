"""The tail of a long text is never lost: what a model saw cut, or not at all, it cannot replace."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from chat.operations.changes import Actor, Create
from chat.operations.execute import execute
from projects.models import Project, Task
from projects.modes.rows import TASKS_SHOWN
from tests import todos
from tests.extent import some
from tests.scripted import ScriptedCall

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "\n".join(f"Line {n}: the pump of hall {n} runs on its own meter." for n in range(60))
TAIL = "Line 59: the pump"
FIELD = "core_reality_understanding"


@pytest.fixture
def say(alice, update):
    """Says something over HTTP in an updating conversation about a project."""
    client = Client()
    client.force_login(alice)

    def begin(project: Project):
        talk = update(project)

        def send(text: str) -> str:
            client.post(reverse("chat:send", args=[talk.id]), {"text": text})
            talk.drain()
            return talk.reply

        return send

    return begin


def replacing(project: Project, text: str = "All new.", field: str = FIELD) -> ScriptedCall:
    given = {"id": str(project.pk), "version": project.version, field: text}
    return ScriptedCall("change_project", given)


def adding(project: Project, text: str = "All new.", field: str = FIELD) -> ScriptedCall:
    part = {"field": field, "text": text}
    return ScriptedCall("change_project", {"id": str(project.pk), "parts": [part]})


def reading(project: Project) -> ScriptedCall:
    return ScriptedCall("read_project", {"id": str(project.pk)})


def results(scripted, number: int = 1) -> str:
    return json.dumps(scripted.of("agent_tools")[number].body)


def test_a_dimension_that_was_shown_cut_is_not_replaced(scripted, made, say):
    project = made(**{FIELD: LONG})
    scripted.on("agent_tools").calls(replacing(project)).calls(adding(project)).text("I added it.")
    say(project)("today everything is new")
    project.refresh_from_db()
    assert project.core_reality_understanding == f"{LONG}\n\nAll new."
    assert "not read to its end" in results(scripted)
    shown = scripted.of("agent_tools")[0].text
    assert TAIL not in shown
    assert f"[cut: 1,500 of {len(LONG):,} characters; read_project shows all]" in shown


def test_what_is_open_is_shown_beside_a_year_of_what_is_done(scripted, made, say, owner):
    project = made()
    done = [
        Create("task", {"title": f"Water {day}", "project": project.pk, "status": "completed"})
        for day in range(TASKS_SHOWN)
    ]
    water = Create("task", {"title": "Water tomorrow", "project": project.pk, "position": 9})
    assert execute(actor=Actor(owner.pk), changes=[*done, water]).status == "completed"
    scripted.on("agent_tools").text("All is well.")
    say(project)("how do things stand?")
    shown = scripted.of("agent_tools")[0].text
    assert "Water tomorrow" in shown
    assert f"[cut: {TASKS_SHOWN} of {TASKS_SHOWN + 1} to-dos; list_todos shows all]" in shown


def test_after_reading_it_whole_it_is_replaced(scripted, made, say):
    project = made(**{FIELD: LONG})
    scripted.on("agent_tools").calls(reading(project)).calls(replacing(project)).text("Rewritten.")
    say(project)("rewrite how things stand")
    project.refresh_from_db()
    assert project.core_reality_understanding == "All new."
    assert TAIL in results(scripted)


def test_what_was_read_in_an_earlier_turn_has_to_be_read_again(scripted, made, say):
    project = made(**{FIELD: LONG})
    scripted.on("agent_tools").calls(reading(project)).text("It is long.").calls(
        replacing(project)
    ).text("It stays.")
    send = say(project)
    send("how do things stand?")
    send("rewrite it")
    project.refresh_from_db()
    assert project.core_reality_understanding == LONG


def test_a_short_dimension_that_was_shown_whole_is_replaced_as_before(scripted, made, say):
    project = made(**{FIELD: "Two pumps."})
    scripted.on("agent_tools").calls(replacing(project, "Three pumps.")).text("Three now.")
    say(project)("there are three pumps now")
    project.refresh_from_db()
    assert project.core_reality_understanding == "Three pumps."


@pytest.mark.parametrize("field", some(["description", "context", "executive_summary"], 3))
def test_context_summary_and_a_cut_description_keep_their_ends(scripted, made, say, field):
    project = made(**{field: LONG})
    scripted.on("agent_tools").calls(replacing(project, field=field)).calls(
        adding(project, "And more.", field)
    ).text("I added it.")
    say(project)("note that")
    project.refresh_from_db()
    assert getattr(project, field) == f"{LONG}\n\nAnd more."
    assert "not read to its end" in results(scripted)


def test_details_of_a_task_are_read_before_they_are_replaced(scripted, made, say):
    project = made()
    given = {"title": "Write the copy", "details": LONG}
    todos.add(actor=Actor(project.owner_id), project=project, values=given)
    copy = str(Task.objects.get().pk)
    scripted.on("agent_tools").calls(
        ScriptedCall("change_todos", {"ids": [copy], "details": "All new."})
    ).calls(ScriptedCall("change_todos", {"ids": [copy], "append_details": "More."})).text(
        "I added it."
    ).calls(ScriptedCall("read_todo", {"id": copy})).calls(
        ScriptedCall("change_todos", {"ids": [copy], "details": "Short."})
    ).text("Rewritten.")
    send = say(project)
    send("add to the copy")
    assert Task.objects.get().details == f"{LONG}\n\nMore."
    send("shorten the details of the copy")
    assert Task.objects.get().details == "Short."


def test_the_longest_message_reaches_the_model_whole_in_any_script(create, scripted):
    half = "新しい工場の計画です。" * 2_200
    create(text=f"{half}真ん中の一行。{half}")
    assert "真ん中の一行" in scripted.of("answer_reading")[0].text
