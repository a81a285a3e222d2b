"""The front door: a person's own present tasks in one message, or over a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from futura.language.lexicon import VAGUE
from futura.language.task_phrases import patterns
from futura.language.task_phrases.answers import options_of, taken_of
from futura.language.task_phrases.items import Draft, drafts_in
from futura.language.task_phrases.patterns import without_tail
from futura.language.tokens import Token, line_of, sentences_of, tokens_of
from futura.language.verbs import singular
from futura.text import content_stems, jaccard, sentences

SAME_TASK: Final = 0.75
"""Overlap of content stems from which two mentions are one task."""
_GAPS: Final = re.compile(r"(?:<[^<>]{1,200}>|\s)+")
_OWN: Final = re.compile(r"\b(?:i|we|my job is)\b")
_EMPTY_VERBS: Final = frozenset("do does doing have go get put make take be see".split())
_COMMON: Final = frozenset("the and my with our for to them their i'm".split())
_ITEM: Final = re.compile(r"[^,;，、；\n\r]+")
"""An item of a list in any script: between lines, commas and semicolons."""


@dataclass(frozen=True)
class TaskPhrase:
    """A task in a message, `text[start:end] == quote`; `raw` is it in words that stand alone.

    `turn_index` is the place of the message among the turns of a conversation.
    """

    start: int
    end: int
    quote: str
    raw: str
    turn_index: int = 0


class Turn(Protocol):
    """One message: who wrote it ("user" or "assistant") and what."""

    @property
    def role(self) -> str: ...
    @property
    def text(self) -> str: ...


def tasks_in(
    text: str, *, question: str = "", language: str = "en", turn_index: int = 0
) -> list[TaskPhrase]:
    """The writer's own present tasks in one message, given the question it answers.

    They are in order and do not overlap, save that an answer such as "both" gives several tasks
    with the same stretch. In another language than English the items of the message's list are
    taken as they stand; `language` may be the browser's, so words that are plainly English count.
    """
    if not (language.lower().startswith("en") or _is_english(text)):
        return _without_repeats(_listed(text, turn_index), language)
    tokens = tokens_of(text)
    taken, at, end = taken_of(options_of(question), text)
    quote = text[at:end].rstrip()
    phrases = [TaskPhrase(at, at + len(quote), quote, raw, turn_index) for raw in taken]
    for sentence in sentences_of([token for token in tokens if token.start >= end]):
        drafts = [] if _is_disowned(sentence) else drafts_in(sentence)
        phrases.extend(p for draft in drafts if (p := _phrase_of(draft, text, turn_index)))
    return _without_repeats(phrases, "en")


def phrases_of(turns: Sequence[Turn], *, language: str = "en") -> list[TaskPhrase]:
    """The person's tasks over a whole conversation, each once, in the order of mention."""
    phrases: list[TaskPhrase] = []
    question = ""
    for index, turn in enumerate(turns):
        if turn.role == "user":
            phrases += tasks_in(turn.text, question=question, language=language, turn_index=index)
        question = "" if turn.role == "user" else turn.text
    return _without_repeats(phrases, language)


def _is_english(text: str) -> bool:
    """Whether a text is plainly English: two of its commonest words, among six at most."""
    words = text.lower().split()
    common = [word for word in words if word in _COMMON]
    return len(set(common)) >= 2 and len(common) * 6 >= len(words)


def _listed(text: str, turn_index: int) -> list[TaskPhrase]:
    """The items between sentences, lines and commas, each with two letters, as they stand."""
    phrases = []
    for sentence in sentences(text):
        for match in _ITEM.finditer(text, sentence.start, sentence.end):
            quote = match.group().strip(" \t-–—•*.。!?¿¡·")
            if sum(letter.isalpha() for letter in quote) > 1:  # no “z” and “B” of “z. B.”
                start = match.start() + match.group().index(quote)
                phrases.append(TaskPhrase(start, start + len(quote), quote, quote, turn_index))
    return phrases


def _is_disowned(sentence: Sequence[Token]) -> bool:
    """Whether the end gives all of it away: "dispatch plans the routes, not me".

    With a first person before it ("I do invoices, the books are not mine") the end speaks of its
    own part only; that is for the clauses to tell.
    """
    line = line_of(sentence)
    match = patterns.DISOWNED.search(line)
    return match is not None and match.start() > 0 and not _OWN.search(line[: match.start()])


def _phrase_of(draft: Draft, text: str, turn_index: int) -> TaskPhrase | None:
    tokens = without_tail(draft.tokens)
    while tokens and tokens[-1].kind != "word":
        tokens = tokens[:-1]
    if not tokens:
        return None
    start, end = tokens[0].start, tokens[-1].end
    parts = [draft.shared, _joined(text, tokens), _joined(text, without_tail(draft.borrowed))]
    raw = " ".join(part for part in parts if part)
    return None if _is_vague(raw) else TaskPhrase(start, end, text[start:end], raw, turn_index)


def _joined(text: str, tokens: Sequence[Token]) -> str:
    return _GAPS.sub(" ", text[tokens[0].start : tokens[-1].end]).strip() if tokens else ""


def _is_vague(raw: str) -> bool:
    """Whether nothing is left of a task but words that could mean any work."""
    words = [token.lower for token in tokens_of(raw) if content_stems(token.lower)]
    return all(
        {word, singular(word)} & VAGUE or word in _EMPTY_VERBS or len(word) < 2 for word in words
    )


def _without_repeats(phrases: Iterable[TaskPhrase], language: str) -> list[TaskPhrase]:
    distinct: list[TaskPhrase] = []
    for phrase in phrases:
        if not any(is_repeat(phrase.raw, other.raw, language) for other in distinct):
            distinct.append(phrase)
    return distinct


def is_repeat(task: str, other: str, language: str) -> bool:
    """Whether two mentions are one task; in another language than English only by equal words.

    There the stems say little: “Ich belade den LKW” and “Ich entlade den LKW” share all but one.
    """
    is_english = language.lower().startswith("en")
    overlap = jaccard(content_stems(task), content_stems(other)) if is_english else 0.0
    return overlap >= SAME_TASK or task.casefold() == other.casefold()
