"""Registers the onet app with Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from futura import evaluation


class OnetConfig(AppConfig):
    name = "onet"
    verbose_name = _("O*NET catalogue")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        evaluation.register("titles", "onet.evaluation.titles")
        evaluation.register("statements", "onet.evaluation.statements")
