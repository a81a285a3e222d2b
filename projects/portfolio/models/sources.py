"""What was read from where, or waits to be read, and the runs that read it; no operations."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.portfolio.models.portfolio import Portfolio


class PreprocessRun(models.Model):
    """One run of reading everything: its measure, and its end."""

    class Status(models.TextChoices):
        RUNNING = "running", pgettext_lazy("state", "Running")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        FAILED = "failed", pgettext_lazy("state", "Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="runs")
    label = models.CharField(max_length=80, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    code = models.CharField(max_length=60, blank=True, help_text=_("Why it failed."))
    error = models.TextField(blank=True)
    metrics = models.JSONField(default=dict, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("preprocessing run")
        verbose_name_plural = _("preprocessing runs")
        # the latest run of a portfolio
        indexes = [models.Index(fields=["portfolio", "-started_at"], name="portfolio_run_latest")]

    def __str__(self) -> str:
        return f"{self.status} {self.started_at:%Y-%m-%d %H:%M}"


class Source(models.Model):
    """A thing that was read, or waits to be. `text` is kept for reading it again; it is private.

    What an owner gave on a page has `given_at`, and is read by a job that holds its `lease`;
    `upload` holds a file until its text is taken out. What the command read has none of these.
    """

    class Kind(models.TextChoices):
        REPOSITORY_LIST = "repository_list", pgettext_lazy("state", "list of repositories")
        README = "readme", "README"
        RESUME = "resume", pgettext_lazy("state", "Resume")
        PROFILE = "profile", pgettext_lazy("state", "Profile")
        CORPUS = "corpus", pgettext_lazy("state", "the whole portfolio")

    class Method(models.TextChoices):
        MODEL = "model", pgettext_lazy("state", "a model")
        RULES = "rules", pgettext_lazy("state", "Rules")
        PERSON = "person", pgettext_lazy("state", "a person")

    class Outcome(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("state", "Waiting")
        READING = "reading", pgettext_lazy("state", "Reading")
        CHECK = "check", pgettext_lazy("state", "to be checked")
        READ = "read", pgettext_lazy("state", "Read")
        SKIPPED = "skipped", pgettext_lazy("state", "Skipped")
        FAILED = "failed", pgettext_lazy("state", "Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="sources")
    run = models.ForeignKey(
        PreprocessRun, null=True, blank=True, on_delete=models.CASCADE, related_name="sources"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    place = models.CharField(max_length=500, help_text=_("A file, or an address without secrets."))
    commit = models.CharField(max_length=64, blank=True)
    doc_id = models.CharField(max_length=120, blank=True)
    method = models.CharField(max_length=8, choices=Method, default=Method.RULES)
    model = models.CharField(max_length=120, blank=True)
    prompt_version = models.CharField(max_length=60, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.READ)
    code = models.CharField(max_length=60, blank=True)
    note = models.TextField(blank=True)
    text = models.TextField(blank=True)
    read_at = models.DateTimeField(default=timezone.now)

    given_at = models.DateTimeField(null=True, blank=True)
    upload = models.BinaryField(null=True, blank=True)
    wish = models.JSONField(default=dict, blank=True, help_text=_("Branch, name, companies."))
    is_by_rules = models.BooleanField(default=False, help_text=_("Ask no model."))
    drafts = models.JSONField(
        default=list, blank=True, help_text=_("Records that wait to be confirmed.")
    )
    told = models.JSONField(
        default=dict, blank=True, help_text=_("How many rows were new, changed.")
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["read_at", "kind", "place"]
        indexes = [
            # what the latest run read
            models.Index(fields=["portfolio", "-read_at"], name="portfolio_source_latest"),
            # what waits to be read
            models.Index(
                fields=["outcome"],
                condition=Q(outcome__in=["waiting", "reading"]),
                name="portfolio_source_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.place}"
