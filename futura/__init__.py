"""Futura's platform: settings, errors, limits, the gateway to the model, embedded services."""

from futura.celery import app as celery_app

__all__ = ["celery_app"]
