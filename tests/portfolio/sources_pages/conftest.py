"""A portfolio, its owner's browser, and the work done at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.events.connection import redis
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
    """Sends one of the forms of the sources and lets the workers work."""

    def send(kind: str, *, at_once: bool = True, **form: Any) -> Source:
        answer = page.post(f"/portfolio/{portfolio.pk}/sources/give/{kind}", form)
        assert answer.status_code == 302, answer.content.decode()
        if at_once:
            drain()
        given = Source.objects.filter(portfolio=portfolio).exclude(kind="corpus")
        return given.latest("given_at")

    return send


def resume_file(text: str = RESUME, name: str = "resume.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, pdf_of(text), "application/pdf")


def rows(model: Any, portfolio: Portfolio) -> list[Any]:
    return list(model._default_manager.filter(portfolio=portfolio, deleted_at=None))
