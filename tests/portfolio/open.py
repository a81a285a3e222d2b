"""A portfolio that is open to visitors, small enough to make in a moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone

from chat.operations.changes import Actor, Create, Update
from chat.operations.execute import execute, raise_if_failed
from chat.operations.registry import operable
from projects.portfolio.models import Portfolio

TRAM = {
    "doc_id": "tram", "slug": "tram-times", "title": "Tram times", "status": "published",
    "summary": "Live departures for 214 vehicles on 31 lines.", "started": "2021-03",
    "ended": "2024-02", "tech_stack": ["Kafka", "Go"], "tags": ["streams"],
    "description": "I built the feed of the **tram operator** in Go.", "entry_type": "web service",
    "blocks": [
        {"type": "heading", "text": "How it went", "level": 2},
        {"type": "text", "text": "From vehicle to sign it took under four seconds."},
        {"type": "quote", "text": "It just works.", "said_by": "A driver"},
        {"type": "facts", "facts": [{"label": "Lines", "value": "31"}]},
    ],
    "private_notes": "Secret margin of the tram.",
}  # fmt: skip
DEPOT = {
    "doc_id": "depot", "slug": "depot", "title": "Depot planner", "status": "published",
    "summary": "Plans which tram sleeps where.", "tech_stack": ["Python"], "position": 1,
}  # fmt: skip
DRAFT = {"doc_id": "draft", "slug": "half", "title": "Half a thing", "summary": "Hidden draft."}
ACME = {
    "doc_id": "acme", "company": "Acme Corp", "title": "Senior engineer", "started": "2022-01",
    "is_current": True, "experience_type": "full_time", "location": "Stockholm",
    "bullets": ["Built the payment service in Go, used by 2 million customers."],
    "skills": ["Go", "Kubernetes"], "private_notes": "Secret salary.",
}  # fmt: skip
PROFILE = {
    "full_name": "Mara Lindqvist", "headline": "Engineer for quiet back ends",
    "location": "Gothenburg", "about": ["I build payment systems that people do not notice."],
    "social_links": [{"platform": "GitHub", "label": "GitHub", "url": "https://github.com/mara"}],
    "private_contact": ["mara@example.org"],
}  # fmt: skip


def add(portfolio: Portfolio, *new: Create) -> list[Any]:
    """Its owner's new rows, by one batch."""
    actor = Actor(portfolio.owner_id, user_id=portfolio.owner.user_id)
    of_it = [replace(row, values={"portfolio": portfolio.pk, **row.values}) for row in new]
    raise_if_failed(execute(actor=actor, changes=of_it, is_atomic=True))
    rows: dict[Any, Any] = {}
    for entity in {row.entity for row in of_it}:
        ids = [row.id for row in of_it if row.entity == entity]
        rows |= operable(entity).model._default_manager.in_bulk(ids)
    return [rows[row.id] for row in of_it]


def fill(portfolio: Portfolio) -> None:
    """Everything that a visitor can ask about, and something that nobody may see."""
    tram = Create("portfolio_entry", TRAM)
    add(
        portfolio,
        Create("portfolio_profile", PROFILE),
        tram,
        Create("portfolio_entry", DEPOT),
        Create("portfolio_entry", DRAFT),
        Create("portfolio_experience", {**ACME, "linked_entries": [str(tram.id)]}),
        Create("portfolio_skill", {"doc_id": "go", "name": "Go", "category": "language"}),
    )


def publish(actor: Actor, portfolio: Portfolio) -> Portfolio:
    """Opens it, as the desk does."""
    values = {"status": "published", "published_at": timezone.now()}
    execute(actor=actor, changes=[Update("portfolio", portfolio.pk, values)])
    portfolio.refresh_from_db()
    return portfolio
