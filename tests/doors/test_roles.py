"""Every address of staff, tried as each role: who holds the right gets in, the others are told."""

from __future__ import annotations

import pytest

from futura.roles import RIGHTS as ALL, ROLES
from tests.doors.forms import RIGHTS
from tests.doors.world import OURS, knock, stored
from tests.extent import some

# What the world's example behind an address wants beyond the address itself.
FURTHER = {"staff_operations:batch": "conversations"}  # a change of a project, in no survey
# Addresses to which each of these rights leads beside the one of RIGHTS.
OTHERWISE = {"campaigns:list": {"insights", "export"}}
STAFF_ROUTES = [item for item in OURS if item.name in RIGHTS]
HELD = {
    "stan": set(ALL),
    "rita": set(ROLES["reviewer"]),
    "mona": set(ROLES["campaign manager"]),
    "newt": set(),
}


def test_every_address_of_staff_asks_for_a_right(world):
    known = [item for item in OURS if item.parameters <= set(world.ids)]
    staff = {item.name for item in known if item.url(world.ids).startswith("/staff")}
    assert staff == set(RIGHTS), "say in RIGHTS (forms.py) which right it asks for"
    assert {route.name for route in STAFF_ROUTES} == set(RIGHTS)


@pytest.mark.parametrize("route", some(STAFF_ROUTES, 3), ids=lambda item: item.name)
def test_a_page_of_staff_opens_to_its_roles_only(world, route):
    url, right = route.url(world.ids), RIGHTS[route.name]
    if route.name in FURTHER:  # private: opens for a reason
        world.clients["stan"].post("/staff/changes/why", {"reason": "Asked by phone"})
    before = stored()
    only_post = knock(world.clients["stan"], "get", url).status_code == 405
    method = "post" if only_post else "get"
    for who, held in HELD.items():
        answer = knock(world.clients[who], method, url)
        opening = {right, *OTHERWISE.get(route.name, ())}
        if opening & held and FURTHER.get(route.name, right) in {*held, right}:
            assert answer.status_code not in {403, 404, 405, 500}, who
        elif right in ALL:
            assert answer.status_code == 403, who
            assert "Ask an administrator" in answer.text
        else:
            assert answer.status_code == 404, who
    for who in ("alice", "bob", "charlie"):
        assert knock(world.clients[who], method, url).status_code == 404
    answer = knock(world.clients["nobody"], method, url)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")
    assert stored() == before
