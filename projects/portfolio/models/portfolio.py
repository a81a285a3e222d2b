"""The portfolio of one owner, with the one profile and the one voice that it has."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q

from chat.operations.base import OperableModel
from projects.portfolio.models import fields

STILL_THERE: Final = Q(deleted_at__isnull=True)


class Portfolio(OperableModel):
    """Who speaks, and whether the public page is open."""

    class Kind(models.TextChoices):
        INDIVIDUAL = "individual"
        TEAM = "team"
        ORGANIZATION = "organization"

    class Status(models.TextChoices):
        DRAFT = "draft", "not published"
        PUBLISHED = "published"

    slug = models.SlugField(max_length=80, help_text="The address: /p/<this>.")
    owner_name = models.CharField(max_length=200)
    pronouns = models.CharField(max_length=60, blank=True)
    domain_label = models.CharField(max_length=120, help_text="Such as: software engineer.")
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.INDIVIDUAL)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    private_notes = models.TextField(blank=True, help_text="For yourself; never shown or searched.")
    photo = models.ForeignKey(
        "portfolio.StoredImage", null=True, blank=True, on_delete=models.DO_NOTHING,
        related_name="+", db_constraint=False,
    )  # fmt: skip
    photo_alt = models.CharField(max_length=300, blank=True, help_text="Whom it shows, in words.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slug"],
                condition=STILL_THERE,
                name="portfolio_slug",
                violation_error_message="Another portfolio has this address.",
            )
        ]
        # a person's portfolios
        indexes = [models.Index(fields=["owner", "-updated_at"], name="portfolio_list")]

    def __str__(self) -> str:
        return f"{self.owner_name} ({self.slug})"


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


def _one_living(name: str) -> models.UniqueConstraint:
    return models.UniqueConstraint(
        fields=["portfolio"],
        condition=STILL_THERE,
        name=name,
        violation_error_message="This portfolio has one already.",
    )


def named_once(name: str) -> models.UniqueConstraint:
    """Among the living rows of a portfolio an id stands once."""
    return models.UniqueConstraint(
        fields=["portfolio", "doc_id"],
        condition=STILL_THERE,
        name=name,
        violation_error_message="Something in this portfolio has this id already.",
    )


class Profile(Belonging):
    """Who the owner is, as visitors may know it; contact data stay apart and are never searched."""

    full_name = models.CharField(max_length=200)
    headline = models.CharField(max_length=300, blank=True)
    location = models.CharField(max_length=200, blank=True)
    current_role = models.CharField(max_length=200, blank=True)
    about = fields.texts(help_text="Paragraphs.")
    top_skills = fields.texts()
    featured_experiences = fields.texts(help_text="Ids of experiences.")
    social_links = models.JSONField(default=list, blank=True, validators=[fields.check_links])
    private_contact = fields.texts(help_text="Addresses and numbers; never shown or searched.")

    class Meta:
        constraints = [_one_living("portfolio_one_profile")]

    def __str__(self) -> str:
        return self.full_name


class Persona(Belonging):
    """How the owner speaks."""

    system_persona = models.TextField(help_text="Who is speaking, told to the model.")
    short_about = models.CharField(max_length=400, help_text="One or two lines.")
    style_guidelines = fields.texts()
    voice_examples = fields.texts(help_text="USER: … CHATBOT: …")
    generated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [_one_living("portfolio_one_persona")]

    def __str__(self) -> str:
        return self.short_about[:60]
