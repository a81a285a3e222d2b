"""The portfolio of one owner: profile, voice, visitors' questions, what is kept of visits."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from chat.languages import known
from chat.operations.registry import OperableModel
from projects.portfolio.models import fields

LIVING: Final = Q(deleted_at__isnull=True)
VISITORS_OWN: Final = "visitor"  # in place of a language: each visitor's


class Portfolio(OperableModel):
    """Who speaks, and whether the public page is open."""

    class Kind(models.TextChoices):
        INDIVIDUAL = "individual", pgettext_lazy("state", "Individual")
        TEAM = "team", pgettext_lazy("state", "Team")
        ORGANIZATION = "organization", pgettext_lazy("state", "Organization")

    class Status(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("state", "not published")
        PUBLISHED = "published", pgettext_lazy("state", "Published")

    slug = models.SlugField(max_length=80, help_text=_("The end of the address, behind /p/."))
    owner_name = models.CharField(max_length=200)
    pronouns = models.CharField(max_length=60, blank=True)
    domain_label = models.CharField(max_length=120, help_text=_("Such as: software engineer."))
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.INDIVIDUAL)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(
        max_length=10, default=VISITORS_OWN, help_text=_("Of its public pages.")
    )
    private_notes = models.TextField(
        blank=True, help_text=_("For yourself; never shown or searched.")
    )
    photo = models.ForeignKey(
        "portfolio.StoredImage", null=True, blank=True, on_delete=models.DO_NOTHING,
        related_name="+", db_constraint=False,
    )  # fmt: skip
    photo_alt = models.CharField(
        max_length=300, blank=True, help_text=_("Whom it shows, in words.")
    )

    class Meta:
        verbose_name = _("portfolio")
        verbose_name_plural = _("portfolios")
        constraints = [
            models.UniqueConstraint(
                fields=["slug"],
                condition=LIVING,
                name="portfolio_slug",
                violation_error_message="Another portfolio has this address.",
            )
        ]
        # a person's portfolios
        indexes = [models.Index(fields=["owner", "-updated_at"], name="portfolio_list")]

    def __str__(self) -> str:
        return f"{self.owner_name} ({self.slug})"

    def language_for(self, participant_ids: Collection[uuid.UUID], chosen: str) -> str:
        """The language that its public pages have for somebody; empty for their own.

        What a visitor chose by hand comes first. The owner sees what others see.
        """
        return "" if chosen and self.owner_id not in participant_ids else known(self.language)


class Belonging(OperableModel):
    """What stands in a portfolio.

    `kept_fields` are those that a person has put right: reading the source again leaves them.
    """

    portfolio = models.ForeignKey(Portfolio, on_delete=models.PROTECT, related_name="+")
    # sources are not operable, and outlive nothing: erasing the portfolio takes them along
    source = models.ForeignKey(
        "portfolio.Source", null=True, blank=True, on_delete=models.DO_NOTHING, related_name="+",
        db_constraint=False,
    )  # fmt: skip
    kept_fields = fields.texts()

    class Meta:
        abstract = True


def single_row(name: str) -> models.UniqueConstraint:
    return models.UniqueConstraint(
        fields=["portfolio"],
        condition=LIVING,
        name=name,
        violation_error_message="This portfolio has one already.",
    )


def unique_doc_id(name: str) -> models.UniqueConstraint:
    """Among the living rows of a portfolio an id stands once."""
    return models.UniqueConstraint(
        fields=["portfolio", "doc_id"],
        condition=LIVING,
        name=name,
        violation_error_message="Something in this portfolio has this id already.",
    )


class Profile(Belonging):
    """Who the owner is, as visitors may know it; contact data stay apart and are never searched."""

    full_name = models.CharField(max_length=200)
    headline = models.CharField(max_length=300, blank=True)
    location = models.CharField(max_length=200, blank=True)
    current_role = models.CharField(max_length=200, blank=True)
    about = fields.texts(help_text=_("Paragraphs."))
    top_skills = fields.texts()
    featured_experiences = fields.texts(help_text=_("Ids of experiences."))
    social_links = models.JSONField(default=list, blank=True, validators=[fields.check_links])
    private_contact = fields.texts(help_text=_("Addresses and numbers; never shown or searched."))

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        constraints = [single_row("portfolio_one_profile")]

    def __str__(self) -> str:
        return self.full_name


class Persona(Belonging):
    """How the owner speaks."""

    system_persona = models.TextField(help_text=_("Who is speaking, told to the model."))
    short_about = models.CharField(max_length=400, help_text=_("One or two lines."))
    style_guidelines = fields.texts()
    voice_examples = fields.texts(help_text=_("USER: … CHATBOT: …"))
    generated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("voice")
        verbose_name_plural = _("voices")
        constraints = [single_row("portfolio_one_persona")]

    def __str__(self) -> str:
        return self.short_about[:60]


class VisitMonth(models.Model):
    """Questions and model calls of erased conversations with a portfolio, in one month (UTC).

    Conversations that are still there are counted where they are (`desk.queries.costs_of`).
    """

    portfolio = models.ForeignKey(
        Portfolio, on_delete=models.CASCADE, related_name="visit_months", editable=False
    )
    month = models.DateField(help_text=_("Its first day."))
    questions = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    unknown_calls = models.PositiveIntegerField(default=0, help_text=_("Of these without a price."))
    cost_usd = models.DecimalField(max_digits=16, decimal_places=8, default=0)

    class Meta:
        verbose_name = _("month of deleted visits")
        verbose_name_plural = _("months of deleted visits")
        ordering = ["-month"]
        constraints = [
            models.UniqueConstraint(fields=["portfolio", "month"], name="portfolio_visit_month")
        ]

    def __str__(self) -> str:
        return f"{self.portfolio_id}, {self.month:%Y-%m}"


class OpenQuestion(OperableModel):
    """A question without an answer; once answered and approved, both join the corpus.

    With `reply_to` it is a message to the owner, who answers by mail; it never joins the corpus.
    """

    class Status(models.TextChoices):
        OPEN = "open", pgettext_lazy("state", "Open")
        ANSWERED = "answered", pgettext_lazy("state", "Answered")
        DISMISSED = "dismissed", pgettext_lazy("state", "Dismissed")

    portfolio = models.ForeignKey(Portfolio, on_delete=models.PROTECT, related_name="questions")
    question = models.CharField(max_length=2_000)
    sender = models.CharField(max_length=120, blank=True)
    reply_to = models.EmailField(blank=True, help_text=_("For the owner alone."))
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("unanswered question")
        verbose_name_plural = _("unanswered questions")
        ordering = ["-created_at"]
        # the owner's inbox
        indexes = [
            models.Index(
                fields=["portfolio", "status", "-created_at"], name="portfolio_question_inbox"
            )
        ]

    def __str__(self) -> str:
        return self.question[:80]


class Clearance(models.Model):
    """One piece of contact data in one field of one row that may be shown.

    `key` names row, field, kind and text (`contact_review.key_of`): with other words it is another
    one, which nobody has decided about.
    """

    portfolio = models.ForeignKey(
        Portfolio, on_delete=models.CASCADE, related_name="clearances", editable=False
    )
    key = models.CharField(max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("clearance")
        verbose_name_plural = _("clearances")
        constraints = [
            models.UniqueConstraint(fields=["portfolio", "key"], name="portfolio_clearance_once")
        ]

    def __str__(self) -> str:
        return f"{self.portfolio_id}: {self.key}"
