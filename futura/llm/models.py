"""The call ledger: one row for every attempt at a model call, good or bad."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from futura.llm.outcomes import Outcome


class ModelCall(models.Model):
    """One attempt. Holds no text of prompts or answers; NULL means unknown, never zero.

    Session and run are plain ids: the ledger outlives what they point to.
    """

    created_at = models.DateTimeField(_("started"))
    session_id = models.UUIDField(_("session"), null=True, blank=True)
    run_id = models.UUIDField(_("run"), null=True, blank=True)
    stage = models.CharField(_("stage"), max_length=60)
    prompt_version = models.CharField(_("prompt version"), max_length=60, blank=True)
    attempt = models.PositiveSmallIntegerField(_("attempt"))
    wire = models.CharField(_("wire"), max_length=20)
    model_asked = models.CharField(_("model asked"), max_length=120)
    model_returned = models.CharField(_("model returned"), max_length=120, blank=True)
    input_tokens = models.PositiveIntegerField(_("input tokens"), null=True, blank=True)
    cached_input_tokens = models.PositiveIntegerField(_("of these cached"), null=True, blank=True)
    output_tokens = models.PositiveIntegerField(_("output tokens"), null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(_("of these reasoning"), null=True, blank=True)
    cost_usd = models.DecimalField(
        _("cost in USD"), max_digits=14, decimal_places=8, null=True, blank=True
    )
    latency_ms = models.PositiveIntegerField(_("time in ms"))
    ttft_ms = models.PositiveIntegerField(_("first text after ms"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=24, choices=Outcome)
    error = models.CharField(_("error"), max_length=300, blank=True)
    request_id = models.CharField(_("request id"), max_length=120, blank=True)

    class Meta:
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")
        ordering = ["-id"]
        indexes = [
            # the calls of one session or run, on the staff pages
            models.Index(fields=["session_id", "created_at"], name="llm_call_session"),
            models.Index(fields=["run_id"], name="llm_call_run"),
            # cost and outcomes by stage over a period
            models.Index(fields=["created_at", "stage"], name="llm_call_period"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} #{self.attempt}: {self.outcome}"
