"""Registers the relay, and lifts the rates that a burst from one address would run into."""

from __future__ import annotations

from django.apps import AppConfig

from futura import limits

UNLIMITED = 1_000_000


class BenchConfig(AppConfig):
    """The bench's app; it has no tables."""

    name = "tests.bench.app"
    label = "bench"

    def ready(self) -> None:
        from chat import guides, presenters
        from tests.bench.app.relay import RelayGuide, RelayPresenter

        guides.register(RelayGuide())
        presenters.register(RelayPresenter())
        setattr(limits, "MESSAGES_PER_MINUTE", UNLIMITED)  # noqa: B010 (a constant elsewhere)
