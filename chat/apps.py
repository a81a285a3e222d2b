"""Registers the chat app with Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("Conversations")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Reads the tokeniser that is set, so that a wrong one stops the start and no turn."""
        # models are there only now
        from chat import metrics
        from chat.memory import tokens
        from futura.telemetry.metrics import register

        tokens.count("")
        register("runs", metrics.runs)
