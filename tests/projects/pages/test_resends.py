"""A form that makes something and comes again: the same in it is harmless, other values are not."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from chat.models import Session
from projects.models import Note, Project, Task
from projects.portfolio.models import Award, Entry, Portfolio
from tasks.models import SurveyResponse

pytestmark = pytest.mark.django_db
NAMED = re.compile('name="client_id" value="([^"]+)"')
FORMS = [
    ("/portfolio?new", "/portfolio", Portfolio, {
        "owner_name": "Mara", "domain_label": "potter", "kind": "individual", "slug": "mara-1",
    }),
    ("/portfolio/{portfolio}/entries", "", Entry, {"title": "Kiln"}),
    pytest.param("/portfolio/{portfolio}/records/awards/new",
                 "/portfolio/{portfolio}/records/awards",
                 Award, {"title": "Green Pot"}, marks=pytest.mark.thorough),
    pytest.param("/projects/new", "",
                 Project, {"name": "Shed", "todos": "Buy wood"}, marks=pytest.mark.thorough),
    ("/projects/{project}", "/projects/{project}/tasks", Task, {"title": "Buy wood"}),
    ("/survey", "", SurveyResponse, {"title": "Nurse", "occupation": "none"}),
    pytest.param("/projects/agent/new", "", Session, {"text": "Build a shed"},
                 marks=pytest.mark.thorough),
    pytest.param("/projects/{project}", "/projects/{project}/notes",
                 Note, {"content": "Oak, not pine."}, marks=pytest.mark.thorough),
]  # fmt: skip


@pytest.mark.parametrize(("page", "door", "kind", "values"), FORMS)
def test_a_form_that_comes_twice_makes_its_thing_once(
    browser, alice, make, page, door, kind, values
):
    client = browser(alice)
    names = {
        "portfolio": make("portfolio", slug="m", owner_name="M", domain_label="potter").pk,
        "project": make("project", name="Roof").pk,
    }
    page, door = page.format(**names), (door or page).format(**names)
    before = kind.objects.count()
    form = client.get(page).text.partition(f' action="{door}')[2]
    sent = values | {"client_id": NAMED.search(form)[1]}
    first, second = client.post(door, sent), client.post(door, sent)
    assert (first.status_code, first.url) == (302, second.url)
    assert kind.objects.count() == before + 1
    other = {n: value + "2" for n, value in values.items() if n not in ("kind", "occupation")}
    assert client.post(door, sent | other).url != first.url
    assert kind.objects.count() == before + 2


def test_a_newcomer_who_pressed_twice_owns_the_one_survey_that_began(db):
    client = Client()
    form = client.get("/survey").text.partition(' action="/survey"')[2]
    sent = {"title": "Nurse", "occupation": "none", "client_id": NAMED.search(form)[1]}
    first, second = Client().post("/survey", sent), client.post("/survey", sent)
    assert (first.status_code, first["Location"]) == (302, second["Location"])
    assert SurveyResponse.objects.count() == 1
    assert client.get(second["Location"]).status_code == 200


def test_while_redis_is_away_a_survey_begins_all_the_same(browser, alice, settings):
    nobody = {"BACKEND": "django.core.cache.backends.redis.RedisCache"}
    settings.CACHES = {"default": nobody | {"LOCATION": "redis://127.0.0.1:9/0"}}
    client = browser(alice)
    form = client.get("/survey").text.partition(' action="/survey"')[2]
    sent = {"title": "Nurse", "occupation": "none", "client_id": NAMED.search(form)[1]}
    assert client.post("/survey", sent).status_code == 302
    assert SurveyResponse.objects.count() == 1


def test_a_form_makes_its_thing_again_after_that_was_undone(browser, alice):
    client = browser(alice)
    sent = {"name": "Shed", "client_id": NAMED.search(client.get("/projects/new").text)[1]}
    first = client.post("/projects/new", sent)
    client.post(f"/projects/undo/{first.url.partition('done=')[2]}")
    assert not Project.objects.filter(deleted_at=None).exists()
    client.post("/projects/new", sent)
    assert Project.objects.filter(deleted_at=None).count() == 1
