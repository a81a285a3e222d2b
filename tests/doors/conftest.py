"""The world of the access tests as fixtures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from chat.events.log import redis
from chat.identity import Identity
from futura import roles
from tests.doors.world import World, as_made, make_world
from tests.lasting import lasting
from tests.tables import put_starter_catalogue


def _make() -> World:
    def person(name: str, **more: bool) -> User:
        return User.objects.create_user(name, f"{name}@example.org", first_name=name, **more)

    def browser(user: User | None = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def staff(name: str, *groups: str) -> User:
        made = person(name, is_staff=True)
        made.groups.add(*Group.objects.filter(name__in=groups))
        return made

    people = {name: person(name) for name in ("alice", "bob", "charlie")}
    return make_world(
        people.pop("alice"),
        people.pop("bob"),
        lambda user: Identity(user_id=user.pk).participant(),
        browser,
        **people,
        stan=staff("stan", *roles.ROLES),
        rita=staff("rita", roles.REVIEWER),
        mona=staff("mona", roles.CAMPAIGN_MANAGER),
        newt=staff("newt"),
    )


@pytest.fixture(scope="module")
def _one_world(django_db_setup, django_db_blocker) -> Iterator[World]:
    """A world for a whole module, with the starter catalogue."""

    def make() -> World:
        made = _make()
        put_starter_catalogue()
        return made

    with lasting(django_db_blocker, make) as made:
        yield made


@pytest.fixture
def world(_one_world, db) -> World:
    """The module's world as it was made, with browsers of the test's own."""
    redis().flushall()
    return as_made(_one_world)


@pytest.fixture
def committed(transactional_db) -> World:
    """A world of the test's own that other threads see too (asynchronous views read in theirs)."""
    return _make()
