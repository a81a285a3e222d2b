"""Registers the platform with Django (management commands, checks) and loads Celery with it."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate

from futura.celery import app as celery_app
from futura.telemetry import tracing

__all__ = ["FuturaConfig", "celery_app"]


class FuturaConfig(AppConfig):
    """The platform."""

    name = "futura"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Names fields, offers the metrics, keeps the roles; begins tracing where it is set up."""
        # models are there only now
        from futura import labels, roles
        from futura.telemetry import metrics

        labels.name_fields()
        metrics.register_platform()
        post_migrate.connect(roles.make_groups, sender=self)
        if settings.OTLP_ENDPOINT:
            try:
                tracing.begin()
            except ImportError as error:
                raise ImproperlyConfigured(
                    "FUTURA_OTLP_ENDPOINT is set, but the extra `telemetry` is not installed: "
                    "pip install 'futura[telemetry]'."
                ) from error
