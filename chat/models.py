"""The engine's records: who takes part, conversations, messages, runs (one per answer), tokens."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.operations.models import (  # noqa: F401 (Django finds an app's models here)
    Operation,
    OperationBatch,
    OperationPayload,
    Policy,
)
from chat.staff.models import Access, Review, ReviewNote  # noqa: F401 (the same)


class Participant(models.Model):
    """Owner of everything: an anonymous browser (by hashed cookie key), later perhaps a user."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="participants",
    )
    key_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    time_zone = models.CharField(
        max_length=64, blank=True, help_text=_("Of the IANA database; the server's while empty.")
    )
    language = models.CharField(
        max_length=10, blank=True, help_text=_("Of the interface: chosen, or the first browser's.")
    )
    is_language_chosen = models.BooleanField(
        default=False, help_text=_("Chosen by the person: a portfolio's own language yields to it.")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return str(self.user) if self.user_id else _("anonymous %s") % str(self.id)[:8]


class Session(models.Model):
    """One conversation of one kind; `state` is the guide's typed state as JSON."""

    class Status(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("state", "Active")
        ENDED = "ended", pgettext_lazy("state", "Ended")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="sessions")
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    phase = models.CharField(max_length=40, blank=True)
    state = models.JSONField(default=dict)
    summary = models.TextField(
        blank=True, help_text=_("Rolling, of what is older than the window.")
    )
    summary_seq = models.PositiveIntegerField(
        default=0, help_text=_("Last message that the summary covers; 0 before the first one.")
    )
    summarised_at = models.DateTimeField(null=True, blank=True)
    key_facts = models.JSONField(default=list)
    token_count = models.PositiveIntegerField(
        default=0, help_text=_("Of the current branch, parts and tool payloads included.")
    )
    policy = models.CharField(
        max_length=8,
        choices=Policy,
        default=Policy.AUTO,
        help_text=_("Whether changes by the assistant are made at once or reviewed first."),
    )
    draft = models.TextField(blank=True, help_text=_("Text typed and not yet sent."))
    draft_pasted = models.JSONField(
        default=list, blank=True, help_text=_("Stretches of the draft that were pasted.")
    )
    seen_seq = models.PositiveIntegerField(
        default=0, help_text=_("Last message its owner had on a page; newer answers are unread.")
    )
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=_("In the bin; deleted permanently after a while."),
    )

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [
            # a person's list, newest first
            models.Index(fields=["participant", "-updated_at"], name="chat_session_list"),
            # the staff list by kind, newest first
            models.Index(fields=["kind", "-created_at"], name="chat_session_kind"),
            # conversations that went quiet and want a summary
            models.Index(fields=["updated_at"], name="chat_session_quiet"),
            # what has lain in the bin long enough
            models.Index(
                fields=["deleted_at"],
                condition=Q(deleted_at__isnull=False),
                name="chat_session_bin",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {str(self.id)[:8]}"  # no word of it: lists of the admin show this


def search_words(field: str) -> Func:
    """The words of a text as the search knows them: as written, and as English stems.

    The SQL function stands in migration 0004. Only the first 100,000 characters count: a vector
    has a limit, and a long answer must not be refused for it.
    """
    return Func(F(field), function="chat_search_words", output_field=SearchVectorField())


class Message(models.Model):
    """One turn of one voice. `seq` orders the session; `parts` holds cards and other records."""

    class Role(models.TextChoices):
        PERSON = "user", pgettext_lazy("state", "Person")
        ASSISTANT = "assistant", pgettext_lazy("state", "Assistant")

    class Status(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("state", "Queued")
        STREAMING = "streaming", pgettext_lazy("state", "Streaming")
        COMPLETE = "complete", pgettext_lazy("state", "Complete")
        STOPPED = "stopped", pgettext_lazy("state", "Stopped")
        INTERRUPTED = "interrupted", pgettext_lazy("state", "Interrupted")
        FAILED = "failed", pgettext_lazy("state", "Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    seq = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    text = models.TextField(blank=True)
    parts = models.JSONField(default=list)
    status = models.CharField(max_length=12, choices=Status, default=Status.COMPLETE)
    client_id = models.UUIDField(null=True, blank=True)
    token_count = models.PositiveIntegerField(
        default=0, help_text=_("As a model would count it, parts included; 0 while not counted.")
    )
    created_at = models.DateTimeField(default=timezone.now)
    superseded_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Replaced by a later attempt; kept for staff.")
    )
    replaces = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="replaced_by",
        help_text=_("The person's earlier wording that this message stands in for."),
    )

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["session", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["session", "seq"], name="chat_message_seq"),
            models.UniqueConstraint(
                fields=["session", "client_id"],
                condition=Q(client_id__isnull=False),
                name="chat_message_client_id",
            ),
        ]
        indexes = [
            # the search through a person's conversations
            GinIndex(
                search_words("text"),
                condition=Q(superseded_at__isnull=True) & ~Q(status="streaming"),
                name="chat_message_words",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.seq} of {str(self.session_id)[:8]}"


class Run(models.Model):
    """The work of answering one message (none for an opening). The row is the queue."""

    class Status(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("state", "Queued")
        RUNNING = "running", pgettext_lazy("state", "Running")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        STOPPED = "stopped", pgettext_lazy("state", "Stopped")
        FAILED = "failed", pgettext_lazy("state", "Failed")
        INTERRUPTED = "interrupted", pgettext_lazy("state", "Interrupted")

    class Cause(models.TextChoices):
        SENT = "sent", pgettext_lazy("state", "a message was sent")
        RETRY = "retry", pgettext_lazy("state", "the answer failed and was asked for again")
        REGENERATE = "regenerate", pgettext_lazy("state", "another answer was asked for")
        CONTINUE = "continue", pgettext_lazy("state", "an interrupted answer is continued")
        EDIT = "edit", pgettext_lazy("state", "the message was reworded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="runs")
    cause = models.CharField(max_length=12, choices=Cause, default=Cause.SENT)
    message = models.ForeignKey(
        Message, null=True, blank=True, on_delete=models.CASCADE, related_name="runs"
    )
    reply = models.OneToOneField(
        Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="answered_by"
    )
    retry_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="retries"
    )
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    lease = models.UUIDField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    stop_requested_at = models.DateTimeField(null=True, blank=True)
    basic_mode = models.BooleanField(default=False)
    state_before = models.JSONField(default=dict)
    trace = models.JSONField(default=list, help_text=_("Stages with times and outcomes, in order."))
    stage = models.CharField(max_length=200, blank=True, help_text=_("What it is doing right now."))
    log_cursor = models.CharField(
        max_length=80,
        blank=True,
        help_text=_("Place in the event log that the saved text reaches."),
    )
    error_code = models.CharField(max_length=40, blank=True)
    error_text = models.TextField(blank=True)
    # the order of the queue: by one clock, whichever machine takes the message
    created_at = models.DateTimeField(db_default=Now())
    enqueued_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=Q(status="running"), name="chat_one_running_run"
            )
        ]
        indexes = [
            # the sweep: queued too long, or running without a heartbeat
            models.Index(fields=["status", "created_at"], name="chat_run_sweep"),
            # the metrics: what has ended since the last look
            models.Index(fields=["finished_at"], name="chat_run_finished"),
            # the newest run of a session: its page, and its mark in the list
            models.Index(fields=["session", "-created_at"], name="chat_run_newest"),
        ]

    def __str__(self) -> str:
        return f"run {str(self.id)[:8]} {self.status}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def can_continue(self) -> bool:
        """It broke off, and what was said of its answer may be gone on with."""
        return self.status in CONTINUABLE


class Feedback(models.Model):
    class Rating(models.TextChoices):
        GOOD = "good"
        BAD = "bad"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="feedback")
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="feedback")
    rating = models.CharField(max_length=4, choices=Rating)
    reasons = models.JSONField(default=list, help_text="Codes of the reasons selected.")
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "participant"], name="chat_feedback_one_each"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rating} on {str(self.message_id)[:8]}"


OPEN = (Run.Status.QUEUED, Run.Status.RUNNING)
RETRYABLE = (Run.Status.STOPPED, Run.Status.FAILED, Run.Status.INTERRUPTED)
CONTINUABLE = (Run.Status.STOPPED, Run.Status.INTERRUPTED)


class AccessToken(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens"
    )
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    scopes = ArrayField(models.CharField(max_length=20))
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()
