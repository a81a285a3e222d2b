"""The records of a resume: experiences, education, awards, credentials, skills."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.portfolio.models import fields
from projects.portfolio.models.entry import Entry
from projects.portfolio.models.portfolio import Belonging, named_once


class Record(Belonging):
    """A row of a kind of which there are several: `doc_id` is its stable name in the corpus."""

    doc_id = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True
        ordering = ["position", "created_at"]
        constraints = [named_once("%(app_label)s_%(class)s_doc_id")]


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
        return self.institution


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
