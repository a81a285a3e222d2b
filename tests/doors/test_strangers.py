"""What strangers find behind every address with an id: nothing."""

from __future__ import annotations

import re

import pytest

from tests.doors.forms import STAFF
from tests.doors.world import MATRIX, METHODS, knock, stored

thorough = pytest.mark.thorough


@pytest.mark.parametrize(
    ("who", "is_thorough"),
    [
        ("charlie", False), ("nobody", False),
        *(pytest.param(who, True, marks=thorough) for who in ("bob", "stan")),
    ],
)  # fmt: skip
def test_strangers_find_nothing_behind_any_address(committed, who, is_thorough):
    world, client = committed, committed.clients[who]
    before, wrong = stored(), []
    for route in MATRIX:
        if route.name in STAFF:
            continue
        for method in METHODS if is_thorough else route.methods:
            sent = {"text": "in", "statement": "Steal", "to": "up", "sure": "yes", "card": "c-1"}
            answer = knock(client, method, route.url(world.ids), sent)
            if answer.status_code not in {404, 405}:
                wrong.append((route.name, method, answer.status_code))
            elif answer.status_code == 404 and re.search(
                "Clean data|Hidden", answer.content.decode()
            ):
                wrong.append((route.name, method, "tells what it hides"))
    assert wrong == []
    assert stored() == before
