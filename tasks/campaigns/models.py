"""The records of campaigns: what was set up, who was invited, who takes part and agreed to what.

Nobody's name stands here: a participation has a number. What a person told lies in the survey's
own records, in `ExtraAnswer`, and nowhere else; when that is erased, the counts of its
participation stay.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.admin import display
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.models import Participant


class Campaign(models.Model):
    """A survey that many people are asked to take, and everything staff decided about it."""

    class Status(models.TextChoices):
        """What staff did; whether people get in depends on the times, too (`phase`)."""

        DRAFT = "draft", _("Draft")
        OPEN = "open", pgettext_lazy("state", "Open")
        CLOSED = "closed", _("Closed")

    class Phase(models.TextChoices):
        DRAFT = "draft", _("Draft")
        COMING = "coming", pgettext_lazy("state", "Scheduled")
        OPEN = "open", pgettext_lazy("state", "Open")
        GRACE = "grace", _("Closing: started surveys can be finished")
        CLOSED = "closed", _("Closed")

    class Access(models.TextChoices):
        LINK = "link", _("Anyone with the link")
        CODES = "codes", _("Only with an invitation code")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(
        max_length=60, unique=True, help_text=_("The end of the address, behind /s/.")
    )
    title = models.CharField(_("title"), max_length=200)
    welcome = models.TextField(_("welcome"), blank=True)
    closing = models.TextField(_("closing text"), blank=True)
    consent = models.TextField(_("consent text"), blank=True)
    consent_version = models.PositiveIntegerField(default=1, help_text=_("Rises with the text."))
    language = models.CharField(_("language"), max_length=10, default="en")
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    grace_hours = models.PositiveSmallIntegerField(
        _("hours to finish after closing"),
        default=24,
        validators=[MaxValueValidator(24 * 14)],
    )
    closed_at = models.DateTimeField(null=True, blank=True, help_text=_("By hand."))
    access = models.CharField(max_length=8, choices=Access, default=Access.LINK)
    max_people = models.PositiveIntegerField(
        _("maximum number of participants"), null=True, blank=True
    )
    job_titles = models.JSONField(
        default=list, blank=True, help_text=_("Allowed ones; empty: any.")
    )
    may_download = models.BooleanField(_("participants can download their task list"), default=True)
    retention_days = models.PositiveIntegerField(
        _("days until responses are deleted"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text=_("After closing; NULL keeps it until a person deletes it."),
    )
    masks = models.BooleanField(_("mask names, email addresses and phone numbers"), default=False)
    known_names = models.JSONField(default=list, blank=True, help_text=_("Masked as they stand."))
    min_group = models.PositiveSmallIntegerField(
        _("smallest group shown in results"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
    )
    has_second_review = models.BooleanField(_("second coding of every task list"), default=False)
    is_invented = models.BooleanField(default=False, help_text=_("Filled with invented people."))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title

    @property
    def ended_at(self) -> datetime | None:
        """When nobody new got in any more: closed by hand, or by its time."""
        if self.status == self.Status.CLOSED:
            values = [at for at in (self.closed_at, self.closes_at) if at is not None]
            return min(values, default=None)
        return self.closes_at

    @property
    def grace_ends_at(self) -> datetime | None:
        ended = self.ended_at
        return ended + timedelta(hours=self.grace_hours) if ended else None

    @property
    def phase(self) -> Phase:
        """Where it stands at this moment: what staff did, and the times."""
        now = timezone.now()
        if self.status == self.Status.DRAFT:
            return self.Phase.DRAFT
        ended, grace_ends = self.ended_at, self.grace_ends_at
        if grace_ends is not None and now >= grace_ends:
            return self.Phase.CLOSED
        if ended is not None and now >= ended:
            return self.Phase.GRACE
        if self.opens_at is not None and now < self.opens_at:
            return self.Phase.COMING
        return self.Phase.OPEN

    @property
    def is_running(self) -> bool:
        """Whether people get in, now or later by its times."""
        return self.phase in (self.Phase.OPEN, self.Phase.COMING)


class Invitation(models.Model):
    """A code that lets people in; plain, since it opens nobody's answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    code = models.CharField(max_length=20)
    label = models.CharField(max_length=100, blank=True, help_text="Of a group, e.g. a team.")
    max_uses = models.PositiveIntegerField(null=True, blank=True, default=1)
    uses = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["created_at", "code"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "code"], name="tasks_invitation_code"),
            models.CheckConstraint(
                condition=Q(max_uses__isnull=True) | Q(uses__lte=F("max_uses")),
                name="tasks_invitation_uses",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def has_room(self) -> bool:
        is_free = self.max_uses is None or self.uses < self.max_uses
        return self.revoked_at is None and is_free


class ExtraQuestion(models.Model):
    """A question of the campaign's own, asked before or after the talk.

    One that was answered is put away (`removed_at`), never deleted.
    """

    class Place(models.TextChoices):
        BEFORE = "before", _("Before the conversation")
        AFTER = "after", _("After submitting")

    class Kind(models.TextChoices):
        TEXT = "text", _("Text")
        CHOICE = "choice", _("Choice")
        SCALE = "scale", _("Scale")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="questions")
    place = models.CharField(max_length=8, choices=Place, default=Place.BEFORE)
    position = models.PositiveSmallIntegerField(default=0)
    column = models.CharField(max_length=200, help_text="Its name in files; it keeps that.")
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.TEXT)
    text = models.CharField(max_length=500)
    options = models.JSONField(default=list, blank=True, help_text="Words to choose from.")
    takes_many = models.BooleanField(default=False, help_text="More than one option.")
    scale_low = models.SmallIntegerField(default=1)
    scale_high = models.SmallIntegerField(default=5)
    low_label = models.CharField(max_length=80, blank=True)
    high_label = models.CharField(max_length=80, blank=True)
    is_required = models.BooleanField(default=False)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("extra question")
        verbose_name_plural = _("extra questions")
        ordering = ["campaign", "place", "position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(scale_low__lt=F("scale_high")), name="tasks_question_scale"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Participation(models.Model):
    """One person's way through a campaign, from the consent to the last page.

    Its response and answers go when they are erased; the row stays and counts.
    """

    class ErasedBy(models.TextChoices):
        PERSON = "person", _("deleted by the participant")
        STAFF = "staff", _("deleted on request")
        RETENTION = "retention", _("deleted automatically")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="participations")
    number = models.PositiveIntegerField(help_text=_("Within the campaign: P-0012."))
    participant = models.ForeignKey(
        Participant, null=True, blank=True, on_delete=models.SET_NULL, related_name="participations"
    )
    invitation = models.ForeignKey(
        Invitation,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="participations",
    )
    response = models.OneToOneField(
        "tasks.SurveyResponse",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="participation",
    )
    is_invented = models.BooleanField(default=False, help_text=_("Made by a simulation."))
    created_at = models.DateTimeField(auto_now_add=True, help_text=_("When consent was given."))
    before_at = models.DateTimeField(
        null=True, blank=True, help_text=_("First questions answered.")
    )
    started_at = models.DateTimeField(null=True, blank=True, help_text=_("The talk began."))
    submitted_at = models.DateTimeField(null=True, blank=True, help_text=_("The list was sent."))
    finished_at = models.DateTimeField(
        null=True, blank=True, help_text=_("The last page was seen.")
    )
    erased_at = models.DateTimeField(null=True, blank=True)
    erased_by = models.CharField(max_length=10, choices=ErasedBy, blank=True)
    # what stays when the words are gone; kept up to date when they go
    turn_count = models.PositiveIntegerField(default=0)
    task_count = models.PositiveIntegerField(default=0)
    talk_minutes = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="tasks_participation_no"),
            models.UniqueConstraint(
                fields=["campaign", "participant"],
                condition=Q(participant__isnull=False, erased_at__isnull=True),
                name="tasks_participation_once",
            ),
        ]
        indexes = [
            # the staff list, newest first
            models.Index(fields=["campaign", "-created_at"], name="tasks_participation_list"),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    @display(description=_("pseudonym"))
    def pseudonym(self) -> str:
        """What staff call it: P-0012."""
        return f"P-{self.number:04d}"

    @property
    def has_words(self) -> bool:
        """Whether staff may still read what was written: neither erased nor in the bin."""
        response = self.response if self.erased_at is None else None
        return response is not None and response.session.deleted_at is None


class Consent(models.Model):
    """That a participant agreed, to which words, when."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="consents"
    )
    version = models.PositiveIntegerField()
    text = models.TextField(help_text="As it was shown.")
    promises = models.JSONField(default=list, help_text="How data is used, as it was shown.")
    language = models.CharField(max_length=10, default="en")
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        ordering = ["participation", "given_at"]

    def __str__(self) -> str:
        return f"version {self.version}"


class ExtraAnswer(models.Model):
    """The answer to one extra question: text, a list of options, or a number."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="extra_answers"
    )
    question = models.ForeignKey(ExtraQuestion, on_delete=models.PROTECT, related_name="answers")
    value = models.JSONField(help_text="str (text), list of str (choice) or int (scale).")
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("extra answer")
        verbose_name_plural = _("extra answers")
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "question"], name="tasks_extra_answer_once"
            )
        ]

    def __str__(self) -> str:
        return str(self.value)
