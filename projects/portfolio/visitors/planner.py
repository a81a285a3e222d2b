"""The plan of a question by a model: what it asks for, where to look, and its language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from chat.assistant.delimiter import Delimiter
from chat.memory.shapes import Utterance
from futura.llm.client import Llm
from futura.text import content_overlap
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import RetrievalPlan
from projects.portfolio.visitors.speaker import Speaker

STAGE: Final = "portfolio_planner"
TURNS_SEEN: Final = 3
"""Earlier turns that planner and evidence see (spec 3, 5.1)."""
QUERY_CHARS: Final = 400
FOLLOW_UPS: Final = 3
SAME_QUESTION: Final = 0.7


def plan_with_model(
    question: str, history: Sequence[Utterance], speaker: Speaker, llm: Llm, delimiter: Delimiter
) -> RetrievalPlan:
    """The plan of a question. Raises ModelUnavailable."""
    messages = prompts.planner(question, history[-2 * TURNS_SEEN :], speaker, delimiter)
    plan = llm.structured(STAGE, messages, RetrievalPlan, prompt_version=prompts.PLANNER_VERSION)
    return checked(plan, question)


def checked(plan: RetrievalPlan, question: str) -> RetrievalPlan:
    """A plan within its shape: no cards for small talk, no negative counts, always a question.

    Clamping to the limits is left to retrieval, which tells both figures.
    """
    result = plan.model_copy(deep=True)
    result.standalone_question = plan.standalone_question.strip()[:2_000] or question
    result.language = plan.language[:60]
    if result.question_type == "meta":
        result.cards_enabled, result.enumeration = False, "sample"
        result.retrieval_requests = []
    for request in result.retrieval_requests:
        request.top_k = max(0, request.top_k)
        request.query_text = request.query_text[:QUERY_CHARS]
    return result


def follow_ups(plan: RetrievalPlan, question: str, docs: Sequence[Doc]) -> list[str]:
    """Questions that may come next, about what the answer rested on; none twice."""
    if plan.question_type == "meta":
        return []
    questions = []
    for doc in docs:
        if doc.facet == "project":
            questions.append(_("Tell me about %(work)s") % {"work": doc.title})
        elif doc.facet == "experience" and " — " in doc.title:
            company = doc.title.split(" — ")[-1]
            questions.append(_("What did you do at %(company)s?") % {"company": company})
    first = list(dict.fromkeys(questions))[:FOLLOW_UPS]
    return [text for text in first if content_overlap(text, question) < SAME_QUESTION]
