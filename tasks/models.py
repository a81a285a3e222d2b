"""The work survey's records: one response per conversation, its tasks, their O*NET matches.

Tasks and matches change through operations only (`tasks.operables`).
"""

from __future__ import annotations

from typing import ClassVar, Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.models import Message, Session
from chat.operations.registry import OperableModel
from onet.candidates import ActivityGroup, is_starter
from tasks.campaigns.models import (  # noqa: F401 (Django finds an app's models here)
    Campaign,
    Consent,
    ExtraAnswer,
    ExtraQuestion,
    Invitation,
    Participation,
)
from tasks.insights.models import Insight  # noqa: F401 (the same)
from tasks.staff.models import SecondCoding  # noqa: F401 (the same)


class SurveyResponse(models.Model):
    """One participant's answer; it shares its id with its conversation."""

    class Step(models.TextChoices):
        IDLE = "idle", _("Not started")
        QUEUED = "queued", _("Waiting")
        EXTRACTING = "extracting", _("Finding tasks in your answers")
        NORMALISING = "normalising", _("Writing statements")
        DEDUPLICATING = "deduplicating", _("Merging duplicates")
        DONE = "done", _("Ready")
        FAILED = "failed", _("Interrupted")

    RUNNING: Final = (Step.QUEUED, Step.EXTRACTING, Step.NORMALISING, Step.DEDUPLICATING)

    session = models.OneToOneField(
        Session, primary_key=True, on_delete=models.CASCADE, related_name="survey_response"
    )
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.PROTECT, related_name="responses"
    )
    job_title = models.CharField(max_length=200)
    # O*NET code and title as they were chosen; no foreign key, releases come and go
    occupation_code = models.CharField(max_length=10, blank=True)
    occupation_title = models.CharField(max_length=200, blank=True)
    step = models.CharField(max_length=15, choices=Step, default=Step.IDLE)
    step_error = models.TextField(blank=True)
    basic_mode = models.BooleanField(default=False)
    lease = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    processed_to_seq = models.PositiveIntegerField(
        default=0, help_text=_("Last message whose tasks were taken over.")
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("survey response")
        verbose_name_plural = _("survey responses")
        indexes = [
            # a campaign's responses, newest first: review, insights
            models.Index(fields=["campaign", "-created_at"], name="tasks_response_list"),
        ]

    def __str__(self) -> str:
        return self.job_title

    @property
    def job(self) -> str:
        """The job title, and the occupation where that is called otherwise."""
        names = {name.casefold(): name for name in (self.occupation_title, self.job_title) if name}
        return " · ".join(reversed(names.values()))


class WorkTask(OperableModel):
    """One task statement with the words it came from, its time share and its AI use.

    Positions have gaps (see `tasks.changes.GAP`), so that moving one task changes no other.
    """

    class Source(models.TextChoices):
        CHAT = "chat", _("from the conversation")
        SUGGESTION = "suggestion", _("selected from the suggestions")
        ADDED = "added", _("added by hand")

    class AiLevel(models.TextChoices):
        NONE = "none", _("None")
        SOME = "some", _("Some")
        SIGNIFICANT = "significant", _("Significant")

    RATINGS: ClassVar = ("time_share", "ai_level", "ai_tools")
    """What a person says of each task."""

    response = models.ForeignKey(SurveyResponse, on_delete=models.PROTECT, related_name="tasks")
    position = models.PositiveIntegerField(default=0)
    statement = models.CharField(max_length=500)
    english = models.CharField(
        max_length=500,
        blank=True,
        help_text=_("The statement in English, where it is in another language."),
    )
    raw = models.TextField(blank=True, help_text=_("The task in the person's own words."))
    quote = models.TextField(blank=True, help_text=_("The stretch of the message it came from."))
    message = models.ForeignKey(
        Message, null=True, blank=True, on_delete=models.PROTECT, related_name="work_tasks"
    )
    source = models.CharField(max_length=10, choices=Source, default=Source.CHAT)
    suggestion_id = models.CharField(max_length=64, blank=True)
    # what was merged into it: [{"statement", "quote", "message_id", "reason"}]
    merged_from = models.JSONField(default=list, blank=True)
    group = models.CharField(max_length=24, choices=ActivityGroup, blank=True)
    groups = models.JSONField(default=list, blank=True)
    activity_ids = models.JSONField(
        default=list, blank=True, help_text=_("O*NET element ids, e.g. 4.A.2.b.1.")
    )
    time_share = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
        help_text=_("Percent of working time."),
    )
    ai_level = models.CharField(max_length=12, choices=AiLevel, blank=True)
    ai_tools = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("work task")
        verbose_name_plural = _("work tasks")
        ordering = ["response", "position", "created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(time_share__isnull=True) | Q(time_share__gte=0, time_share__lte=100),
                name="tasks_time_share_percent",
            )
        ]
        indexes = [models.Index(fields=["response", "position"], name="tasks_list")]

    def __str__(self) -> str:
        return self.statement

    @property
    def in_english(self) -> str:
        """What the English catalogue is searched with."""
        return self.english or self.statement


