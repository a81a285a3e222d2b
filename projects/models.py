"""Projects and what belongs to them; every row of these changes through operations only."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Final

from django.contrib.admin import display
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.models import Session
from chat.operations.registry import OperableModel
from futura.text import shortened
from projects.forecasting.models import Forecast  # noqa: F401 (Django finds an app's models here)
from projects.modes.audit.models import Finding  # noqa: F401
from projects.sample.models import SampleWorkspace  # noqa: F401

KEPT_UNTOUCHED: Final = dt.timedelta(days=7)
KEPT_ABANDONED: Final = dt.timedelta(days=30)
STILL_THERE = Q(deleted_at__isnull=True)
PERCENT: Final = (MinValueValidator(0), MaxValueValidator(100))


class ProjectFields(OperableModel):
    """What a project and its draft have in common. Texts are Markdown."""

    name = models.CharField(max_length=200, blank=True)
    slug = models.SlugField(max_length=80, blank=True)
    description = models.TextField(blank=True)
    context = models.TextField(blank=True)
    executive_summary = models.TextField(blank=True)
    core_integrity_ideals = models.TextField(blank=True)
    core_people_bonds = models.TextField(blank=True)
    core_goals_momentum = models.TextField(blank=True)
    core_meaning_identity = models.TextField(blank=True)
    core_reality_understanding = models.TextField(blank=True)
    core_trust_safeguards = models.TextField(blank=True)
    core_opportunity_freedom = models.TextField(blank=True)
    core_power_resources = models.TextField(blank=True)
    core_harmony_integration = models.TextField(blank=True)
    tags = models.JSONField(default=list, blank=True)
    start_date = models.DateField(null=True, blank=True)
    end_date = models.DateField(null=True, blank=True)
    # the task of a work survey that it came from; no foreign key, surveys can be erased
    survey_task = models.UUIDField(null=True, blank=True)
    time_share_before = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=PERCENT,
        help_text=_("Percent of working time that the task took when the survey was answered."),
    )

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name or f"{self._meta.verbose_name} {str(self.pk)[:8]}"


class Project(ProjectFields):
    """Something a person wants to bring about."""

    class Status(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("state", "Active")
        PAUSED = "paused", pgettext_lazy("state", "Paused")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        ARCHIVED = "archived", pgettext_lazy("state", "Archived")

    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    time_share_after = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=PERCENT,
        help_text=_("Percent of working time that the survey's task takes now that this is done."),
    )

    class Meta:
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "slug"],
                condition=STILL_THERE,
                name="projects_project_slug",
                violation_error_message="Another of your projects has this short name.",
            ),
            models.CheckConstraint(
                condition=Q(start_date__isnull=True)
                | Q(end_date__isnull=True)
                | Q(end_date__gte=F("start_date")),
                name="projects_project_dates",
                violation_error_message="The end lies before the start.",
            ),
        ]
        indexes = [
            # a person's list, latest change first
            models.Index(fields=["owner", "-updated_at"], name="projects_project_list"),
        ]


class ProjectDraft(ProjectFields):
    """A project that is still being talked into shape; one for each creating conversation."""

    class Status(models.TextChoices):
        IN_PROGRESS = "in_progress", pgettext_lazy("state", "in progress")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        ABANDONED = "abandoned", pgettext_lazy("state", "Abandoned")

    session = models.OneToOneField(
        Session, null=True, blank=True, on_delete=models.DO_NOTHING, related_name="project_draft",
        db_constraint=False,
    )  # fmt: skip
    status = models.CharField(max_length=12, choices=Status, default=Status.IN_PROGRESS)
    dimensions_covered = models.JSONField(default=list, blank=True)
    question_count = models.PositiveSmallIntegerField(default=0)
    completed_at = models.DateTimeField(null=True, blank=True)
    finalized_project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.PROTECT, related_name="drafts"
    )

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")
        indexes = [
            # the resume dialog and the list
            models.Index(fields=["owner", "status", "-updated_at"], name="projects_draft_list"),
            # the beat that ends untouched drafts
            models.Index(
                fields=["updated_at"],
                condition=Q(status="in_progress"),
                name="projects_draft_untouched",
            ),
        ]

    @property
    def title(self) -> str:
        """What to call it: its name, else how it began."""
        return self.name or shortened(self.context, 60) or str(_("Untitled draft"))

    @property
    def touched_at(self) -> dt.datetime:
        """The last change of the draft or, where `projects.queries` read it, of its tasks."""
        tasks_at: dt.datetime | None = getattr(self, "tasks_touched_at", None)
        return max(self.updated_at, tasks_at) if tasks_at else self.updated_at

    @property
    @display(description=_("expires"))
    def expires_at(self) -> dt.datetime:
        """When it is discarded, unless it is touched before."""
        return self.touched_at + KEPT_UNTOUCHED


class TaskFields(OperableModel):
    """What a to-do has, in a draft or a project. Estimates are in working days."""

    class Priority(models.TextChoices):
        CRITICAL = "critical", pgettext_lazy("state", "Critical")
        HIGH = "high", pgettext_lazy("state", "High")
        NORMAL = "normal", pgettext_lazy("state", "Normal")
        LOW = "low", pgettext_lazy("state", "Low")

    title = models.CharField(max_length=200)
    details = models.TextField(blank=True)
    priority = models.CharField(max_length=8, choices=Priority, default=Priority.NORMAL)
    start_date = models.DateField(null=True, blank=True)
    due_date = models.DateField(null=True, blank=True)
    due_time = models.TimeField(
        null=True, blank=True, help_text=_("By the clock of the person's time zone.")
    )
    estimate_low_days = models.DecimalField(
        max_digits=6, decimal_places=2, null=True, blank=True, validators=[MaxValueValidator(3650)]
    )
    estimate_high_days = models.DecimalField(
        max_digits=6, decimal_places=2, null=True, blank=True, validators=[MaxValueValidator(3650)]
    )
    # a name; a person of a shared project can stand beside it once projects are shared
    assignee = models.CharField(max_length=80, blank=True, default="", db_default="")
    position = models.PositiveIntegerField(default=0)
    depends_on = models.ManyToManyField("self", symmetrical=False, blank=True, related_name="+")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title


class DraftTask(TaskFields):
    """A to-do of a draft; finalising makes a task of it."""

    draft = models.ForeignKey(ProjectDraft, on_delete=models.PROTECT, related_name="tasks")
    is_suggested = models.BooleanField(default=False, help_text=_("Not said: a likely first step."))

    class Meta:
        verbose_name = _("to-do in a draft")
        verbose_name_plural = _("to-dos in drafts")
        ordering = ["position", "created_at"]


class Task(TaskFields):
    """A to-do, in a project or on its own."""

    class Status(models.TextChoices):
        INBOX = "inbox", pgettext_lazy("state", "Inbox")
        AVAILABLE = "available", pgettext_lazy("state", "Available")
        SCHEDULED = "scheduled", pgettext_lazy("state", "Scheduled")
        BLOCKED = "blocked", pgettext_lazy("state", "Blocked")
        COMPLETED = "completed", pgettext_lazy("state", "Done")
        DROPPED = "dropped", pgettext_lazy("state", "Dropped")

    ACTIVE: ClassVar = (Status.INBOX, Status.AVAILABLE, Status.SCHEDULED, Status.BLOCKED)
    CLOSED: ClassVar = (Status.COMPLETED, Status.DROPPED)

    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.PROTECT, related_name="tasks"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.INBOX)
    is_suggested = models.BooleanField(default=False)
    completed_at = models.DateTimeField(null=True, blank=True)
    repeat = models.CharField(
        max_length=200, blank=True, help_text=_("An RFC 5545 rule; its first day is the due date.")
    )
    remind_at = models.DateTimeField(null=True, blank=True)
    remind_minutes = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Minutes before it is due, in place of a moment.")
    )
    tags = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("to-do")
        verbose_name_plural = _("to-dos")
        ordering = ["position", "created_at"]
        indexes = [
            # the concierge's counts and lists
            models.Index(fields=["owner", "status", "due_date"], name="projects_task_list"),
            # the beat that mails reminders
            models.Index(
                fields=["due_date"],
                condition=Q(remind_at__isnull=False) | Q(remind_minutes__isnull=False),
                name="projects_task_reminders",
            ),
        ]


class Reminder(models.Model):
    """The mail about one moment of a to-do; it is what keeps a second one from being sent."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(help_text="The moment that was asked for.")
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        constraints = [
            models.UniqueConstraint(fields=["task", "at"], name="projects_reminder_once")
        ]

    def __str__(self) -> str:
        return f"{self.task_id} {self.at:%Y-%m-%d %H:%M}"


class Note(OperableModel):
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="notes")
    title = models.CharField(max_length=200, blank=True)
    text = models.TextField()

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title or self.text[:60]
