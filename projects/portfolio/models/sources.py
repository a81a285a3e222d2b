"""What was read from where, and the runs that read it; facts, not changed by operations."""

from __future__ import annotations

import uuid

from django.db import models
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
    """A thing that was read. `text` is kept for reading it again; it is private, never searched."""

    class Kind(models.TextChoices):
        REPOSITORY_LIST = "repository_list", "list of repositories"
        README = "readme", "README"
        RESUME = "resume"
        PROFILE = "profile"
        VOICE = "voice", "voice examples"
        CORPUS = "corpus", "the whole portfolio"

    class Method(models.TextChoices):
        MODEL = "model", "a model"
        RULES = "rules"
        PERSON = "person", "a person"

    class Outcome(models.TextChoices):
        READ = "read"
        SKIPPED = "skipped"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="sources")
    run = models.ForeignKey(
        PreprocessRun, null=True, blank=True, on_delete=models.CASCADE, related_name="sources"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    place = models.CharField(max_length=500, help_text="A file, or an address without secrets.")
    commit = models.CharField(max_length=64, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    doc_id = models.CharField(max_length=120, blank=True)
    method = models.CharField(max_length=8, choices=Method, default=Method.RULES)
    model = models.CharField(max_length=120, blank=True)
    prompt_version = models.CharField(max_length=60, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.READ)
    code = models.CharField(max_length=60, blank=True)
    note = models.TextField(blank=True)
    text = models.TextField(blank=True)
    read_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["read_at", "kind", "place"]
        # what the latest run read
        indexes = [models.Index(fields=["portfolio", "-read_at"], name="portfolio_source_latest")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.place}"
