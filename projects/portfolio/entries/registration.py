"""Plugs entries into the builder's conversation: their preview follows what is said there."""

from __future__ import annotations

from projects.portfolio.builder import panels
from projects.portfolio.entries.panel import fragments


def register_all() -> None:
    """Called once, when the app is ready."""
    panels.register(fragments)
