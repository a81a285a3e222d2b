"""Registers the gateway to the model with Django."""

from __future__ import annotations

from django.apps import AppConfig


class LlmConfig(AppConfig):
    """The gateway's call ledger."""

    name = "futura.llm"
    label = "llm"
    verbose_name = "Language model"
    default_auto_field = "django.db.models.BigAutoField"
