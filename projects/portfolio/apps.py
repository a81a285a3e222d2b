"""Registers portfolios with Django and with the ledger."""

from __future__ import annotations

from django.apps import AppConfig


class PortfolioConfig(AppConfig):
    """Portfolios: entries, the corpus behind them, its index."""

    name = "projects.portfolio"
    label = "portfolio"
    verbose_name = "Portfolios"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tells the ledger which models it changes, and `evaluate` what it can measure."""
        from chat import guides, presenters
        from futura import evaluation
        from projects.portfolio import commands, operables, readiness
        from projects.portfolio.builder import registration as builder
        from projects.portfolio.visitors.guide import VisitGuide
        from projects.portfolio.visitors.presenter import VisitPresenter

        operables.register_all()
        commands.register_all()
        readiness.register()
        presenters.register(VisitPresenter())
        guides.register(VisitGuide())
        builder.register_all()
        evaluation.register(
            "portfolio", "projects.portfolio.evaluation.measuring.evaluate_portfolio"
        )
