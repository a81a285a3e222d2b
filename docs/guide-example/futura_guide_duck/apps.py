"""Registers the duck with Django and with Futura."""

from __future__ import annotations

from django.apps import AppConfig


class DuckConfig(AppConfig):
    """The duck; it has no tables."""

    name = "futura_guide_duck"

    def ready(self) -> None:
        """Its guide and its presenter."""
        from chat import guides, presenters
        from futura_guide_duck.guide import DuckGuide, DuckPresenter

        guides.register(DuckGuide())
        presenters.register(DuckPresenter())
