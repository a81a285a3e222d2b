"""What stays of visitors' conversations after they are gone: numbers by month, no words."""

from __future__ import annotations

from django.db import models

from projects.portfolio.models.portfolio import Portfolio


class VisitMonth(models.Model):
    """Questions and model calls of erased conversations with a portfolio, in one month (UTC).

    Conversations that are still there are counted where they are; see desk/cost.py.
    """

    portfolio = models.ForeignKey(
        Portfolio, on_delete=models.CASCADE, related_name="visit_months", editable=False
    )
    month = models.DateField(help_text="Its first day.")
    questions = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    unknown_calls = models.PositiveIntegerField(default=0, help_text="Of these without a price.")
    cost_usd = models.DecimalField(max_digits=16, decimal_places=8, default=0)

    class Meta:
        verbose_name = "month of erased visits"
        verbose_name_plural = "months of erased visits"
        ordering = ["-month"]
        constraints = [
            models.UniqueConstraint(fields=["portfolio", "month"], name="portfolio_visit_month")
        ]

    def __str__(self) -> str:
        return f"{self.portfolio_id}, {self.month:%Y-%m}"
