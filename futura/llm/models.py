"""The call ledger, one row for every attempt at a model call; and what a month may cost."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
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


class AnswerCheck(models.Model):
    """How many items of a stage's answers were used on one day, or refused for one reason.

    Sums only, without a conversation: nothing here belongs to a person.
    """

    USED = ""

    day = models.DateField(_("day"))
    stage = models.CharField(_("stage"), max_length=60)
    reason = models.CharField(
        _("reason"), max_length=60, blank=True, help_text=_("Why they were refused; empty: used.")
    )
    items = models.PositiveIntegerField(_("items"), default=0)

    class Meta:
        verbose_name = _("check of answers")
        verbose_name_plural = _("checks of answers")
        ordering = ["-day", "stage", "reason"]
        constraints = [
            models.UniqueConstraint(fields=["day", "stage", "reason"], name="llm_check_once")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.stage}: {self.items} {self.reason or 'used'}"


class BudgetMonth(models.Model):
    """What one budget has spent, and holds back for calls under way, in one calendar month (UTC).

    Written only by `futura.llm.budget`, by conditional updates of the row.
    """

    class Level(models.IntegerChoices):
        OK = 0, _("within its limits")
        WARN = 1, _("getting short")
        CRITICAL = 2, _("nearly used up")
        EXCEEDED = 3, _("used up")

    scope = models.CharField(_("budget"), max_length=40)
    month = models.DateField(_("month"), help_text=_("Its first day."))
    spent_usd = models.DecimalField(_("spent in USD"), max_digits=16, decimal_places=8, default=0)
    estimated_usd = models.DecimalField(
        _("of these estimated"),
        max_digits=16,
        decimal_places=8,
        default=0,
        help_text=_("For calls that broke off before they told their tokens."),
    )
    reserved_usd = models.DecimalField(
        _("held back in USD"), max_digits=16, decimal_places=8, default=0
    )
    unknown_calls = models.PositiveIntegerField(_("calls of unknown price"), default=0)
    full_at_usd = models.DecimalField(
        _("full at a cap of"),
        max_digits=16,
        decimal_places=8,
        null=True,
        blank=True,
        help_text=_("The cap under which a call no longer fitted."),
    )
    told = models.PositiveSmallIntegerField(_("told up to"), choices=Level, default=Level.OK)

    class Meta:
        verbose_name = _("budget of a month")
        verbose_name_plural = _("budgets by month")
        ordering = ["-month", "scope"]
        constraints = [
            models.UniqueConstraint(fields=["scope", "month"], name="llm_budget_scope_month"),
            models.CheckConstraint(
                condition=Q(spent_usd__gte=0) & Q(reserved_usd__gte=0), name="llm_budget_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.month:%Y-%m}: {self.spent_usd} USD"


class BudgetReservation(models.Model):
    """What is held back for one attempt under way; after its time it no longer counts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    month = models.ForeignKey(BudgetMonth, on_delete=models.CASCADE, related_name="reservations")
    amount_usd = models.DecimalField(_("held back in USD"), max_digits=16, decimal_places=8)
    expires_at = models.DateTimeField(_("counts until"))

    class Meta:
        verbose_name = _("reservation")
        verbose_name_plural = _("reservations")
        # those of a month whose time is over
        indexes = [models.Index(fields=["month", "expires_at"], name="llm_reservation_expiry")]

    def __str__(self) -> str:
        return f"{self.amount_usd} USD until {self.expires_at:%H:%M:%S}"


class BudgetNotice(models.Model):
    """A threshold that a month's spending has reached, and when the admins were mailed of it."""

    month = models.ForeignKey(BudgetMonth, on_delete=models.CASCADE, related_name="notices")
    level = models.PositiveSmallIntegerField(_("level"), choices=BudgetMonth.Level)
    spent_usd = models.DecimalField(_("spent by then"), max_digits=16, decimal_places=8)
    crossed_at = models.DateTimeField(_("reached"), default=timezone.now)
    mailed_at = models.DateTimeField(_("mailed"), null=True, blank=True)

    class Meta:
        verbose_name = _("budget notice")
        verbose_name_plural = _("budget notices")
        ordering = ["month", "level"]
        constraints = [
            models.UniqueConstraint(fields=["month", "level"], name="llm_notice_once"),
        ]

    def __str__(self) -> str:
        return f"{self.month}: {self.get_level_display()}"


class ModelServer(models.Model):
    """The model server that administrators set up on the page; one row, written by
    `futura.llm.server`. The environment's wins over it.
    """

    class Provider(models.TextChoices):
        OPENAI = "openai", "OpenAI"
        OLLAMA = "ollama", _("Ollama on this machine")
        LMSTUDIO = "lmstudio", _("LM Studio on this machine")
        LLAMACPP = "llamacpp", _("llama.cpp on this machine")
        OTHER = "other", _("Another server")

    provider = models.CharField(_("provider"), max_length=12, choices=Provider)
    base_url = models.CharField(_("address"), max_length=300, blank=True)
    model = models.CharField(_("model"), max_length=120, blank=True)
    wire = models.CharField(_("protocol"), max_length=12, default="chat")
    sealed_key = models.TextField(_("key, encrypted"), blank=True)
    is_active = models.BooleanField(_("in use"), default=True)
    changed_at = models.DateTimeField(_("changed"), default=timezone.now)

    class Meta:
        verbose_name = _("model server")
        verbose_name_plural = _("model server")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="llm_server_one")]

    def __str__(self) -> str:
        return self.get_provider_display()
