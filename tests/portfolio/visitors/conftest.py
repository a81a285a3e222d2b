"""Portfolios with an index, questions to them in process, and by the API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.models import Run
from chat.operations.changes import Create
from chat.runs.perform import perform
from projects.portfolio.documents import documents_of
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.models import Award, Education, Entry, Experience, Portfolio, Profile, Skill
from tests.portfolio.open import add

ENTRIES = (
    {
        "doc_id": "kiln", "slug": "kiln", "title": "Kiln", "status": "published",
        "summary": "A scheduler for pottery kilns.",
        "description": "I built it for 40 studios in Sweden. It plans firings overnight.",
        "languages": ["Go"], "tech_stack": ["PostgreSQL"], "started": "2021-03",
        "ended": "2022-06",
    },
    {
        "doc_id": "tides", "slug": "tides", "title": "Tides", "status": "published",
        "summary": "A map of tides for the harbour museum.",
        "description": "Visitors touch a table and see the water rise.",
        "languages": ["TypeScript"], "tech_stack": ["React"], "started": "2023-01",
    },
    {
        "doc_id": "ledger", "slug": "ledger", "title": "Ledger Service", "status": "published",
        "summary": "Payments for a chain of bakeries.",
        "description": "It settles 1,200 payments a day.",
        "languages": ["Go", "Python"], "started": "2019-02", "ended": "2020-11",
    },
)  # fmt: skip
POSITIONS = (
    {
        "doc_id": "exp-acme", "company": "Acme Corp", "title": "Senior Engineer",
        "location": "Stockholm, Sweden", "started": "2022-01", "is_current": True,
        "experience_type": "full_time", "bullets": ["Run the payment service in Go."],
        "skills": ["Go", "Kubernetes"],
    },
    {
        "doc_id": "exp-npr", "company": "NPR", "title": "Intern",
        "location": "Washington, D.C.", "started": "2018-06", "ended": "2018-08",
        "experience_type": "internship", "bullets": ["Built charts for the news desk."],
        "skills": ["JavaScript"],
    },
)  # fmt: skip

EDUCATION = {
    "doc_id": "edu", "institution": "Chalmers", "degree": "MSc", "field": "Computer Science",
    "started": "2014", "ended": "2018",
}  # fmt: skip
PROFILE = {
    "full_name": "Mara Lindqvist", "headline": "Engineer for quiet back ends.",
    "location": "Gothenburg, Sweden",
    "about": ["I build systems that people do not notice. I do not work with Java."],
    "private_contact": ["mara@example.org"],
}  # fmt: skip


@pytest.fixture
def filled(portfolio) -> Portfolio:
    """Mara's portfolio with three projects, two positions, a profile; published, indexed."""
    return fill(portfolio)


def fill(portfolio: Portfolio) -> Portfolio:
    """Gives a portfolio its rows and an index in the lexical space."""
    rows = add(
        portfolio,
        *(Create("portfolio_entry", entry) for entry in ENTRIES),
        *(Create("portfolio_experience", position) for position in POSITIONS),
        Create("portfolio_education", EDUCATION),
        Create("portfolio_skill", {"doc_id": "s-go", "name": "Go", "category": "language"}),
        Create("portfolio_profile", PROFILE),
    )
    index(portfolio, rows, {"exp-acme": ["tides"]})
    return portfolio


def index(portfolio: Portfolio, rows: list[Any] | None = None, links: Any = None) -> None:
    """Builds the index anew, of these rows or of all that there are."""
    if rows is None:
        models = (Entry, Experience, Education, Award, Skill, Profile)
        rows = [item for model in models for item in model.objects.filter(portfolio=portfolio)]
    building.store(portfolio, documents_of(rows, links or {}), Vectors("lexical", {}))


@pytest.fixture
def published(filled, actor) -> Portfolio:
    """The same, open to visitors."""
    from chat.operations.changes import Update
    from chat.operations.execute import execute, raise_if_failed

    raise_if_failed(
        execute(
            actor=actor,
            changes=[Update("portfolio", filled.pk, {"status": Portfolio.Status.PUBLISHED})],
        )
    )
    filled.refresh_from_db()
    return filled


class _From(AsyncClient):
    """A client at an address; at none that is known for an empty one."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        scope: dict[str, Any] = super()._base_scope(**request)
        return {**scope, "client": [self.address, 0] if self.address else None}


Events = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def ask(published) -> Callable[..., Events]:
    """Posts a question, does the run meanwhile, gives the events; or the answer that is none."""

    async def read(body: dict[str, Any], query: str, address: str) -> Any:
        client = _From(address)
        answer = await client.post(
            f"/api/portfolio/chat{query}", body, content_type="application/json"
        )
        if not answer.streaming:
            return answer
        work = asyncio.create_task(sync_to_async(_work, thread_sensitive=False)())
        raw = b"".join([chunk async for chunk in answer.streaming_content])  # type: ignore[attr-defined]
        await work
        return events_in(raw.decode())

    def post(text: str, *, anchor: str = "a-1", query: str = "", address: str = "127.0.0.1",
             **more: Any) -> Any:  # fmt: skip
        body = {
            "ownerId": published.slug,
            "conversationId": "6f1c0f5e-2f51-4f5d-9b6a-0f7f7f1d2c3b",
            "messages": [{"role": "user", "content": text}],
            "responseAnchorId": anchor,
            **more,
        }
        return asyncio.run(read(body, query, address))

    return post


def _work() -> None:
    for run in Run.objects.filter(status=Run.Status.QUEUED).order_by("created_at"):
        perform(run.pk)


def events_in(raw: str) -> Events:
    """Names and payloads of a stream, comments left out."""
    found: Events = []
    for block in raw.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
