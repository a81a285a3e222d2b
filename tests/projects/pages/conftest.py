"""Alice's browser, on pages of her projects."""

from __future__ import annotations

import pytest


@pytest.fixture
def client(alice, browser, actor):
    """Alice has things of her own."""
    return browser(alice)
