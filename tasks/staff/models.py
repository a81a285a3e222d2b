"""What a second reviewer chose for a match, blind, and how a disagreement was settled."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SecondCoding(models.Model):
    """One match coded again by somebody who did not see what it was matched to.

    Codes are ids of catalogue statements, empty for "no good match"; `first_code` is what stood
    when the second one was given.
    """

    class Settled(models.TextChoices):
        FIRST = "first", _("First coding kept")
        SECOND = "second", _("Second coding used")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.OneToOneField(
        "tasks.TaskMatch", on_delete=models.CASCADE, related_name="second_coding"
    )
    first_code = models.CharField(max_length=20, blank=True)
    first_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    second_code = models.CharField(max_length=20, blank=True)
    second_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    settled = models.CharField(max_length=8, choices=Settled, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "tasks"
        verbose_name = _("second coding")
        verbose_name_plural = _("second codings")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.first_code or '–'} / {self.second_code or '–'}"

    @property
    def agrees(self) -> bool:
        return self.first_code == self.second_code
