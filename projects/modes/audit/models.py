"""The record of an audit's finding: what it points out, and what has become of it."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Finding(models.Model):
    """One thing that audits of a project point out, over all of them (DECISIONS 58).

    `key` names it within the project: computed findings have fixed ones, those of the model one
    made of the words that they rest on. A computed `recommendation` reads after “I would …”, the
    model's is a sentence. `evidence` has words of the project: `{field, quote}`, where `field` is
    one of the project, `dates`, `task:<id>:<field>` or `note:<id>`; `displayed` is what people read
    in its place. `fix` is a change that would mend it: `{kind, values, id}` with the kinds `task`
    (a new to-do), `task_update` and `project_update`; or null. A dismissed one is answered without
    words.
    """

    class Severity(models.IntegerChoices):
        MINOR = 1, _("minor")
        SERIOUS = 2, _("serious")
        CRITICAL = 3, _("critical")

    class Area(models.TextChoices):
        COMPLETENESS = "completeness", _("Completeness")
        CONSISTENCY = "consistency", _("Consistency")
        RISKS = "risks", _("Risks")
        FEASIBILITY = "feasibility", _("Feasibility")
        MISSING = "missing", _("Missing pieces")

    class Source(models.TextChoices):
        COMPUTED = "computed"
        MODEL = "model"

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"
        MENDED = "mended"
        RECURRING = "recurring"

    STANDING = (Status.OPEN, Status.RECURRING)
    BY_GRAVITY = ("-severity", "first_audit_at", "key")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("chat.Participant", on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "projects.Project", on_delete=models.CASCADE, related_name="findings"
    )
    key = models.CharField(max_length=80)
    area = models.CharField(max_length=20)
    dimension = models.CharField(max_length=40, blank=True)
    severity = models.PositiveSmallIntegerField(choices=Severity)
    source = models.CharField(max_length=8, choices=Source)
    observation = models.TextField()
    question = models.TextField(blank=True)
    recommendation = models.TextField(blank=True)
    evidence = models.JSONField(default=list, blank=True)
    fix = models.JSONField(null=True, blank=True)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    answer = models.TextField(blank=True)
    first_audit_at = models.DateTimeField(default=timezone.now)
    last_audit_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="projects_finding_key"),
        ]

    def __str__(self) -> str:
        return self.observation[:60]

    @property
    def is_standing(self) -> bool:
        """Whether it still asks for something."""
        return self.status in self.STANDING

    @property
    def quotes(self) -> list[str]:
        """The first words that it rests on, as a person reads them."""
        words = [item.get("displayed", item["quote"]) for item in self.evidence]
        return [*filter(None, words)][:2]
