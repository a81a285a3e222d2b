"""Registers the platform with Django (management commands, checks) and loads Celery with it."""

from __future__ import annotations

from django.apps import AppConfig

from futura.celery import app as celery_app

__all__ = ["FuturaConfig", "celery_app"]


class FuturaConfig(AppConfig):
    """The platform."""

    name = "futura"
    default_auto_field = "django.db.models.BigAutoField"
