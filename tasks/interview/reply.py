"""The words of a reply: what it is to do, and the model's text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from chat import languages
from chat.guides import Utterance
from futura.llm.client import Llm
from tasks.interview.gaps import Question
from tasks.interview.guards import Choice, Situation
from tasks.interview.prompts import RESPONSE_VERSION, reply_messages
from tasks.interview.state import SurveyState, Tool

OPENING: Final = Choice(Tool.OPEN, "the conversation begins", "engine")


def noted_plan(question: Question | None) -> dict[str, Any]:
    """What the trace keeps of a plan beside the tool and its reason."""
    if question is None:
        return {}
    return {"question": question.text, "area": question.area, "pending": list(question.pending)}


SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True)
class Plan:
    """Everything a reply needs: the tool, its question, and what happened in the turn."""

    choice: Choice
    situation: Situation
    question: Question | None
    seed: str
    history: Sequence[Utterance] = ()

    @property
    def tool(self) -> Tool:
        return self.choice.tool

    @property
    def state(self) -> SurveyState:
        return self.situation.state

    def asking(self, question: Question | None) -> Plan:
        return replace(self, question=question)


def cards_acknowledged(state: SurveyState) -> str:
    """The sentence for newly picked cards: one, then three in all, then several (DECISIONS 7).

    Empty without new cards, and where the interface does not speak the person's language: then
    the reply itself says it.
    """
    new, total = len(state.new_card_ids), len(state.selected_suggestion_ids)
    spoken = state.language or translation.get_language() or settings.LANGUAGE_CODE
    language = languages.known(spoken.split("-")[0].lower())
    if not new or not language:
        return ""
    with translation.override(language):
        if new == 1:
            return _("Got it, that task is noted.")
        if total >= 3:
            return _("Great, that makes {total} tasks from the suggestions.").format(total=total)
        return _("Nice, {new} more tasks added.").format(new=new)


def reply_with_model(plan: Plan, llm: Llm) -> Iterator[str]:
    """The model's words as they come.

    Raises ModelUnavailable, before the first words or (a cut stream) after them.
    """
    analysis, detail = plan.situation.analysis, plan.situation.detail
    messages = reply_messages(
        plan.tool,
        plan.state,
        plan.history,
        question=plan.question.text if plan.question else "",
        topic=detail.text if detail else "",
        manner=analysis.manner,
        wants_to_stop=plan.tool is Tool.OFFER and analysis.ending == "offer",
        is_acknowledged=bool(cards_acknowledged(plan.state)),
    )
    return llm.stream_text("response", messages, prompt_version=RESPONSE_VERSION)


def question_in(text: str) -> str:
    """The last sentence of a text that ends in a question mark of any script, or nothing."""
    questions = [part.strip() for part in SENTENCE_END.split(text) if _is_question(part)]
    return questions[-1] if questions else ""


def _is_question(sentence: str) -> bool:
    last = sentence.strip().rstrip("\"'”’)»」")[-1:]
    return bool(last) and "QUESTION MARK" in unicodedata.name(last, "")
