"""Finds documents of a portfolio for a question: words, meaning and recency together."""

from __future__ import annotations

from projects.portfolio.index.building import index_for
from projects.portfolio.index.searching import Index, shares

__all__ = ["Index", "index_for", "shares"]
