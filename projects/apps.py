"""Registers projects with Django and with the ledger."""

from __future__ import annotations

from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    """Projects, drafts, to-dos, notes."""

    name = "projects"
    verbose_name = "Projects"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tells the engine which models change through operations."""
        from projects import operables

        operables.register_all()
