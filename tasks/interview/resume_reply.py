"""A reply that broke off after its first words: the plan it followed, and where its rest joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chat.guides import StageDone
from futura.llm.client import Llm
from tasks.interview.gaps import Question
from tasks.interview.guards import Choice
from tasks.interview.state import Tool

_PLANNED: Final = "tool_selection"


@dataclass(frozen=True)
class Planned:
    """What the reply was to do, as the trace of its run has it."""

    choice: Choice
    question: Question | None
    detail: Mapping[str, Any]

    @property
    def done(self) -> StageDone:
        """The same once more, for the trace of the run that goes on."""
        return StageDone(_PLANNED, "engine", self.detail)


def noted_plan(question: Question | None) -> dict[str, Any]:
    """What the trace keeps of a plan beside the tool and its reason."""
    if question is None:
        return {}
    return {"question": question.text, "area": question.area, "pending": list(question.pending)}


def planned_in(stages: Sequence[Mapping[str, Any]]) -> Planned | None:
    """The plan of a run that had begun to reply; None when it had not come so far."""
    if not any(stage.get("name") == "response" for stage in stages):
        return None
    done = [stage for stage in stages if stage.get("name") == _PLANNED and "by" in stage]
    if not done:  # only the opening is said without choosing
        choice = Choice(Tool.OPEN, "the conversation begins", "engine")
        return Planned(choice, None, {"tool": Tool.OPEN.value})
    detail = done[-1].get("detail") or {}
    if detail.get("tool") not in list(Tool):
        return None
    text = str(detail.get("question") or "")
    pending = tuple(str(task) for task in detail.get("pending") or ())
    question = Question(text, str(detail.get("area") or ""), pending) if text else None
    choice = Choice(Tool(detail["tool"]), str(detail.get("reason") or ""), "engine")
    return Planned(choice, question, detail)


def can_continue(stages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a model is there to go on with a reply, and the plan it has to follow."""
    return Llm().is_configured and planned_in(stages) is not None


def joined(begun: str, stream: Iterator[str]) -> Iterator[str]:
    """What remains of a text as it comes, without what of `begun` it repeats, fitted to its end.

    Models like to begin again with the sentence that broke off, or with everything.
    """
    sentence = begun[_last_begin(begun) :]
    held = ""
    for delta in stream:
        held += delta
        if not any(_may_repeat(text, held) for text in (begun, sentence)):
            break
    remaining = held.lstrip()
    for text in (begun.strip(), sentence.strip()):
        if text and remaining.startswith(text) and not remaining[len(text) :][:1].isalnum():
            remaining = remaining[len(text) :].lstrip()
            break
    if remaining:
        yield _seam(begun, remaining) + remaining
    yield from stream


def _may_repeat(text: str, held: str) -> bool:
    """Whether what has come is the beginning of what was begun, or nothing yet."""
    return text.strip().startswith(held.strip())


def _last_begin(begun: str) -> int:
    """Where the sentence begins that is not finished; the end when the last one is."""
    ends = [begun.rfind(sign) for sign in ".!?…"]
    return max(ends) + 1


def _seam(begun: str, remaining: str) -> str:
    return "" if not begun or begun[-1].isspace() or remaining[0] in ".,;:!?…)’'" else " "
