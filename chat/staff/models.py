"""What staff keep of conversations: marks of the review, notes, and the log of who read what."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Review(models.Model):
    """One conversation as the queues know it: facts of it, and what staff made of it.

    The facts are counted by `chat.staff.queues` after something changed (`looked_at` says when;
    NULL wants it done), so that a list of thousands needs no counting.
    """

    session = models.OneToOneField(
        "chat.Session", primary_key=True, on_delete=models.CASCADE, related_name="review"
    )
    kind = models.CharField(max_length=40)
    started_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0, help_text="Messages of the person.")
    has_failed = models.BooleanField(default=False, help_text="An answer failed or broke off.")
    is_basic = models.BooleanField(default=False, help_text="Some answer came without a model.")
    is_ready = models.BooleanField(default=True, help_text="The person is done with it.")
    results = models.PositiveIntegerField(default=0, help_text="What came of it: tasks.")
    doubts = models.PositiveIntegerField(default=0, help_text="Results that want a look.")
    group_id = models.UUIDField(null=True, blank=True, help_text="What it belongs to: a campaign.")
    looked_at = models.DateTimeField(null=True, blank=True)

    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    assigned_at = models.DateTimeField(null=True, blank=True)
    flagged_at = models.DateTimeField(null=True, blank=True)
    flagged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    flag_reason = models.CharField(max_length=500, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    tags = models.JSONField(default=list, blank=True)

    class Meta:
        app_label = "chat"
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        indexes = [
            # a queue, newest first
            models.Index(
                fields=["-started_at", "session"],
                condition=Q(reviewed_at__isnull=True),
                name="chat_review_queue",
            ),
            # all of them, newest first
            models.Index(fields=["-started_at", "session"], name="chat_review_all"),
            # a campaign's
            models.Index(fields=["group_id", "-started_at"], name="chat_review_group"),
        ]

    def __str__(self) -> str:
        return f"review of {str(self.session_id)[:8]}"


class ReviewNote(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(
        "chat.Session", on_delete=models.CASCADE, related_name="review_notes"
    )
    message = models.ForeignKey(
        "chat.Message", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "chat"
        verbose_name = _("note of the review")
        verbose_name_plural = _("notes of the review")
        ordering = ["created_at"]
        indexes = [models.Index(fields=["session", "created_at"], name="chat_review_notes")]

    def __str__(self) -> str:
        return self.text[:60]


class Access(models.Model):
    """That somebody of staff read a conversation, took data out or changed settings; facts
    without the words.

    Ids have no foreign keys: the log outlives what was read.
    """

    class Kind(models.TextChoices):
        READING = "reading", _("Read")
        REPLAY = "replay", _("Replayed")
        EXPORT = "export", _("Exported")
        CHANGE = "change", _("Changed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    user_name = models.CharField(max_length=254, help_text="As it was called then.")
    session_id = models.UUIDField(null=True, blank=True)
    owner_id = models.UUIDField(null=True, blank=True, help_text="Whose: a participant's id.")
    group_id = models.UUIDField(null=True, blank=True, help_text="Of which campaign.")
    what = models.CharField(max_length=200, blank=True, help_text="What was exported.")
    about = models.JSONField(default=dict, blank=True, help_text="With which filters.")
    reason = models.CharField(max_length=500, blank=True, help_text="Why, where it is private.")
    rows = models.PositiveIntegerField(null=True, blank=True)
    times = models.PositiveIntegerField(default=1, help_text="Pages opened in one sitting.")
    began_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "chat"
        verbose_name = _("access")
        verbose_name_plural = _("log of readings and exports")
        indexes = [
            # the page, newest first
            models.Index(fields=["-began_at"], name="chat_access_newest"),
            # whether this is the same sitting; who read one conversation
            models.Index(fields=["session_id", "user", "-last_at"], name="chat_access_session"),
            # what a person may see of it
            models.Index(fields=["owner_id", "-began_at"], name="chat_access_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.user_name} {self.kind}"
