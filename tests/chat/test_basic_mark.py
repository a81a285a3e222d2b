"""An answer that rules gave in the model's place says so, on every surface, and no other does."""

from __future__ import annotations

import pytest

from chat.sse import run_json
from tests.breaking.surfaces import SURFACES, converse
from tests.portfolio.conftest import portfolio
from tests.portfolio.visitors.conftest import filled, published

__all__ = ["converse", "filled", "portfolio", "published"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda item: item.name)
def test_an_answer_without_the_model_says_so_on_the_page_and_in_json(surface, converse, scripted):
    conversation = converse(surface)
    by_model = conversation.ask()
    assert not by_model.is_marked
    assert run_json(by_model.run)["basicMode"] is False
    scripted.on(surface.stage).refuse()
    by_rules = conversation.ask()
    assert by_rules.is_marked
    assert run_json(by_rules.run)["basicMode"] is True
