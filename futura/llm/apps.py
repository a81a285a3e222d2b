"""Registers the gateway to the model with Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LlmConfig(AppConfig):
    """The gateway's call ledger."""

    name = "futura.llm"
    label = "llm"
    verbose_name = _("Language model")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Reads the stages of every app, so that a broken file stops the start."""
        from futura.llm import stages  # which know the saved server, a model

        stages.all_stages()
