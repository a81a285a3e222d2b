"""The world of the access tests as fixtures."""

from __future__ import annotations

import pytest

from tests.doors.world import World, make_world


@pytest.fixture
def world(alice, bob, charlie, stan, participant_of, browser) -> World:
    return make_world(alice, bob, participant_of, browser, charlie=charlie, stan=stan)


@pytest.fixture
def committed(transactional_db, world) -> World:
    """The same, visible to other threads too (asynchronous views read in their own)."""
    same: World = world
    return same
