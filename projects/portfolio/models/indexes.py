"""The index that questions go to: a build is written whole beside the active one, then switched."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pgvector.django import HalfVectorField

from projects.portfolio.models.portfolio import Portfolio

SCHEMA_VERSION = "1"


class IndexBuild(models.Model):
    """One whole index of a portfolio, in one embedding space."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey(Portfolio, on_delete=models.CASCADE, related_name="builds")
    schema_version = models.CharField(max_length=10, default=SCHEMA_VERSION)
    space = models.CharField(
        max_length=200, help_text=_("lexical, openai:…, sentence-transformers:…")
    )
    dimension = models.PositiveIntegerField(default=0)
    is_active = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("search index")
        verbose_name_plural = _("search indexes")
        constraints = [
            models.UniqueConstraint(
                fields=["portfolio"], condition=Q(is_active=True), name="portfolio_one_active_index"
            )
        ]

    def __str__(self) -> str:
        return f"{self.space}, {self.created_at:%Y-%m-%d %H:%M}"


class Document(models.Model):
    """What visitors may be told of one thing: nothing private ever stands here."""

    class Corpus(models.TextChoices):
        PROJECTS = "projects", pgettext_lazy("state", "Projects")
        RESUME = "resume", pgettext_lazy("state", "Resume")
        PROFILE = "profile", pgettext_lazy("state", "Profile")

    build = models.ForeignKey(IndexBuild, on_delete=models.CASCADE, related_name="documents")
    corpus = models.CharField(max_length=8, choices=Corpus)
    facet = models.CharField(
        max_length=10,
        help_text=_("project, experience, education, award, credential, skill, answer, profile"),
    )
    doc_id = models.CharField(max_length=120)
    title = models.CharField(max_length=400)
    text = models.TextField(help_text=_("What quotes are checked against."))
    keywords = models.TextField(blank=True, help_text=_("Searched, but not quoted."))
    started = models.CharField(max_length=7, blank=True)
    ended = models.CharField(max_length=7, blank=True)
    is_current = models.BooleanField(default=False)
    is_employment = models.BooleanField(default=False)
    linked = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ["corpus", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["build", "corpus", "doc_id"], name="portfolio_document_once"
            )
        ]

    def __str__(self) -> str:
        return self.title


class DocumentVector(models.Model):
    """Embedding of a document; `(dimension,) float16`, unit length; none in the lexical space."""

    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="vector")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of {self.document_id}"


class IndexState(models.Model):
    """Whether a portfolio changed since its index was built, who builds it, why that failed."""

    portfolio = models.OneToOneField(
        Portfolio, primary_key=True, on_delete=models.CASCADE, related_name="index_state"
    )
    wanted_at = models.DateTimeField(null=True, blank=True, help_text="The change that waits.")
    announced_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    retry_at = models.DateTimeField(
        null=True, blank=True, help_text="When vectors are asked again."
    )
    failures = models.PositiveSmallIntegerField(default=0)
    code = models.CharField(max_length=60, blank=True, help_text="Why the last try failed.")
    error = models.TextField(blank=True)
    lease = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # what waits for a build
        indexes = [models.Index(fields=["wanted_at"], name="portfolio_index_wanted")]

    def __str__(self) -> str:
        return f"index of {self.portfolio_id}"
