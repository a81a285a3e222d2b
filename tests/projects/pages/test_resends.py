"""A form that makes something and comes again: the same in it is harmless, other values are not."""

from __future__ import annotations

import re

import pytest

from projects.models import Note, Project
from projects.portfolio.models import Award, Entry, Portfolio

pytestmark = pytest.mark.django_db
NAMED = re.compile('name="client_id" value="([^"]+)"')
FORMS = [
    ("/portfolio?new", "/portfolio", Portfolio, {
        "owner_name": "Mara", "domain_label": "potter", "kind": "individual", "slug": "mara-1",
    }),
    ("/portfolio/{portfolio}/entries", "", Entry, {"title": "Kiln"}),
    ("/portfolio/{portfolio}/records/awards/new", "/portfolio/{portfolio}/records/awards",
     Award, {"title": "Green Pot"}),
    ("/projects/new", "", Project, {"name": "Shed", "todos": "Buy wood"}),
    ("/projects/{project}", "/projects/{project}/notes", Note, {"content": "Oak, not pine."}),
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
    sent = values | {"client_id": NAMED.search(client.get(page).text)[1]}
    first, second = client.post(door, sent), client.post(door, sent)
    assert (first.status_code, first.url) == (302, second.url)
    assert kind.objects.count() == before + 1
    other = {name: value + "2" for name, value in values.items() if name != "kind"}
    assert client.post(door, sent | other).url != first.url
    assert kind.objects.count() == before + 2


def test_a_form_makes_its_thing_again_after_that_was_undone(browser, alice):
    client = browser(alice)
    sent = {"name": "Shed", "client_id": NAMED.search(client.get("/projects/new").text)[1]}
    first = client.post("/projects/new", sent)
    client.post(f"/projects/undo/{first.url.partition('done=')[2]}")
    assert not Project.objects.filter(deleted_at=None).exists()
    client.post("/projects/new", sent)
    assert Project.objects.filter(deleted_at=None).count() == 1
