"""Registers the tasks app with Django."""

from __future__ import annotations

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The tasks app."""

    name = "tasks"
    default_auto_field = "django.db.models.BigAutoField"
