"""Step 1: from the conversation to raw tasks, each with the words of the person it stands on."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from futura.llm.client import Llm
from futura.text import content_stems
from tasks.language.answers import resolve
from tasks.language.extract import extract_tasks, is_vague
from tasks.language.questions import asked
from tasks.language.tokens import tokens_of
from tasks.pipeline.prompts import ExtractionAnswer, FoundTask, Line, extraction_messages

FUZZY_QUOTE: Final = 85.0
"""Likeness (0 to 100) from which a misquoted stretch still counts as the one meant."""
MIN_QUOTE: Final = 3
_ODD_QUOTES: Final = str.maketrans("’‘“”–—\u00a0‹›", "''\"\"-- <>")


@dataclass(frozen=True)
class SourceTurn:
    """One message of the conversation: `text` is read, `message_id` and `seq` say where it is."""

    role: str
    text: str
    message_id: uuid.UUID
    seq: int


@dataclass(frozen=True)
class RawTask:
    """A task as it was told, with its stretch of the person's message."""

    raw: str
    quote: str
    message_id: uuid.UUID
    start: int
    end: int


def extract_by_rules(turns: Sequence[SourceTurn]) -> list[RawTask]:
    """The person's tasks by grammar."""
    return [
        RawTask(task.raw, task.quote, turns[task.turn_index].message_id, task.start, task.end)
        for task in extract_tasks(turns)
    ]


def extract_with_model(turns: Sequence[SourceTurn], *, job_title: str, llm: Llm) -> list[RawTask]:
    """The person's tasks by the model; what has no stretch in the person's words is dropped.

    Raises ModelUnavailable. When nothing of the answer holds, the rules are asked.
    """
    if not any(turn.role == "user" for turn in turns):
        return []
    lines = [Line(n, turn.role == "user", turn.text) for n, turn in enumerate(turns, start=1)]
    answer = llm.structured(
        "extraction",
        extraction_messages(job_title, lines),
        ExtractionAnswer,
        prompt_version=ExtractionAnswer.VERSION,
    )
    found: list[RawTask] = []
    seen: set[str] = set()
    for item in answer.extracted_tasks:
        task = _verified(item, turns)
        if task is not None and task.raw.casefold() not in seen:
            seen.add(task.raw.casefold())
            found.append(task)
    return found or extract_by_rules(turns)


def _verified(item: FoundTask, turns: Sequence[SourceTurn]) -> RawTask | None:
    raw = " ".join(item.task.split())[:300]
    if is_vague(raw):
        return None
    at = item.message - 1
    if not (0 <= at < len(turns) and turns[at].role == "user"):
        at = _message_with(item.quote, turns)
    if at < 0:
        return None
    span = located(item.quote, turns[at].text) or located(raw, turns[at].text)
    if span is None or not _is_own(raw, at, turns):
        return None
    start, end = span
    return RawTask(raw, turns[at].text[start:end], turns[at].message_id, start, end)


def _message_with(quote: str, turns: Sequence[SourceTurn]) -> int:
    for index, turn in enumerate(turns):
        if turn.role == "user" and _exact(quote, turn.text) is not None:
            return index
    return -1


def _is_own(raw: str, at: int, turns: Sequence[SourceTurn]) -> bool:
    """Whether the person said the task, or confirmed it when only the interviewer named it."""
    stems = content_stems(raw)
    if stems & content_stems(turns[at].text):
        return True
    question = turns[at - 1].text if at and turns[at - 1].role != "user" else ""
    answer = resolve(turns[at].text, tokens_of(turns[at].text), asked(question))
    return any(stems & content_stems(option) for _start, _end, option in answer.tasks)


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text: letter by letter, else the most similar stretch."""
    quote = quote.strip().strip("\"'“”‘’.…").strip()
    if len(quote) < MIN_QUOTE and quote.casefold() not in {"no", "ok"}:
        return None
    exact = _exact(quote, text)
    if exact is not None:
        return exact
    if len(quote) > len(text) + 20:
        return None
    alignment = fuzz.partial_ratio_alignment(_plain(quote), _plain(text), score_cutoff=FUZZY_QUOTE)
    if alignment is None or alignment.dest_end <= alignment.dest_start:
        return None
    return _whole_words(text, alignment.dest_start, alignment.dest_end)


def _plain(text: str) -> str:
    """Lower case and straight quotes, as long as the text itself, so that places stay."""
    return "".join(
        char.lower() if len(char.lower()) == 1 else char for char in text.translate(_ODD_QUOTES)
    )


def _exact(quote: str, text: str) -> tuple[int, int] | None:
    words = _plain(quote).split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), _plain(text))
    return found.span() if found else None


def _whole_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return (start, end) if end > start else None
