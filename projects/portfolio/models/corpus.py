"""What was read from where, and the index that questions go to; no operations.

An index is built whole beside the active one, then switched.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy
from pgvector.django import HalfVectorField

from projects.portfolio.models.portfolio import Portfolio

SCHEMA_VERSION = "1"


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

    @property
    def name(self) -> str:
        """What its owner's pages call it."""
        return str(_NAMES[self.kind])

    @property
    def where(self) -> str:
        """Its place in words."""
        if self.kind == self.Kind.CORPUS:
            return str(_("from your profile, resume and examples"))
        pasted = str(_("pasted text"))
        if self.kind == self.Kind.README:  # of which there may be several
            pasted = f"{pasted}: {self.doc_id}"
        return self.place or pasted

    @property
    def is_open(self) -> bool:
        """Whether it waits or is just being read."""
        return self.outcome in {self.Outcome.WAITING, self.Outcome.READING}

    @property
    def read_by(self) -> str:
        """Who has read it, in words; empty for a person."""
        if self.method == self.Method.MODEL:
            return _("read by %(model)s") % {"model": self.model or _("a model")}
        return str(_("read without a model")) if self.method == self.Method.RULES else ""


_NAMES: Final[Mapping[str, Any]] = {
    Source.Kind.RESUME: _("Resume"),
    Source.Kind.PROFILE: _("Profile"),
    Source.Kind.README: _("Repository"),
    Source.Kind.REPOSITORY_LIST: _("Repository list"),
    Source.Kind.CORPUS: _("Your voice"),
}


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

    class Meta:
        verbose_name = _("document vector")
        verbose_name_plural = _("document vectors")

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
    space = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text="The one that the command has read in.",
    )
    code = models.CharField(max_length=60, blank=True, help_text="Why the last try failed.")
    error = models.TextField(blank=True)
    lease = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("index state")
        verbose_name_plural = _("index states")
        # what waits for a build
        indexes = [models.Index(fields=["wanted_at"], name="portfolio_index_wanted")]

    def __str__(self) -> str:
        return f"index of {self.portfolio_id}"
