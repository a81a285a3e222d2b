"""What a portfolio holds: entries, each a piece of work told as a case study, with their pictures;
and the records of a resume.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.operations.registry import OperableModel
from projects.models import Project
from projects.portfolio.models import fields
from projects.portfolio.models.portfolio import LIVING, Belonging, unique_doc_id


class Entry(Belonging):
    """A piece of work. `doc_id` is its stable name in the corpus, `slug` its public address."""

    class Status(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("state", "Draft")
        PUBLISHED = "published", pgettext_lazy("state", "Published")
        ARCHIVED = "archived", pgettext_lazy("state", "Archived")

    class Context(models.TextChoices):
        PERSONAL = "personal", pgettext_lazy("state", "Personal")
        WORK = "work", pgettext_lazy("state", "Work")
        OSS = "oss", pgettext_lazy("state", "open source")
        ACADEMIC = "academic", pgettext_lazy("state", "Academic")
        OTHER = "other", pgettext_lazy("state", "Other")

    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.PROTECT, related_name="portfolio_entries"
    )
    doc_id = models.CharField(max_length=120)
    slug = models.SlugField(max_length=120)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    position = models.PositiveIntegerField(default=0)
    hide_from_chat = models.BooleanField(default=False)

    title = models.CharField(max_length=200, blank=True)
    entry_type = models.CharField(max_length=120, blank=True, help_text=_("Such as: web service."))
    location = models.CharField(max_length=200, blank=True)
    summary = models.CharField(max_length=400, blank=True, help_text=_("One line."))
    description = models.TextField(blank=True)
    impact = models.TextField(blank=True)
    size_or_scope = models.TextField(blank=True)
    blocks = models.JSONField(default=list, blank=True, validators=[fields.check_blocks])
    bullets = fields.texts()

    tech_stack = fields.texts()
    languages = fields.texts()
    tags = fields.texts()
    materials = fields.texts()
    techniques = fields.texts()

    context = models.CharField(max_length=8, choices=Context, default=Context.OTHER)
    organization = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=200, blank=True)
    started = fields.month()
    ended = fields.month()

    repository_url = models.URLField(max_length=500, blank=True)
    live_url = models.URLField(max_length=500, blank=True)
    seo_title = models.CharField(max_length=120, blank=True)
    seo_description = models.CharField(max_length=320, blank=True)
    private_notes = models.TextField(
        blank=True, help_text=_("For yourself; never shown or searched.")
    )

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["position", "created_at"]
        constraints = [
            unique_doc_id("portfolio_entry_doc_id"),
            models.UniqueConstraint(
                fields=["portfolio", "slug"],
                condition=LIVING,
                name="portfolio_entry_slug",
                violation_error_message="Another entry of this portfolio has this address.",
            ),
        ]
        indexes = [
            # the public page and the index
            models.Index(fields=["portfolio", "status", "position"], name="portfolio_entry_list")
        ]

    def __str__(self) -> str:
        return self.title or str(_("Untitled entry"))

    @property
    def is_current(self) -> bool:
        """Whether it goes on: its form says to leave the end empty then."""
        return bool(self.started and not self.ended)

    def url(self, page: str = "workspace") -> str:
        """The address of one of its owner's pages."""
        return reverse(f"entries:{page}", args=[self.portfolio_id, self.pk])


class StoredImage(models.Model):
    """The bytes of a picture, kept once while an entry or the ledger may want them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    portfolio = models.ForeignKey("portfolio.Portfolio", on_delete=models.CASCADE, related_name="+")
    sha256 = models.CharField(max_length=64)
    file = models.FileField(upload_to="portfolio/%Y/%m")
    media_type = models.CharField(max_length=40)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    is_photo = models.BooleanField(default=False, help_text="Is or was the portfolio's photo.")

    class Meta:
        verbose_name = _("stored image")
        verbose_name_plural = _("stored images")
        constraints = [
            models.UniqueConstraint(fields=["portfolio", "sha256"], name="portfolio_image_once")
        ]

    def __str__(self) -> str:
        return f"{self.media_type}, {self.width} × {self.height}"


class EntryImage(OperableModel):
    """A picture in its place: the hero, or one of the others in order."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="images")
    image = models.ForeignKey(
        StoredImage, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    alt = models.CharField(max_length=300, blank=True, help_text=_("What is to be seen, in words."))
    caption = models.CharField(max_length=300, blank=True)
    position = models.PositiveIntegerField(default=0)
    is_hero = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["-is_hero", "position", "created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=LIVING & Q(is_hero=True),
                name="portfolio_one_hero",
                violation_error_message="An entry has one hero image.",
            )
        ]

    def __str__(self) -> str:
        return self.alt or "picture"