class TaskMatch(OperableModel):
    """The O*NET statement that says a task best, with what else was considered."""

    class Status(models.TextChoices):
        PENDING = "pending", _("Matching")
        MATCHED = "matched", _("Matched")
        NONE = "none", _("No good match")
        FAILED = "failed", _("Match failed")

    class Confidence(models.TextChoices):
        HIGH = "high", _("Strong match")
        MEDIUM = "medium", _("Likely match")
        LOW = "low", _("Weak match")
        NONE = "none", _("No good match")

    class Method(models.TextChoices):
        MODEL = "model", pgettext_lazy("state", "Model")
        RULES = "rules", pgettext_lazy("state", "Rules")
        PERSON = "person", pgettext_lazy("state", "Person")
        STAFF = "staff", pgettext_lazy("state", "Staff")

    task = models.OneToOneField(WorkTask, on_delete=models.PROTECT, related_name="match")
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    # [{"task_id","text","occupation_code","occupation_title","kind","score","groups",
    #   "activity_ids"}], best first
    candidates = models.JSONField(default=list, blank=True)
    onet_task_id = models.CharField(max_length=20, blank=True)
    text = models.TextField(blank=True)
    occupation_code = models.CharField(max_length=10, blank=True)
    occupation_title = models.CharField(max_length=200, blank=True)
    score = models.FloatField(null=True, blank=True, help_text=_("Calibrated, 0 to 1."))
    confidence = models.CharField(max_length=8, choices=Confidence, default=Confidence.NONE)
    reason = models.TextField(blank=True)
    method = models.CharField(max_length=8, choices=Method, blank=True)
    space = models.CharField(max_length=200, blank=True)
    catalogue = models.CharField(max_length=120, blank=True)
    for_version = models.PositiveIntegerField(
        default=0, help_text=_("Task version it was made for.")
    )
    error = models.TextField(blank=True)

    class Meta:
        verbose_name = _("O*NET match")
        verbose_name_plural = _("O*NET matches")
        indexes = [
            # the sweep for matches that nobody is making
            models.Index(fields=["status", "created_at"], name="tasks_match_sweep"),
        ]

    def __str__(self) -> str:
        return self.text or self.get_status_display()

    @property
    def catalogue_texts(self) -> list[str]:
        """The catalogue's words: of the statement, and of what else could match."""
        return [self.text, *(str(candidate["text"]) for candidate in self.candidates)]

    @property
    def is_starter(self) -> bool:
        return is_starter(self.onet_task_id)


class Lookup(models.Model):
    """A match that a worker was told of, or is looking up; no part of what the ledger keeps."""

    match = models.OneToOneField(
        TaskMatch, primary_key=True, on_delete=models.CASCADE, related_name="lookup"
    )
    lease = models.UUIDField(null=True, blank=True, help_text="Of the worker that has it.")
    seen_at = models.DateTimeField(help_text="Last told of, or last sign of life of its worker.")
    since = models.DateTimeField(db_default=Now(), help_text="When it was first taken up.")

    class Meta:
        verbose_name = _("lookup")
        verbose_name_plural = _("lookups")

    def __str__(self) -> str:
        return f"lookup {str(self.match_id)[:8]}"
