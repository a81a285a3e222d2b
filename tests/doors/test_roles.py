"""Every address of staff, tried as each role: who holds the right gets in, the others are told."""

from __future__ import annotations

from futura.roles import RIGHTS as ALL, ROLES
from tests.doors.forms import RIGHTS
from tests.doors.world import OURS, knock, stored, undone
from tests.extent import every

# What the world's example behind an address wants beyond the address itself.
FURTHER = {"staff_operations:batch": "conversations"}  # a change of a project, in no survey
# Addresses to which each of these rights leads beside the one of RIGHTS.
OTHERWISE = {"campaigns:list": {"insights", "export"}, "staff": set(ALL)}
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


@every(12)
def test_a_page_of_staff_opens_to_its_roles_only(world, every):
    # what is private opens for a reason
    world.clients["stan"].post("/staff/changes/why", {"reason": "Asked by phone"})
    before = stored()
    for route in STAFF_ROUTES[::every]:
        with undone():
            _opens_to_its_roles_only(world, route)
            assert stored() == before, route.name


def _opens_to_its_roles_only(world, route):
    url, right = route.url(world.ids), RIGHTS[route.name]
    only_post = knock(world.clients["stan"], "get", url).status_code == 405
    method = "post" if only_post else "get"
    for who, held in HELD.items():
        answer = knock(world.clients[who], method, url)
        opening = {right, *OTHERWISE.get(route.name, ())}
        if opening & held and FURTHER.get(route.name, right) in {*held, right}:
            assert answer.status_code not in {403, 404, 405, 500}, (url, who)
        elif right in ALL:
            assert answer.status_code == 403, (url, who)
            assert "This needs the right to" in answer.text
        else:
            assert answer.status_code == 404, (url, who)
    for who in ("alice", "bob", "charlie"):
        assert knock(world.clients[who], method, url).status_code == 404, (url, who)
    answer = knock(world.clients["nobody"], method, url)
    assert answer.status_code == 302, url
    assert answer["Location"].startswith("/accounts/login/")
