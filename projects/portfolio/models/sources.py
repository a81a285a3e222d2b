"""What was read from where, or waits to be read, and the runs that read it; no operations."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from projects.portfolio.models.portfolio import Portfolio


class PreprocessRun(models.Model):
    """One run of reading everything: its measure, and its end."""

    class Status(models.TextChoices):
        RUNNING = "running"
        COMPLETED = "completed"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="runs")
    label = models.CharField(max_length=80, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    code = models.CharField(max_length=60, blank=True, help_text="Why it failed.")
    error = models.TextField(blank=True)
    metrics = models.JSONField(default=dict, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "preprocessing run"
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
        REPOSITORY_LIST = "repository_list", "list of repositories"
        README = "readme", "README"
        RESUME = "resume"
        PROFILE = "profile"
        CORPUS = "corpus", "the whole portfolio"

    class Method(models.TextChoices):
        MODEL = "model", "a model"
        RULES = "rules"
        PERSON = "person", "a person"

    class Outcome(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"
        CHECK = "check", "to be checked"
        READ = "read"
        SKIPPED = "skipped"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="sources")
    run = models.ForeignKey(
        PreprocessRun, null=True, blank=True, on_delete=models.CASCADE, related_name="sources"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    place = models.CharField(max_length=500, help_text="A file, or an address without secrets.")
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
    wish = models.JSONField(default=dict, blank=True, help_text="Branch, name, companies.")
    is_by_rules = models.BooleanField(default=False, help_text="Ask no model.")
    drafts = models.JSONField(
        default=list, blank=True, help_text="Records that wait to be confirmed."
    )
    told = models.JSONField(default=dict, blank=True, help_text="How many rows were new, changed.")
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
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
