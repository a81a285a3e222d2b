"""Registers projects with Django and with the ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProjectsConfig(AppConfig):
    """Projects, drafts, to-dos, notes."""

    name = "projects"
    verbose_name = _("Projects")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tells the ledger which models it changes, and the survey what may follow it."""
        from chat import account_copy
        from futura import evaluation
        from projects import copies, from_survey, operables
        from projects.commands import register_all
        from projects.concierge import guide as concierge
        from projects.modes import presenters as modes
        from tasks import hooks

        operables.register_all()
        register_all()
        hooks.register(from_survey.offer)
        says = _("each project as JSON and as text (Markdown), with its to-dos and notes")
        account_copy.register(
            account_copy.Part("projects", says, copies.projects_of),
            account_copy.Part("drafts", _("each project draft as JSON"), copies.drafts_of),
            account_copy.Part("to-dos", _("all to-dos as JSON and as a table"), copies.todos_of),
        )
        modes.register_all()
        evaluation.register("agent", "projects.evaluation.agent.evaluate_agent")
        concierge.register_all()
