"""Registers the onet app with Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from futura import evaluation
from futura.errors import BadInput


class OnetConfig(AppConfig):
    name = "onet"
    verbose_name = _("O*NET catalogue")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Refuses a space that nothing can make: the start is stopped, and not the search."""
        from onet.embeddings import LEXICAL, check_name  # which know models

        try:
            check_name(settings.EMBEDDINGS or LEXICAL)
        except BadInput as error:
            raise ImproperlyConfigured(f"FUTURA_EMBEDDINGS: {error}") from error
        evaluation.register("titles", "onet.evaluation.titles")
        evaluation.register("statements", "onet.evaluation.statements")
