"""The answer of a turn, sentence by sentence: what is not grounded or not decent is never released.

The pair `answer_with_model` / `answer_by_rules` yields the same pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from futura.llm.client import Llm
from futura.text import content_overlap
from projects.agent.fencing import Fence
from projects.portfolio.visitors import moderation, prompts, wording
from projects.portfolio.visitors.contract import Claim, Dropped, RetrievalPlan
from projects.portfolio.visitors.evidence import Settled
from projects.portfolio.visitors.grounding import Ground, fault_of
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.speaking import Speaker
from projects.portfolio.visitors.wording import Piece

STAGE: Final = "portfolio_answer"
LIKE_EVIDENCE: Final = 0.12
"""Overlap from which an unmarked sentence counts as resting on a piece of evidence."""
_ENDS: Final = re.compile(r"(?<=[.!?…])(?:\s*\[\d+\])*[\"”’)*_]*(?=\s)|\n+")
_MARK: Final = re.compile(r"\s*\[(\d+)\]")


@dataclass
class Spoken:
    """What has been released of an answer; grows while it is said."""

    text: str = ""
    claims: list[Claim] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    was_moderated: bool = False

    def add(self, piece: Piece) -> str:
        """Adds a stretch and gives its text back."""
        start = len(self.text)
        self.text += piece.text
        if piece.evidence:
            told = piece.text.strip()
            begin = start + piece.text.index(told)
            self.claims.append(
                Claim(start=begin, end=begin + len(told), text=told, evidence=list(piece.evidence))
            )
        return piece.text


def ground_of(
    question: str, plan: RetrievalPlan, found: Settled, speaker: Speaker, leaks: Sequence[str] = ()
) -> Ground:
    """What the sentences of an answer are held against."""
    proved = [f"{one.title}\n{one.text}\n{one.keywords}\n{one.started} {one.ended}"
              for one in (*found.documents, *found.cards)]  # fmt: skip
    quoted = [one.snippet for one in found.summary.selected_evidence]
    return Ground(
        text="\n".join([*proved, *quoted, speaker.identity, *_voice_replies(speaker)]),
        verdict=found.summary.verdict,
        counts=found.counts,
        question=question,
        is_binary=plan.question_type == "binary",
        leaks=tuple(leaks),
    )


def _voice_replies(speaker: Speaker) -> list[str]:
    """What the owner's own examples say may be said again."""
    return [one.partition("CHATBOT:")[2] for one in speaker.voice_examples]


def answer_by_rules(
    question: str, plan: RetrievalPlan, found: Settled, speaker: Speaker, spoken: Spoken
) -> Iterator[str]:
    """The answer in the documents' own words."""
    for piece in wording.pieces_of(question, plan, found, speaker):
        if moderation.is_indecent(piece.text):
            spoken.dropped.append(Dropped(stage="answer", code="MODERATED"))
            continue
        yield spoken.add(piece)


def answer_with_model(
    question: str,
    plan: RetrievalPlan,
    found: Settled,
    speaker: Speaker,
    spoken: Spoken,
    *,
    history: Sequence[Said],
    llm: Llm,
    fence: Fence,
) -> Iterator[str]:
    """The model's words, each sentence released when it holds. Raises ModelUnavailable.

    Where nothing of them holds, the answer by rules takes their place.
    """
    messages = prompts.answer(question, plan, found.summary, found.counts, history, speaker, fence)
    ground = ground_of(question, plan, found, speaker, [messages[0]["content"], speaker.persona])
    stream = llm.stream_structured(
        STAGE, messages, prompts.AnswerOut, field="message", prompt_version=prompts.ANSWER_VERSION
    )
    waiting = ""
    with closing(stream):  # type: ignore[type-var]
        for one in stream:
            if not isinstance(one, str):
                spoken.thoughts = list(one.thoughts)
                continue
            waiting += one
            whole, waiting = _whole_sentences(waiting)
            for sentence in whole:
                yield from _released(sentence, ground, found, spoken, llm)
    yield from _released(waiting, ground, found, spoken, llm)
    if not spoken.text.strip():
        yield from answer_by_rules(question, plan, found, speaker, spoken)


def _whole_sentences(text: str) -> tuple[list[str], str]:
    """Sentences that are complete, and the rest; their texts in a row are the text."""
    found, at = [], 0
    for match in _ENDS.finditer(text):
        if (
            match.end() < len(text)
            and match.end() > at
            and not _is_abbreviation(text[at : match.end()])
        ):
            found.append(text[at : match.end()])
            at = match.end()
    return found, text[at:]


def _is_abbreviation(sentence: str) -> bool:
    return (
        re.search(r"\b(?:e\.g|i\.e|etc|Dr|Mr|Ms|Mrs|Prof|St|vs|No|Inc|Ltd|Co|[A-Z])\.$", sentence)
        is not None
    )


def _released(
    sentence: str, ground: Ground, found: Settled, spoken: Spoken, llm: Llm
) -> Iterator[str]:
    """The sentence as it may be said, or nothing."""
    known = range(1, len(found.documents) + 1)
    marks = tuple(dict.fromkeys(int(one) for one in _MARK.findall(sentence) if int(one) in known))
    plain = _MARK.sub("", sentence)
    if not plain.strip():
        if spoken.text and plain:
            yield spoken.add(Piece(plain))
        return
    fault = fault_of(plain, ground, is_first=not spoken.text.strip())
    if fault is not None:
        spoken.dropped.append(Dropped(stage="answer", code=fault, what=plain.strip()[:200]))
        if fault == "CONTRADICTS_VERDICT" and not spoken.text:
            lead = "".join(one.text for one in wording.lead_of(ground.verdict))
            if lead:
                yield spoken.add(Piece(lead))
        return
    if moderation.is_flagged(plain, llm):
        spoken.was_moderated = True
        spoken.dropped.append(Dropped(stage="answer", code="MODERATED"))
        return
    if not spoken.text:
        plain = plain.lstrip()
    yield spoken.add(Piece(plain, marks or _behind(plain, found)))


def _behind(sentence: str, found: Settled) -> tuple[int, ...]:
    """The evidence that an unmarked sentence is nearest to."""
    best, most = 0, LIKE_EVIDENCE
    for number, item in enumerate(found.summary.selected_evidence, start=1):
        likeness = content_overlap(sentence, f"{item.title} {item.snippet}")
        if likeness > most:
            best, most = number, likeness
    return (best,) if best else ()
