"""The words of a reply: what it is to do, the model's text, and how one that broke off goes on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
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
from tasks.interview.prompts import RESPONSE_VERSION, going_on_messages, reply_messages
from tasks.interview.state import SurveyState, Tool

OPENING: Final = Choice(Tool.OPEN, "the conversation begins", "engine")
_PLANNED: Final = "tool_selection"


def noted_plan(question: Question | None) -> dict[str, Any]:
    """What the trace keeps of a plan beside the tool and its reason."""
    if question is None:
        return {}
    return {"question": question.text, "area": question.area, "pending": list(question.pending)}


def planned_in(stages: Sequence[Mapping[str, Any]]) -> tuple[Choice, Question | None] | None:
    """The plan of a run that had begun to reply; None when it had not come so far."""
    if not any(stage.get("name") == "response" for stage in stages):
        return None
    done = [stage for stage in stages if stage.get("name") == _PLANNED and "by" in stage]
    if not done:  # only the opening is said without choosing
        return OPENING, None
    detail = done[-1].get("detail") or {}
    if detail.get("tool") not in list(Tool):
        return None
    text = str(detail.get("question") or "")
    pending = tuple(str(task) for task in detail.get("pending") or ())
    question = Question(text, str(detail.get("area") or ""), pending) if text else None
    return Choice(Tool(detail["tool"]), str(detail.get("reason") or ""), "engine"), question


def joined(begun: str, stream: Iterator[str]) -> Iterator[str]:
    """What remains of a text as it comes, without what of `begun` it repeats, fitted to its end.

    Models like to begin again with the sentence that broke off, or with everything.
    """
    unfinished = begun[max(begun.rfind(sign) for sign in ".!?…") + 1 :]
    repeated = [text.strip() for text in (begun, unfinished)]
    held = ""
    for delta in stream:
        held += delta
        if not any(text.startswith(held.strip()) for text in repeated):
            break
    remaining = held.lstrip()
    for text in repeated:
        if text and remaining.startswith(text) and not remaining[len(text) :][:1].isalnum():
            remaining = remaining[len(text) :].lstrip()
            break
    if remaining:
        fits = not begun or begun[-1].isspace() or remaining[0] in ".,;:!?…)’'"
        yield remaining if fits else f" {remaining}"
    yield from stream


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


def reply_with_model(plan: Plan, llm: Llm, *, begun: str = "") -> Iterator[str]:
    """The model's words as they come.

    With `begun`, the first words of a reply that broke off, only what comes after them. Raises
    ModelUnavailable, before the first words or (a cut stream) after them.
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
    if begun:
        messages += going_on_messages(begun)
    stream = llm.stream_text("response", messages, prompt_version=RESPONSE_VERSION)
    return joined(begun, stream) if begun else stream


def question_in(text: str) -> str:
    """The last sentence of a text that ends in a question mark of any script, or nothing."""
    questions = [part.strip() for part in SENTENCE_END.split(text) if _is_question(part)]
    return questions[-1] if questions else ""


def is_whole(text: str) -> bool:
    return bool(text.strip()) and (_is_question(text) or text.rstrip()[-1] in ".!…。！")


def _is_question(sentence: str) -> bool:
    last = sentence.strip().rstrip("\"'”’)»」")[-1:]
    return bool(last) and "QUESTION MARK" in unicodedata.name(last, "")
