"""Who gets through which door, for every address there is.

The matrix is made from the URL configuration: a new route with ids it knows is covered at once; one
with other ids, or a form without its fields in `FORMS`, fails until it is listed in `forms.py`.
"""

from __future__ import annotations

import uuid
from itertools import product

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.doors.forms import EXEMPT, FORMS, IDS, STAFF
from tests.doors.world import (
    MATRIX,
    METHODS,
    OPEN,
    OURS,
    Route,
    World,
    as_made,
    knock,
    stored,
    undone,
)
from tests.extent import every


def test_every_route_with_an_id_is_known_to_the_matrix():
    strange = {route.name for route in MATRIX if not route.parameters <= IDS}
    assert strange == set(), "teach IDS the new parameter, or list the route in EXEMPT with why"
    assert len(MATRIX) > 25
    known = {route.name for route in OURS}
    assert set(EXEMPT) | STAFF <= known


def test_bobs_own_session_is_no_way_to_what_is_alices(world):
    before, wrong = stored(), []
    ids = world.ids | {"session_id": world.bobs["session_id"]}
    sent = {"statement": "Steal", "statements": "a b\nc d", "to": "up", "candidate": "none",
            "card": "c-1", "others": [str(world.bobs["task_id"])], "time_share": "3"}  # fmt: skip
    for route in (item for item in MATRIX if {"session_id"} < item.parameters):
        for method in route.methods:
            answer = knock(world.clients["bob"], method, route.url(ids), sent)
            if answer.status_code not in {404, 405}:
                wrong.append((route.name, method, answer.status_code))
    assert wrong == []
    assert stored() == before


@every(16)
def test_owners_get_in_and_unknown_or_malformed_ids_are_404(world, every):
    for route in MATRIX[::every]:
        with undone():
            _owner_gets_in(as_made(world), route)


def _owner_gets_in(world: World, route: Route) -> None:
    client = world.clients["stan" if route.name in STAFF else "alice"]
    answers = {}
    for method in route.methods:
        answers[method] = knock(client, method, route.url(world.ids)).status_code
        assert answers[method] != 500, (route.name, method)
    if route.name != "api:session_events":  # reads in a thread of its own; see the test of streams
        assert set(answers.values()) - {404, 405}, (route.name, answers)
    taken = [method for method, status in answers.items() if status != 405]
    for parameter in route.parameters:
        unknown, malformed = _wrong(world, route, parameter)
        for method in taken:
            assert knock(client, method, unknown).status_code == 404, (unknown, method)
        assert knock(client, "get", malformed).status_code == 404, malformed


def _wrong(world: World, route: Route, parameter: str) -> tuple[str, str]:
    """Addresses with an id that nothing has, and with one that is none."""
    unknown = route.url(world.ids | {parameter: uuid.uuid4()})
    return unknown, route.url(world.ids).replace(str(world.ids[parameter]), "not-an-id")


@every(9)
def test_addresses_without_an_id_never_break_and_reading_makes_no_rows(world, every):
    before, wrong = stored(), []
    for route, who in product(OPEN[::every], ("alice", "nobody")):
        others = ("patch", "put", "delete") if route.methods == METHODS else ()
        with undone():
            wrong += [
                (route.name, who, method)
                for method in ("get", *others, "head", "options")
                if knock(world.clients[who], method, route.url({})).status_code == 500
            ]
            if stored() != before:
                wrong.append((route.name, who, "makes rows"))
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["stan", "newt"])
def test_addresses_without_an_id_break_for_no_staff(world, who):
    """By the methods, too, that pages do not take."""
    before, wrong = stored(), []
    for route in OPEN:
        with undone():
            wrong += [
                (route.name, method)
                for method in ("get", "patch", "put", "delete", "head", "options")
                if knock(world.clients[who], method, route.url({})).status_code == 500
            ]
            if stored() != before:
                wrong.append((route.name, "makes rows"))
    assert wrong == []


@pytest.mark.parametrize(
    "people", [("charlie",), pytest.param(("nobody", "stan"), marks=pytest.mark.thorough)]
)
def test_the_admin_lets_no_stranger_near_a_row(world, people):
    for model in admin.site._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        key = model._base_manager.values_list("pk", flat=True).first() or uuid.uuid4()
        for action in ("change", "delete", "history"):
            url = reverse(f"{base}_{action}", args=[key])
            for who in people:
                for method in ("get", "post"):
                    status = knock(world.clients[who], method, url).status_code
                    # the first door leads to signing in; staff without the right is refused
                    wanted = {302, 403, 404, 405} if who == "stan" else {302}
                    assert status in wanted, (url, who, method)


def test_every_form_has_its_fields_listed(world):
    unlisted = []
    for route in OURS:
        if route.name in FORMS or route.name in EXEMPT or route.name.startswith("api:"):
            continue
        with undone():
            if knock(world.clients["alice"], "post", route.url(world.ids)).status_code != 405:
                unlisted.append(route.name)
    # these answer a POST like a GET
    assert set(unlisted) <= {
        "healthz", "readyz",
        "account_email_verification_sent", "account_reset_password_done",
        "account_reset_password_from_key_done",
    }  # fmt: skip
