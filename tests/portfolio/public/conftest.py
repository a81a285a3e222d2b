"""An open portfolio and the page of a visitor."""

from __future__ import annotations

import pytest

from projects.portfolio.index.refresh import note, refresh
from tests.portfolio.open import fill, publish


@pytest.fixture
def opened(actor, portfolio):
    """Mara's portfolio, open to everybody, with its index."""
    fill(portfolio)
    note(portfolio.pk)
    refresh(portfolio.pk)
    return publish(actor, portfolio)
