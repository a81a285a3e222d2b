"""Which things of a person are their sample workspace."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SampleWorkspace(models.Model):
    """What was made up for somebody to look at: ids of projects, to-dos and portfolios."""

    participant = models.OneToOneField(
        "chat.Participant", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    projects = models.JSONField(default=list)
    todos = models.JSONField(default=list)
    portfolios = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sample workspace")
        verbose_name_plural = _("sample workspaces")

    def __str__(self) -> str:
        return f"Sample workspace {str(self.pk)[:8]}"
