"""The plan of a question by a model: what it asks for, where to look, and its language."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import RetrievalPlan
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.speaking import Speaker

STAGE: Final = "portfolio_planner"
TURNS_SEEN: Final = 3
"""Earlier turns that the planner sees (spec 3, 5.1)."""
FOLLOW_UPS: Final = 3


def plan_with_model(
    question: str, history: Sequence[Said], speaker: Speaker, llm: Llm, delimiter: Delimiter
) -> RetrievalPlan:
    """The plan of a question. Raises ModelUnavailable."""
    messages = prompts.planner(question, history[-2 * TURNS_SEEN :], speaker, delimiter)
    answer = llm.structured(
        STAGE, messages, prompts.PlanOut, prompt_version=prompts.PLANNER_VERSION
    )
    return checked(answer.as_plan(), question)


def checked(plan: RetrievalPlan, question: str) -> RetrievalPlan:
    """A plan within its shape: no cards for small talk, no negative counts, always a question.

    Clamping to the limits is left to retrieval, which tells both figures.
    """
    result = plan.model_copy(deep=True)
    result.standalone_question = plan.standalone_question.strip() or question
    if result.question_type == "meta":
        result.cards_enabled, result.enumeration = False, "sample"
        result.retrieval_requests = []
    for request in result.retrieval_requests:
        request.top_k = max(0, request.top_k)
    return result


def cache_key(question: str, history: Sequence[Said], *, with_model: bool) -> str:
    """Names a question with what was said before it; the same in the same place of a talk."""
    texts = [" ".join(question.casefold().split()), *(text for _role, text in history[-6:])]
    return hashlib.sha256(f"{with_model}\x00{chr(0).join(texts)}".encode()).hexdigest()[:24]


def follow_ups(plan: RetrievalPlan, docs: Sequence[Doc]) -> list[str]:
    """Questions that may come next, about what the answer rested on."""
    questions = []
    for doc in docs:
        if doc.facet == "project":
            questions.append(_("Tell me about %(work)s") % {"work": doc.title})
        elif doc.facet == "experience" and " — " in doc.title:
            company = doc.title.split(" — ")[-1]
            questions.append(_("What did you do at %(company)s?") % {"company": company})
    return list(dict.fromkeys(questions))[:FOLLOW_UPS] if plan.question_type != "meta" else []
