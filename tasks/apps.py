"""Registers the tasks app with Django."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from futura import evaluation


class TasksConfig(AppConfig):
    name = "tasks"
    verbose_name = _("Work surveys")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        evaluation.register("extraction", "tasks.evaluation.evaluate_extraction")
        evaluation.register("survey", "tasks.evaluation.evaluate_survey")
        evaluation.register("interview", "tasks.simulation.interviews.evaluate_interview")
        # models are there only now
        from chat import account_copy, guides, presenters
        from chat.actions import participants
        from chat.commands.tokens import Door, open_talks, open_to_tokens
        from chat.staff import panels, trace
        from futura.llm import redaction
        from tasks import commands, copies, operables
        from tasks.campaigns.actions.joining import forget_people
        from tasks.campaigns.masking import mask_of
        from tasks.interview.guide import SurveyGuide
        from tasks.presenters import SurveyPresenter
        from tasks.staff.panel import WORDS, TasksPanel

        operables.register_all()
        commands.register_all()
        redaction.register("survey", mask_of)
        open_talks("survey", areas=("surveys",))
        open_to_tokens(
            Door("/api/chat", areas=("surveys",), is_exact=True),
            Door("/api/survey", areas=("surveys",)),
            Door("/api/onet"),
            Door("/api/campaigns", areas=("campaigns",)),
        )
        participants.before_forgetting(forget_people)
        says = _("each task list as JSON and as a table (CSV); what a survey has stored about you")
        account_copy.register(account_copy.Part("surveys", says, copies.files_of))
        presenters.register(SurveyPresenter())
        guides.register(SurveyGuide())
        panels.register(TasksPanel())
        trace.register_words(WORDS)
