"""The front door of rule-based extraction: a person's own present tasks in what they wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from futura.text import content_stems, jaccard
from tasks.language.answers import resolve
from tasks.language.disowned import is_disowned
from tasks.language.items import Draft, drafts_in
from tasks.language.phrases import VAGUE, without_tail
from tasks.language.questions import asked
from tasks.language.tokens import Token, sentences_of, tokens_of

SAME_TASK: Final = 0.75
"""Overlap of content stems from which two mentions are one task."""
_REMEMBERED: Final = 6
"""Tasks looked back at for what "it" or "them" means."""
_POINTING: Final = frozenset({"it", "them", "those", "these"})
_CLAUSE_OPENERS: Final = frozenset("when if where once whenever because that while".split())
_GAPS: Final = re.compile(r"(?:<[^<>]{1,200}>|\s)+")
_EMPTY_VERBS: Final = frozenset("do does doing have go get put make take be see".split(" "))


@dataclass(frozen=True)
class Span:
    """A task in one message: `text[start:end] == quote`; `raw` is it in words that stand alone."""

    start: int
    end: int
    quote: str
    raw: str

    @property
    def text(self) -> str:
        """The task in words that stand alone."""
        return self.raw


class TurnText(Protocol):
    """One message: who wrote it ("user" or "assistant") and what."""

    @property
    def role(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class Turn:
    """A message as extraction reads it."""

    role: str
    text: str


@dataclass(frozen=True)
class ExtractedTask:
    """A task with the exact stretch of the message (by its place among the turns) it came from."""

    raw: str
    quote: str
    start: int
    end: int
    turn_index: int


def tasks_in(text: str, *, question: str | None = None) -> list[Span]:
    """The writer's own present tasks in one message, given the question it answers.

    Spans are in order and do not overlap, save that an answer such as "both" gives several tasks
    with the same stretch.
    """
    asking = asked(question or "")
    tokens = tokens_of(text)
    answer = resolve(text, tokens, asking)
    spans = [Span(s, e, text[s:e], raw) for s, e, raw in answer.tasks]
    remaining = [token for token in tokens if token.start >= answer.consumed]
    earlier: list[Draft] = []
    for sentence in sentences_of(remaining):
        if is_disowned(sentence):
            continue
        drafts = drafts_in(
            sentence, nouns=answer.nouns, is_recent=asking.is_past, before=earlier[-_REMEMBERED:]
        )
        earlier.extend(drafts)
        spans.extend(span for draft in drafts if (span := _span_of(draft, text)))
    return _without_repeats(spans)


def extract_tasks(turns: Sequence[TurnText]) -> list[ExtractedTask]:
    """The person's tasks over a whole conversation, each once, in the order they were told."""
    found: list[ExtractedTask] = []
    question: str | None = None
    for index, turn in enumerate(turns):
        if turn.role != "user":
            question = turn.text
            continue
        found.extend(
            ExtractedTask(span.raw, span.quote, span.start, span.end, index)
            for span in tasks_in(turn.text, question=question)
        )
        question = None
    return _without_repeats(found)


def _span_of(draft: Draft, text: str) -> Span | None:
    tokens = without_tail(draft.tokens)
    while tokens and tokens[-1].kind != "word":
        tokens = tokens[:-1]
    if not tokens:
        return None
    start, end = tokens[0].start, tokens[-1].end
    raw = _joined(text, tokens) if not draft.meant else _resolved(text, tokens, draft)
    if draft.shared:
        raw = f"{draft.shared} {raw}"
    elif draft.borrowed:
        raw = f"{raw} {_joined(text, without_tail(draft.borrowed))}"
    return None if is_vague(raw) else Span(start, end, text[start:end], raw)


def _resolved(text: str, tokens: Sequence[Token], draft: Draft) -> str:
    """The words with "it" or "them" replaced by what is meant."""
    for index, token in enumerate(tokens):
        if token.lower in _POINTING and index and (tokens[index - 1].lower not in _CLAUSE_OPENERS):
            parts = [_joined(text, tokens[:index]), _joined(text, draft.meant)]
            return " ".join([*parts, _joined(text, tokens[index + 1 :])]).strip()
    return _joined(text, tokens)


def _joined(text: str, tokens: Sequence[Token]) -> str:
    if not tokens:
        return ""
    return _GAPS.sub(" ", text[tokens[0].start : tokens[-1].end]).strip()


def is_vague(raw: str) -> bool:
    """Whether nothing is left of a task but words that could mean any work."""
    words = [token.lower for token in tokens_of(raw) if token.kind == "word"]
    content = content_stems(raw)
    return not content or all(
        word in VAGUE or word in _EMPTY_VERBS or len(word) < 2
        for word in words
        if content_stems(word)
    )


class _HasRaw(Protocol):
    @property
    def raw(self) -> str: ...


OneT = TypeVar("OneT", bound=_HasRaw)


def _without_repeats(found: Iterable[OneT]) -> list[OneT]:
    kept: list[OneT] = []
    seen: list[frozenset[str]] = []
    for one in found:
        stems = content_stems(one.raw)
        if not any(stems == other or jaccard(stems, other) >= SAME_TASK for other in seen):
            kept.append(one)
            seen.append(stems)
    return kept
