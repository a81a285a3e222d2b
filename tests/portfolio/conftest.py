"""A portfolio and its owner."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from projects.portfolio.models import Portfolio
from tests.portfolio.sources import README, Portfolio as Sources, repository


@pytest.fixture
def portfolio(make) -> Portfolio:
    made: Portfolio = make(
        "portfolio", slug="mara", owner_name="Mara Lindqvist", domain_label="software engineer"
    )
    return made


@pytest.fixture(scope="session")
def kiln(tmp_path_factory) -> Path:
    """The repository that every portfolio of these tests has; nobody changes it."""
    folder = tmp_path_factory.mktemp("repositories") / "mara" / "kiln"
    return repository(folder, {"README.md": README})


@pytest.fixture
def sources(tmp_path, kiln) -> Sources:
    """A folder with everything that a portfolio is read from."""
    return Sources(tmp_path, kiln)


@pytest.fixture
def preprocess(alice):
    """Runs the command as alice's; gives back what it printed."""

    def run(file, **options: Any) -> tuple[str, str]:
        out, err = io.StringIO(), io.StringIO()
        options = {"user": "alice", **options}
        call_command("portfolio_preprocess", str(file), stdout=out, stderr=err, **options)
        return out.getvalue(), err.getvalue()

    return run
