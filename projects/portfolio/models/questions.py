"""Questions of visitors that the portfolio could not answer, messages to its owner, answers."""

from __future__ import annotations

from django.db import models

from chat.operations.base import OperableModel
from projects.portfolio.models.portfolio import Portfolio


class OpenQuestion(OperableModel):
    """A question without an answer; once answered and approved, both join the corpus.

    With `reply_to` it is a message to the owner, who answers by mail; it never joins the corpus.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        ANSWERED = "answered"
        DISMISSED = "dismissed"

    portfolio = models.ForeignKey(Portfolio, on_delete=models.PROTECT, related_name="questions")
    question = models.CharField(max_length=2_000)
    sender = models.CharField(max_length=120, blank=True)
    reply_to = models.EmailField(blank=True, help_text="For the owner alone.")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "open question"
        ordering = ["-created_at"]
        # the owner's inbox
        indexes = [
            models.Index(
                fields=["portfolio", "status", "-created_at"], name="portfolio_question_inbox"
            )
        ]

    def __str__(self) -> str:
        return self.question[:80]
