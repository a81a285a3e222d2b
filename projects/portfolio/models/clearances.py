"""Contact data that an owner looked at and decided to make public."""

from __future__ import annotations

from django.db import models

from projects.portfolio.models.portfolio import Portfolio


class Clearance(models.Model):
    """One piece of contact data in one field of one row that may be shown.

    `key` names row, field, kind and text (desk/contacts.py): with other words it is another one,
    which nobody has decided about.
    """

    portfolio = models.ForeignKey(
        Portfolio, on_delete=models.CASCADE, related_name="clearances", editable=False
    )
    key = models.CharField(max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["portfolio", "key"], name="portfolio_clearance_once")
        ]

    def __str__(self) -> str:
        return f"{self.portfolio_id}: {self.key}"
