"""Sums of campaigns as they are kept between two countings."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.models import Campaign


class Insight(models.Model):
    """What a selection of a campaign's people adds up to: a stored `Report`, and its age."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="insights")
    selection = models.CharField(max_length=600, blank=True, help_text="Empty: everybody.")
    report = models.JSONField(null=True, blank=True)
    stamp = models.CharField(max_length=200, blank=True, help_text="State of what was counted.")
    made_at = models.DateTimeField(null=True, blank=True)
    wanted_at = models.DateTimeField(null=True, blank=True, help_text="Somebody waits for it.")
    asked_at = models.DateTimeField(default=timezone.now, help_text="When it was last looked at.")

    class Meta:
        verbose_name = _("insight")
        verbose_name_plural = _("insights")
        constraints = [
            models.UniqueConstraint(fields=["campaign", "selection"], name="tasks_insight_once")
        ]

    def __str__(self) -> str:
        return self.selection or "everybody"
