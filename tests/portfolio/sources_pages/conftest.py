"""A portfolio, its owner's browser, and the work done at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.events.log import redis
from projects.portfolio.models import Portfolio, Source
from tests.portfolio.sources import RESUME, pdf_of


@pytest.fixture(autouse=True)
def _nothing_counted(db) -> None:
    redis().flushall()


@pytest.fixture
def page(browser, alice) -> Client:
    client: Client = browser(alice)
    return client


@pytest.fixture
def give(page, portfolio, drain) -> Callable[..., Source]:
    """Sends one of the forms of the sources, lets the workers work, and confirms."""

    def send(kind: str, *, at_once: bool = True, confirmed: bool = True, **form: Any) -> Source:
        answer = page.post(f"/portfolio/{portfolio.pk}/sources/give/{kind}", form)
        assert answer.status_code == 302, answer.content.decode()
        if at_once:
            drain()
        given = Source.objects.filter(portfolio=portfolio).exclude(kind="corpus")
        source = given.latest("given_at")
        if at_once and confirmed:
            confirm(page, source)
            drain()
            source.refresh_from_db()
        return source

    return send


def confirm(page: Client, source: Source) -> None:
    """Confirms what was read from a resume, where it waits for that; what lacks is left out."""
    if source.outcome == Source.Outcome.CHECK:
        form = {"do": "confirm", "incomplete": "leave"}
        url = f"/portfolio/{source.portfolio_id}/sources/{source.pk}/check"
        assert page.post(url, form).status_code == 302


def resume_file(text: str = RESUME, name: str = "resume.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, pdf_of(text), "application/pdf")


def rows(model: Any, portfolio: Portfolio) -> list[Any]:
    return list(model._default_manager.filter(portfolio=portfolio, deleted_at=None))
