"""Registers portfolios with Django and with the ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortfolioConfig(AppConfig):
    """Portfolios: entries, the corpus behind them, its index."""

    name = "projects.portfolio"
    label = "portfolio"
    verbose_name = _("Portfolios")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tells the ledger which models it changes, and `evaluate` what it can measure."""
        from chat import account_copy, guides, presenters
        from futura import evaluation
        from projects import hooks
        from projects.portfolio import commands, operables
        from projects.portfolio.builder.guide import BuilderGuide
        from projects.portfolio.builder.presenter import BuilderPresenter
        from projects.portfolio.builder.starting import entry_lines, opened_for, story_of
        from projects.portfolio.home import export
        from projects.portfolio.readiness import waiting_items
        from projects.portfolio.visitors.guide import VisitGuide
        from projects.portfolio.visitors.presenter import VisitPresenter

        operables.register_all()
        commands.register_all()
        presenters.register(VisitPresenter())
        guides.register(VisitGuide())
        presenters.register(BuilderPresenter())
        guides.register(BuilderGuide())
        says = _("each portfolio as JSON, with its pictures")
        account_copy.register(account_copy.Part("portfolios", says, export.files_of))
        hooks.portfolio = hooks.Hooks(story_of, waiting_items, opened_for, entry_lines)
        evaluation.register(
            "portfolio", "projects.portfolio.evaluation.measuring.evaluate_portfolio"
        )
