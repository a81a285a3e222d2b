"""What every page of an entry does the same way: the door, the frame around it, notices."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from chat.identity import Identity, identity_of
from chat.operations.models import Operation, OperationBatch
from projects.portfolio.entries import queries
from projects.portfolio.entries.publishing import check
from projects.portfolio.models import Entry, Portfolio
from projects.views.answers import just_done


@dataclass(frozen=True)
class Opened:
    """An entry behind its door, and who came through."""

    identity: Identity
    entry: Entry

    @property
    def portfolio(self) -> Portfolio:
        """What it stands in."""
        return self.entry.portfolio

    def url(self, name: str) -> str:
        """A page of this entry."""
        return reverse(f"entries:{name}", args=[self.entry.portfolio_id, self.entry.pk])


def opened(request: HttpRequest, portfolio_id: uuid.UUID, entry_id: uuid.UUID) -> Opened:
    """The door: the caller's own entry of this very portfolio, or NotFound."""
    identity = identity_of(request)
    return Opened(identity, queries.entry_for(identity, entry_id, portfolio_id=portfolio_id))


def frame(request: HttpRequest, at: Opened, tab: str) -> dict[str, Any]:
    """What the head of every page of an entry needs."""
    done = just_done(request)
    return {
        "portfolio": at.portfolio,
        "entry": at.entry,
        "part": "entries",
        "tab": tab,
        "failed": check(at.entry),
        "done": done,
        "next": after_undo(request.path, done.batch if done else None, at.entry),
    }


def after_undo(path: str, batch: OperationBatch | None, entry: Entry) -> str:
    """Where an undo leads: not to an entry that it takes away."""
    made = Operation.Type.CREATE
    if batch and batch.operations.filter(entity="portfolio_entry", type=made).exists():
        return reverse("entries:list", args=[entry.portfolio_id])
    return path


def page(
    request: HttpRequest, at: Opened, tab: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    """One of the pages of an entry."""
    template = f"projects/portfolio/entries/{tab}.html"
    return render(request, template, {**frame(request, at, tab), **context}, status=status)
