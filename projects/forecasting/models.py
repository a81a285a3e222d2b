"""The record of a forecast: what it was computed from, what it said, and later how good it was."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Standing(models.Manager["Forecast"]):
    """Those that nobody has deleted."""

    def get_queryset(self) -> models.QuerySet[Forecast]:
        return super().get_queryset().filter(deleted_at=None)


class Forecast(models.Model):
    """One forecast of a project's finish. It is kept as it was made; only its score comes later.

    A deleted one can be taken back; `objects` does not show it.

    `inputs` is an `Inputs` and `results` a `Result` as JSON, `told` the scenarios in words
    (an `Explanation`), `variants` the "what if" answers that belong to it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("chat.Participant", on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "projects.Project", on_delete=models.CASCADE, related_name="forecasts"
    )
    session = models.ForeignKey(
        "chat.Session", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    run = models.OneToOneField(
        "chat.Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    situation = models.TextField(blank=True)
    inputs = models.JSONField()
    results = models.JSONField()
    told = models.JSONField(default=dict)
    variants = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    scored_at = models.DateTimeField(null=True, blank=True)
    actual_finish = models.DateField(null=True, blank=True)
    score = models.FloatField(
        null=True, blank=True, help_text=_("Days by which it was off, sureness counted; 0 is best.")
    )
    fell_at = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Per cent of the runs that were done by the real day.")
    )

    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = Standing()
    with_deleted = models.Manager["Forecast"]()

    class Meta:
        verbose_name = _("forecast")
        verbose_name_plural = _("forecasts")
        indexes = [
            # a project's forecasts, newest first
            models.Index(fields=["project", "-created_at"], name="projects_forecast_list"),
            # those of finished projects that nobody judged yet
            models.Index(
                fields=["project"], condition=Q(scored_at=None), name="projects_forecast_unscored"
            ),
        ]

    def __str__(self) -> str:
        return f"forecast {str(self.id)[:8]}"
