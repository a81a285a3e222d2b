"""Registers the onet app with Django."""

from __future__ import annotations

from django.apps import AppConfig


class OnetConfig(AppConfig):
    """The onet app."""

    name = "onet"
    default_auto_field = "django.db.models.BigAutoField"