class Record(Belonging):
    """A row of a kind of which there are several: `doc_id` is its stable name in the corpus."""

    doc_id = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True
        ordering = ["position", "created_at"]
        constraints = [unique_doc_id("%(app_label)s_%(class)s_doc_id")]


class Experience(Record):
    """A position that somebody held."""

    class Type(models.TextChoices):
        FULL_TIME = "full_time", pgettext_lazy("state", "full time")
        INTERNSHIP = "internship", pgettext_lazy("state", "Internship")
        CONTRACT = "contract", pgettext_lazy("state", "Contract")
        FREELANCE = "freelance", pgettext_lazy("state", "Freelance")
        VOLUNTEER = "volunteer", pgettext_lazy("state", "Volunteer")
        OTHER = "other", pgettext_lazy("state", "Other")

    company = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    location = models.CharField(max_length=200, blank=True)
    started = fields.month()
    ended = fields.month()
    is_current = models.BooleanField(default=False)
    experience_type = models.CharField(max_length=10, choices=Type, default=Type.OTHER)
    summary = models.TextField(blank=True)
    bullets = fields.texts()
    skills = fields.texts()
    impact = models.TextField(blank=True)
    size_or_scope = models.TextField(blank=True)
    linked_entries = models.ManyToManyField(Entry, blank=True, related_name="experiences")
    private_notes = models.TextField(
        blank=True, help_text=_("For yourself; never shown or searched.")
    )

    class Meta(Record.Meta):
        verbose_name = _("position")
        verbose_name_plural = _("positions")

    def __str__(self) -> str:
        return f"{self.title} — {self.company}" if self.title else self.company


class Education(Record):
    """A school, a course of study, a degree."""

    institution = models.CharField(max_length=200)
    degree = models.CharField(max_length=200, blank=True)
    field = models.CharField(max_length=200, blank=True)
    started = fields.month()
    ended = fields.month()
    summary = models.TextField(blank=True)
    bullets = fields.texts()
    skills = fields.texts()

    class Meta(Record.Meta):
        verbose_name = _("education")
        verbose_name_plural = _("education")

    def __str__(self) -> str:
        return f"{self.degree} — {self.institution}" if self.degree else self.institution


class Award(Record):
    """A prize or an honour."""

    title = models.CharField(max_length=200)
    issuer = models.CharField(max_length=200, blank=True)
    date = fields.month()
    summary = models.TextField(blank=True)
    bullets = fields.texts()
    skills = fields.texts()

    class Meta(Record.Meta):
        verbose_name = _("award")
        verbose_name_plural = _("awards")

    def __str__(self) -> str:
        return self.title


class Credential(Record):
    """A publication, a certificate, or a language that somebody speaks."""

    class Kind(models.TextChoices):
        PUBLICATION = "publication", pgettext_lazy("state", "Publication")
        CERTIFICATE = "certificate", pgettext_lazy("state", "Certificate")
        LANGUAGE = "language", pgettext_lazy("state", "Language")

    kind = models.CharField(max_length=11, choices=Kind, default=Kind.PUBLICATION)
    title = models.CharField(max_length=400)
    issuer = models.CharField(max_length=200, blank=True)
    date = fields.month()
    level = models.CharField(max_length=60, blank=True, help_text=_("Of a language."))
    summary = models.TextField(blank=True)

    class Meta(Record.Meta):
        verbose_name = _("credential")
        verbose_name_plural = _("credentials")

    def __str__(self) -> str:
        return self.title


class Skill(Record):
    """A tool, a language, a field that the owner knows."""

    name = models.CharField(max_length=120)
    category = models.CharField(max_length=60, blank=True)
    summary = models.TextField(blank=True)

    class Meta(Record.Meta):
        verbose_name = _("skill")
        verbose_name_plural = _("skills")

    def __str__(self) -> str:
        return self.name
