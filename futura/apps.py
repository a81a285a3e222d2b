"""Registers the platform with Django (management commands, checks)."""

from __future__ import annotations

from django.apps import AppConfig


class FuturaConfig(AppConfig):
    """The platform."""

    name = "futura"
    default_auto_field = "django.db.models.BigAutoField"
