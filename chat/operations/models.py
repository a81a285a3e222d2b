"""The ledger's records: what was changed, by whom, because of what; facts that never change."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

Key = tuple[str, uuid.UUID]  # names an operable row: its kind and its id


class Policy(models.TextChoices):
    """What a session's owner has chosen for the agent's changes."""

    AUTO = "auto", pgettext_lazy("state", "apply automatically")
    REVIEW = "review", pgettext_lazy("state", "review first")


class OperationBatch(models.Model):
    """The operations of one gesture: an agent's turn, a form, an undo. Done in order.

    `owner_id` is a participant's id without a foreign key: facts outlive the people they name.
    """

    class Actor(models.TextChoices):
        PERSON = "person", pgettext_lazy("state", "Person")
        AGENT = "agent", pgettext_lazy("state", "Agent")
        STAFF = "staff", pgettext_lazy("state", "Staff")
        PROGRAM = "program", pgettext_lazy("state", "program (API)")
        SYSTEM = "system", pgettext_lazy("state", "System")

    class Status(models.TextChoices):
        REVIEW = "review", pgettext_lazy("state", "waits for review")
        EXECUTING = "executing", pgettext_lazy("state", "Executing")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        FAILED = "failed", pgettext_lazy("state", "Failed")
        REJECTED = "rejected", pgettext_lazy("state", "Rejected")
        ROLLED_BACK = "rolled_back", pgettext_lazy("state", "Undone")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner_id = models.UUIDField(editable=False)
    actor = models.CharField(max_length=8, choices=Actor)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("The account that did it, where there is one."),
    )
    title = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True, help_text=_("In words, where somebody gave one."))
    session = models.ForeignKey(
        "chat.Session",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="operation_batches",
    )
    run = models.ForeignKey(
        "chat.Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="batches"
    )
    message = models.ForeignKey(
        "chat.Message",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="caused_batches",
        help_text=_("The person's message that caused it."),
    )
    tool_call_id = models.CharField(max_length=100, blank=True)
    undoes = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    amends = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="amended_by"
    )
    is_atomic = models.BooleanField(default=False)
    status = models.CharField(max_length=12, choices=Status, default=Status.EXECUTING)
    review_reasons = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("group of changes")
        verbose_name_plural = _("groups of changes")
        app_label = "chat"
        constraints = [
            # a tool call that is played again finds what it did the first time
            models.UniqueConstraint(
                fields=["run", "tool_call_id"],
                condition=~models.Q(tool_call_id=""),
                name="chat_batch_tool_call",
            ),
        ]
        indexes = [
            # the panel of a session, and a person's history, newest first
            models.Index(fields=["session", "-created_at"], name="chat_batch_session"),
            models.Index(fields=["owner_id", "-created_at"], name="chat_batch_owner"),
        ]

    def __str__(self) -> str:
        return self.title or f"batch {str(self.id)[:8]}"


class Operation(models.Model):
    """One change of one row. Who, what and which fields never change; only the status moves."""

    class Type(models.TextChoices):
        CREATE = "create", pgettext_lazy("state", "Create")
        UPDATE = "update", pgettext_lazy("state", "Update")
        DELETE = "delete", pgettext_lazy("state", "Delete")
        RESTORE = "restore", pgettext_lazy("state", "Restore")
        ERASE = "erase", pgettext_lazy("state", "Delete permanently")

    class Status(models.TextChoices):
        PENDING = "pending", pgettext_lazy("state", "Pending")
        EXECUTING = "executing", pgettext_lazy("state", "Executing")
        COMPLETED = "completed", pgettext_lazy("state", "Completed")
        FAILED = "failed", pgettext_lazy("state", "Failed")
        ROLLED_BACK = "rolled_back", pgettext_lazy("state", "Undone")
        REJECTED = "rejected", pgettext_lazy("state", "Rejected")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    batch = models.ForeignKey(OperationBatch, on_delete=models.PROTECT, related_name="operations")
    sequence = models.PositiveIntegerField()
    type = models.CharField(max_length=8, choices=Type)
    entity = models.CharField(max_length=40, help_text=_("Name of the operable model."))
    entity_id = models.UUIDField()
    base_version = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("The version that the change was made from.")
    )
    result_version = models.PositiveIntegerField(null=True, blank=True)
    changed_fields = models.JSONField(default=list, blank=True)
    undoes = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    amends = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="amended_by"
    )
    because_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entails",
        help_text=_("The deletion that took this row along."),
    )
    status = models.CharField(max_length=12, choices=Status, default=Status.PENDING)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    executed_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        app_label = "chat"
        ordering = ["batch", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "sequence"], name="chat_operation_sequence"),
        ]
        indexes = [
            # the history of one row
            models.Index(fields=["entity", "entity_id", "created_at"], name="chat_operation_row"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.entity} {str(self.entity_id)[:8]}"

    @property
    def key(self) -> Key:
        """Which row it is about."""
        return self.entity, self.entity_id


class OperationPayload(models.Model):
    """The values of one operation as plain JSON; erasure leaves the row as a tombstone."""

    operation = models.OneToOneField(
        Operation, primary_key=True, on_delete=models.PROTECT, related_name="payload"
    )
    requested = models.JSONField(null=True, help_text="The values as they were asked for.")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    digest = models.CharField(max_length=64, help_text="SHA-256 that an approval is bound to.")
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        app_label = "chat"

    def __str__(self) -> str:
        return f"values of {str(self.operation_id)[:8]}"
