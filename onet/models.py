"""O*NET reference data as tables: releases, occupations, titles, activities, statements, spaces."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy
from pgvector.django import HalfVectorField

from onet.candidates import ActivityGroup

ENGLISH_CHARS = 1_000  # of a statement that is translated


class Release(models.Model):
    """One loaded catalogue. Exactly one is active; others are being built or kept for return."""

    name = models.CharField(max_length=120)
    source = models.CharField(max_length=500)
    fingerprint = models.CharField(max_length=64, help_text=_("SHA-256 of what was loaded."))
    is_starter = models.BooleanField(default=False)
    is_active = models.BooleanField(default=False)
    counts = models.JSONField(default=dict)
    loaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        constraints = [
            models.UniqueConstraint(
                fields=["is_active"], condition=Q(is_active=True), name="onet_one_active_release"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Occupation(models.Model):
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="occupations")
    code = models.CharField(max_length=10)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    job_zone = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("occupation")
        verbose_name_plural = _("occupations")
        constraints = [
            models.UniqueConstraint(fields=["release", "code"], name="onet_occupation_code")
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.code})"


class AlternateTitle(models.Model):
    """Another name of an occupation, as O*NET lists it or as workers reported it."""

    class Kind(models.TextChoices):
        ALTERNATE = "alternate", pgettext_lazy("state", "Alternate")
        REPORTED = "reported", pgettext_lazy("state", "Reported")

    occupation = models.ForeignKey(
        Occupation, on_delete=models.CASCADE, related_name="alternate_titles"
    )
    title = models.CharField(max_length=250)
    short_title = models.CharField(max_length=150, blank=True)
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta:
        verbose_name = _("alternate title")
        verbose_name_plural = _("alternate titles")
        constraints = [
            models.UniqueConstraint(
                fields=["occupation", "title", "kind"], name="onet_alternate_title"
            )
        ]

    def __str__(self) -> str:
        return self.title


class WorkActivity(models.Model):
    """One of the 41 generalized work activities, e.g. 4.A.2.b.1, in one of four groups."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="activities")
    element_id = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    group = models.CharField(max_length=24, choices=ActivityGroup)

    class Meta:
        verbose_name = _("work activity")
        verbose_name_plural = _("work activities")
        constraints = [
            models.UniqueConstraint(fields=["release", "element_id"], name="onet_activity_element")
        ]

    def __str__(self) -> str:
        return self.name


class DetailedActivity(models.Model):
    """A detailed work activity (DWA), the link between statements and activities."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="detailed")
    activity = models.ForeignKey(WorkActivity, on_delete=models.CASCADE, related_name="detailed")
    dwa_id = models.CharField(max_length=40)
    title = models.CharField(max_length=300)

    class Meta:
        verbose_name = _("detailed activity")
        verbose_name_plural = _("detailed activities")
        constraints = [
            models.UniqueConstraint(fields=["release", "dwa_id"], name="onet_detailed_id")
        ]

    def __str__(self) -> str:
        return self.title


class TaskStatement(models.Model):
    """What people of one occupation do, in O*NET's words."""

    class Kind(models.TextChoices):
        CORE = "Core", pgettext_lazy("state", "Core")
        SUPPLEMENTAL = "Supplemental", pgettext_lazy("state", "Supplemental")
        UNRATED = "", pgettext_lazy("state", "Unrated")

        @classmethod
        def rank(cls) -> models.Case:
            """Sorts core before supplemental before unrated."""
            return models.Case(
                models.When(kind=cls.CORE, then=0),
                models.When(kind=cls.SUPPLEMENTAL, then=1),
                default=2,
                output_field=models.SmallIntegerField(),
            )

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="statements")
    occupation = models.ForeignKey(Occupation, on_delete=models.CASCADE, related_name="statements")
    task_id = models.CharField(max_length=20)
    text = models.TextField()
    kind = models.CharField(max_length=12, choices=Kind, blank=True, default="")
    importance = models.FloatField(null=True, blank=True, help_text=_("Mean importance, 1 to 5."))
    detailed = models.ManyToManyField(DetailedActivity, related_name="statements")
    activities = models.ManyToManyField(WorkActivity, related_name="statements")

    class Meta:
        verbose_name = _("statement")
        verbose_name_plural = _("statements")
        constraints = [
            models.UniqueConstraint(fields=["release", "task_id"], name="onet_statement_task_id")
        ]

    def __str__(self) -> str:
        return self.text


class EmbeddingSpace(models.Model):
    """Vectors of one model over one release; built beside the active one, then switched."""

    class Status(models.TextChoices):
        BUILDING = "building", pgettext_lazy("state", "Building")
        READY = "ready", pgettext_lazy("state", "Ready")
        FAILED = "failed", pgettext_lazy("state", "Failed")

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="spaces")
    name = models.CharField(
        max_length=200, help_text=_("lexical, openai:…, sentence-transformers:…")
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.BUILDING)
    is_active = models.BooleanField(default=False)
    dimension = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    calibration = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("embedding space")
        verbose_name_plural = _("embedding spaces")
        constraints = [
            models.UniqueConstraint(fields=["release", "name"], name="onet_space_per_release"),
            models.UniqueConstraint(
                fields=["release"], condition=Q(is_active=True), name="onet_one_active_space"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.release_id}"


class StatementVector(models.Model):
    """Embedding of a statement's text; `(dimension,) float16`, unit length."""

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="statements")
    statement = models.ForeignKey(TaskStatement, on_delete=models.CASCADE, related_name="vectors")
    vector = HalfVectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["space", "statement"], name="onet_statement_vector")
        ]

    def __str__(self) -> str:
        return f"vector of statement {self.statement_id}"


class TitleVector(models.Model):
    """Embedding of one job title of an occupation; `(dimension,) float16`, unit length."""

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="titles")
    occupation = models.ForeignKey(Occupation, on_delete=models.CASCADE, related_name="vectors")
    title = models.CharField(max_length=250)
    vector = HalfVectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["space", "occupation", "title"], name="onet_title_vector"
            )
        ]

    def __str__(self) -> str:
        return f"vector of {self.title}"


class StatementScore(models.Model):
    """A figure computed elsewhere for a statement, such as exposure to AI; outlives releases."""

    name = models.CharField(max_length=80)
    task_id = models.CharField(max_length=20)
    value = models.FloatField()
    loaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("statement score")
        verbose_name_plural = _("statement scores")
        constraints = [models.UniqueConstraint(fields=["name", "task_id"], name="onet_score_once")]
        indexes = [models.Index(fields=["task_id"], name="onet_score_statement")]

    def __str__(self) -> str:
        return f"{self.name} of {self.task_id}"


class StatementTranslation(models.Model):
    """The model's words for an English statement in another language; outlives releases."""

    english = models.CharField(max_length=ENGLISH_CHARS)
    language = models.CharField(max_length=35, help_text=_("A tag such as de or pt-br."))
    text = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("statement translation")
        verbose_name_plural = _("statement translations")
        constraints = [
            models.UniqueConstraint(fields=["language", "english"], name="onet_translation_once")
        ]

    def __str__(self) -> str:
        return f"{self.language}: {self.text}"
