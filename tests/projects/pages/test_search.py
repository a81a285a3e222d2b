"""The search over everything: own rows only, by words, with ways to where they are."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.commands.base import Scope
from chat.operations.changes import Actor
from projects.commands.reads import SearchEverything
from tests import project_rows, todos

pytestmark = pytest.mark.django_db


@pytest.fixture
def things(actor):
    """A project with a note and a to-do, and one loose to-do, all about gutters."""
    project = project_rows.create_project(
        actor=actor, values={"name": "Roof", "core_goals_momentum": "New gutters before winter."}
    ).row
    todos.add(actor=actor, project=project, values={"title": "Order gutters", "tags": ["metal"]})
    todos.add(actor=actor, values={"title": "Call Ana", "details": "About the **gutters**."})
    todos.add_note(actor=actor, project=project, values={"text": "Gutters cost 300."})
    return project


def links(client, words):
    page = client.get("/search", {"q": words}).content.decode()
    rows = re.findall(r'<a href="([^"]*)" data-result>(.*?)</a>', page, re.DOTALL)
    plain = [(url, re.sub(r"(?s)<span.*|<[^>]+>", "", text).strip()) for url, text in rows]
    return {" ".join(text.split()): url for url, text in plain}


def test_all_kinds_of_own_things_are_found_and_link_to_their_pages(client, things):
    found = links(client, "gutters")
    assert set(found) == {"Order gutters", "Call Ana", "Roof", "Gutters cost 300."}
    assert next(iter(found)) == "Order gutters"
    for url in found.values():
        assert client.get(url).status_code == 200
    page = client.get("/search?q=gutters").content.decode()
    assert '<b class="found">gutters</b> before winter' in page
    assert list(links(client, "metal")) == ["Order gutters"]
    assert list(links(client, "order gut")) == ["Order gutters"]
    assert links(client, "gutters nowhere") == {}
    assert (
        "No results for “gutters nowhere”."
        in client.get("/search?q=gutters+nowhere").content.decode()
    )


def test_what_is_open_is_found_before_what_is_done(client, actor):
    todos.add(actor=actor, values={"title": "Clean gutters this year"})
    for year in range(8):
        done = todos.add(actor=actor, values={"title": f"Clean gutters {year}"}).row
        todos.complete(actor=actor, task=done)
    found = list(links(client, "gutters"))
    assert found[:2] == ["Clean gutters this year", "Clean gutters 7"]


def test_nobody_finds_what_is_anothers(client, things, bob, browser, participant_of):
    todos.add(actor=Actor(participant_of(bob).pk), values={"title": "Secret gutters"})
    assert "Secret gutters" not in links(client, "gutters")
    assert list(links(browser(bob), "gutters")) == ["Secret gutters"]
    assert links(browser(), "gutters") == {}


def test_pages_are_found_by_name_and_the_words_can_be_added_as_a_to_do(client):
    assert links(client, "portf") == {"Portfolio": "/portfolio"}
    page = client.get("/search?q=buy+milk").content.decode()
    assert "Add “buy milk” as a to-do" in page
    client.post("/todos/add", {"text": "buy milk", "next": "/todos"})
    assert "Buy milk" in links(client, "milk")


def test_the_box_gets_results_alone_and_empty_words_find_nothing(client, things):
    fragment = client.get("/search", {"q": "gutters"}, headers={"HX-Request": "true"})
    assert fragment.content.decode().lstrip().startswith('<div class="search-results"')
    assert links(client, "") == links(client, "***") == {}
    assert client.get("/search", {"q": "\x00" + "a" * 900}).status_code == 200


@pytest.mark.thorough
def test_the_number_of_queries_does_not_grow(client, actor, things):
    with CaptureQueriesContext(connection) as few:
        client.get("/search?q=gutters")
    for number in range(20):
        todos.add(actor=actor, values={"title": f"gutters {number}"})
    with CaptureQueriesContext(connection) as many:
        client.get("/search?q=gutters")
    assert len(many) == len(few)


def test_programs_and_pages_and_the_assistant_get_the_same_rows(client, me, things):
    answer = client.get("/api/search", {"q": "gutters"})
    assert answer.status_code == 200
    rows = answer.json()["matches"]
    assert {row["title"]: row["url"] for row in rows} == links(client, "gutters")
    roof = next(row for row in rows if row["kind"] == "project")
    assert (roof["id"], roof["excerpt"]) == (str(things.pk), "New gutters before winter.")
    read = SearchEverything(query="gutters").read(Scope(me))
    assert [(str(match.id), match.excerpt) for match in read.matches] == [
        (row["id"], row["excerpt"]) for row in rows
    ]
    assert client.get("/api/search").json() == {"matches": []}
