"""The answer of a turn, sentence by sentence, each with the evidence that it cites.

A sentence that cites an id which was not shown is not released, nor is one with a web or mail
address or a telephone number that stands in no document; one that cites nothing is released without
a claim. Nothing else is read into the words (DECISIONS 51).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from futura.llm.checks import Reason
from futura.text import sentences
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import (
    Claim,
    Dropped,
    Evidence,
    Question,
    RetrievalPlan,
)

STAGE: Final = "portfolio_answer"
THOUGHTS: Final = 6
_IDS: Final = r"[\[【]\s*[sf]\d+(?:\s*[,;、，–-]\s*[sf]?\d+)*\s*[\]】]"
_MARK: Final = re.compile(rf"[ \t\u00a0]*({_IDS})", re.IGNORECASE)
_ID: Final = re.compile(r"[sf]\d+", re.IGNORECASE)
_RANGE: Final = re.compile(r"([sf])(\d+)\s*[–-]\s*\1?(\d+)")
_MARKS_NEXT: Final = re.compile(rf"(?:\s*{_IDS})+[.!?。！？]*", re.IGNORECASE)
_MARK_BEGUN: Final = re.compile(r"[\[【][\ssf\d,;、，–-]*", re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"(?:https?:)?//[^\s)\]>\"'“”]+|www\.[^\s)\]>\"'“”]+|[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|\]\(\s*(?P<target>[^)\s]+)|\+\d[\d ()./-]{6,20}\d",
    re.IGNORECASE,
)


@dataclass
class Answer:
    """What has been released of an answer; grows while it is written."""

    text: str = ""
    claims: list[Claim] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)

    def add(self, text: str, evidence: Sequence[int] = ()) -> str:
        """Adds a stretch, with the numbers of the evidence behind it, and gives its text back."""
        start = len(self.text)
        self.text += text
        if evidence and (claim := text.strip()):
            begin = start + text.index(claim)
            self.claims.append(
                Claim(start=begin, end=begin + len(claim), text=claim, evidence=list(evidence))
            )
        return text


def answer_with_model(
    question: Question,
    plan: RetrievalPlan,
    nearby: Sequence[Doc],
    evidence: Evidence,
    answer: Answer,
) -> Iterator[str]:
    """The model's sentences as they come. Raises ModelUnavailable."""
    messages = prompts.answer(question, plan, evidence, nearby)
    numbers = {sentence.id: place for place, sentence in enumerate(evidence.sentences, start=1)}
    source_text = _bare("\n".join([*(doc.text for doc in nearby), question.speaker.identity]))
    stream = question.llm.stream_structured(
        STAGE, messages, prompts.AnswerOut, field="message", prompt_version=prompts.ANSWER_VERSION
    )
    waiting, used = "", 0
    with closing(stream):  # type: ignore[type-var]
        for item in stream:
            if not isinstance(item, str):
                answer.thoughts = list(item.thoughts or ())[:THOUGHTS]
                continue
            whole, waiting = whole_sentences(waiting + item)
            for written in whole:
                if text := released(written, numbers, source_text, answer):
                    used += 1
                    yield text
    if waiting and (text := released(waiting, numbers, source_text, answer)):
        used += 1
        yield text
    question.llm.checked(STAGE, used=used, refused={Reason.UNKNOWN_ID: len(answer.dropped)})


def whole_sentences(text: str) -> tuple[list[str], str]:
    """Sentences that are complete, with the marks behind them, and the rest of the text.

    One is complete when something stands behind it that cannot be a mark any more.
    """
    complete, start = [], 0
    without_marks = _MARK.sub(lambda mark: " " * len(mark[0]), text)
    for sentence in sentences(without_marks):
        marks = _MARKS_NEXT.match(text, sentence.end)
        end = marks.end() if marks else sentence.end
        label = text[end:].lstrip()
        if end > start and label and not _MARK_BEGUN.fullmatch(label):
            complete.append(text[start:end])
            start = end
    return complete, text[start:]


def released(written: str, numbers: dict[str, int], source_text: str, answer: Answer) -> str:
    """The sentence as it may be shown; empty where it cites or names what was not shown."""
    marks = "".join(mark[1].lower() for mark in _MARK.finditer(written))
    ranges = [(kind, int(first), int(last)) for kind, first, last in _RANGE.findall(marks)]
    between = (
        shown for shown in numbers for kind, first, last in ranges
        if shown[0] == kind and first <= int(shown[1:]) <= last
    )  # fmt: skip
    cites = list(dict.fromkeys([*_ID.findall(marks), *between]))
    text = _MARK.sub("", written)
    if unknown := [cited for cited in cites if cited not in numbers]:
        what = f"{', '.join(unknown)}: {text.strip()}"[:200]
        answer.dropped.append(Dropped(stage="answer", code="UNKNOWN_SENTENCE", what=what))
        return ""
    # web and mail addresses, targets of links, and international telephone numbers
    matches = [match["target"] or match[0].rstrip(".,;:!?") for match in _ADDRESS.finditer(text)]
    if strange := [address for address in matches if _bare(address) not in source_text]:
        what = ", ".join(strange)[:200]
        answer.dropped.append(Dropped(stage="answer", code="UNKNOWN_ADDRESS", what=what))
        return ""
    text = text if answer.text else text.lstrip()
    return answer.add(text, [numbers[cited] for cited in cites]) if text else ""


def _bare(text: str) -> str:
    return "".join(text.casefold().split())
