"""The stack that the engine's benches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bench.model import ModelProcess, running_model
from tests.bench.product import MeasuredStack
from tests.stack import running_stack


@pytest.fixture(scope="module")
def model(request: pytest.FixtureRequest) -> Iterator[ModelProcess]:
    """The module's model: `PIECES` pieces, `DELAY_MS` apart."""
    given = request.module
    with running_model(pieces=given.PIECES, delay_ms=given.DELAY_MS) as running:
        yield running


@pytest.fixture(scope="module")
def measured(model: ModelProcess) -> Iterator[MeasuredStack]:
    """The product on that model."""
    with running_stack(make=lambda folder: MeasuredStack(folder, model)) as running:
        assert isinstance(running, MeasuredStack)
        yield running
