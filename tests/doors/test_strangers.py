"""What strangers find behind every address with an id: nothing."""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.doors.forms import STAFF
from tests.doors.world import MATRIX, METHODS, knock, stored

thorough = pytest.mark.thorough


@pytest.mark.parametrize(
    ("people", "is_thorough"),
    [
        (("charlie", "nobody"), False),
        pytest.param(("bob", "nobody", "stan"), True, marks=thorough),
    ],
)
def test_strangers_find_nothing_behind_any_address(committed, people, is_thorough):
    world = committed
    before, wrong = stored(), []
    for place, (route, who) in enumerate(product(MATRIX, people)):
        if route.name in STAFF:
            continue
        methods = METHODS if is_thorough else route.methods
        if who == "nobody" and not is_thorough:  # each door by the next of its methods
            methods = (methods[place // 2 % len(methods)],)
        for method in methods:
            sent = {"text": "in", "statement": "Steal", "to": "up", "sure": "yes", "card": "c-1"}
            answer = knock(world.clients[who], method, route.url(world.ids), sent)
            if answer.status_code not in {404, 405}:
                wrong.append((who, route.name, method, answer.status_code))
            elif answer.status_code == 404 and re.search(
                "Clean data|Hidden", answer.content.decode()
            ):
                wrong.append((who, route.name, method, "tells what it hides"))
    assert wrong == []
    assert stored() == before
