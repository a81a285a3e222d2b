"""The rolling summary and the key facts of a stretch of messages: by a model, and by rules.

Whoever writes the summary, it is bounded, and sentences that say what was taken back are struck.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from chat.memory.corrections import Said, indexed, positive, stale
from chat.memory.facts import added, bounded, holding, learned
from chat.memory.prompts import (
    FactFound,
    FactsAnswer,
    FactsInput,
    Line,
    SummaryAnswer,
    SummaryInput,
    facts_messages,
    summary_messages,
)
from chat.memory.sentences import read, sentences
from chat.memory.shapes import Fact
from chat.memory.tokens import count
from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from futura.text import content_stems

SUMMARY_TOKENS: Final = 1_500
"""What the rolling summary may cost in a prompt, however long the conversation."""

_LINE: Final = re.compile(r"^\[(?P<seq>\d+)\] (?P<who>Person|Assistant): (?P<text>.+)$")
_LINE_CHARS: Final = 180
_INTENT: Final = re.compile(
    r"\b(?:want|need|would like|['’]d like|please|can you|could you|help|goal|plan|trying|try to"
    r"|looking for|hope|idea|problem|question|why|how|next|later|still|open)\b",
    re.IGNORECASE,
)
_TONE: Final = re.compile(
    r"\b(?:happy|glad|proud|excited|worried|afraid|frustrat\w+|annoy\w+|tired|stress\w+|angry|sad"
    r"|love|hate|difficult|hard|easy|fun|boring|urgent|nervous|relieved)\b",
    re.IGNORECASE,
)
_PROMISE: Final = re.compile(
    r"\b(?:I['’]ll|I will|I have|I['’]ve|done|created|updated|removed|suggest\w*|propos\w*|draft\w*"
    r"|we could|here is|here are)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Memory:
    """What is known of the covered part of a conversation."""

    summary: str
    facts: Sequence[Fact]


# Key facts ------------------------------------------------------------------------------------
def facts_by_rules(memory: Memory, messages: Sequence[Line], ids: dict[int, str]) -> list[Fact]:
    """The facts with those that these messages state; `ids` gives a message's id by its number."""
    said = [Said(ids[one.seq], one.seq, one.text) for one in messages if one.is_person]
    return bounded(learned(memory.facts, said))


def facts_with_model(
    memory: Memory, messages: Sequence[Line], ids: dict[int, str], llm: Llm
) -> list[Fact]:
    """What the rules find, and what the model finds beside it. Raises ModelUnavailable.

    A fact of the model counts only where its words stand in the message that it names.
    """
    facts = facts_by_rules(memory, messages, ids)
    known = holding(facts)
    answer = llm.structured(
        "key_facts",
        facts_messages(FactsInput(known, messages)),
        FactsAnswer,
        prompt_version=FactsAnswer.VERSION,
    )
    texts = {one.seq: one.text for one in messages if one.is_person}
    for found in sorted(answer.facts, key=lambda one: one.message):
        if _is_grounded(found, texts):
            facts = _with_found(facts, known, found, ids[found.message])
    return bounded(facts)


def _is_grounded(found: FactFound, texts: dict[int, str]) -> bool:
    source = texts.get(found.message, "")
    wanted = content_stems(found.text)
    if not wanted or len(found.text) > 400:
        return False
    return len(wanted & content_stems(source)) >= 0.5 * len(wanted) and all(
        value.text.lower() in source.lower() for value in read(found.text).values
    )


def _with_found(
    facts: Sequence[Fact], known: Sequence[Fact], found: FactFound, message_id: str
) -> list[Fact]:
    taken_back = {
        id(known[number - 1])
        for number in found.replaces
        if 0 < number <= len(known) and known[number - 1].seq < found.message
    }
    out = [
        _taken_back(fact, found, message_id) if id(fact) in taken_back and fact.holds else fact
        for fact in facts
    ]
    if found.is_withdrawal:
        return out
    text = " ".join(found.text.split())
    weight = read(text).score + 3
    fact = Fact(text, found.kind, message_id, found.message, by="model", score=weight)
    return added(out, indexed(fact))


def _taken_back(fact: Fact, found: FactFound, message_id: str) -> Fact:
    """As a mark; the words that must not come back are those that the new wording lacks."""
    old = "" if found.is_withdrawal else _lost(fact.text, found.text)
    return replace(
        fact,
        superseded_by="" if found.is_withdrawal else message_id,
        superseded_seq=found.message,
        withdrawn=not old,
        old=old,
        about=tuple(sorted(content_stems(fact.text) - content_stems(old))),
    )


def _lost(before: str, after: str) -> str:
    """The value, or the few words side by side, that one sentence has and the other has not."""
    values = [v.text for v in read(before).values if v.text.lower() not in after.lower()]
    if values:
        return values[0] if len(values) == 1 else ""
    kept = {word.strip(".,;:!?").lower() for word in after.split()}
    spoken = [word.strip(".,;:!?") for word in before.split()]
    gone = [at for at, word in enumerate(spoken) if word.lower() not in kept]
    if not gone or len(gone) > 3 or gone[-1] - gone[0] != len(gone) - 1:
        return ""
    return " ".join(spoken[gone[0] : gone[-1] + 1])


# Summary --------------------------------------------------------------------------------------
def summary_with_model(memory: Memory, messages: Sequence[Line], llm: Llm) -> str:
    """The summary with these messages folded in. Raises ModelUnavailable."""
    asked = SummaryInput(
        summary=memory.summary,
        facts=holding(memory.facts),
        gone=[fact.old or fact.text for fact in memory.facts if not fact.holds],
        messages=messages,
    )
    answer = llm.structured(
        "summary", summary_messages(asked), SummaryAnswer, prompt_version=SummaryAnswer.VERSION
    )
    kept = without_stale(answer.summary, memory.facts)
    if not kept.strip():
        raise ModelUnavailable(reason="empty")
    return _within(kept)


def summary_by_rules(memory: Memory, messages: Sequence[Line]) -> str:
    """Extracts: one line per message that shows intent, tone or a promise, the best that fit.

    What a model once wrote stays on top, shortened to half of the room.
    """
    told = {fact.text for fact in memory.facts}
    fresh = [_extract(message, told) for message in messages]
    if not any(fresh):
        fresh = [_extract(message, ()) for message in messages]
    lines = _different([*_lines_in(memory.summary), *filter(None, fresh)])
    prose = _within(_prose_in(memory.summary), SUMMARY_TOKENS // 2)
    room = SUMMARY_TOKENS - count(prose)
    newest = max((one.seq for one in lines), default=0)
    kept: list[Line] = []
    for one in sorted(lines, key=lambda line: -_worth(line, newest)):
        size = count(_as_text(one))
        if size <= room:
            kept.append(one)
            room -= size
    text = "\n".join(filter(None, [prose, *(_as_text(one) for one in sorted(kept, key=_seq))]))
    return without_stale(text, memory.facts)


def _seq(one: Line) -> int:
    return one.seq


def _extract(message: Line, told: Collection[str]) -> Line | None:
    """The sentence of a message that says most about intent and tone, if no fact says it."""
    said = list(sentences(message.text))
    if message.is_person:
        said = [one for one in map(positive, said) if one not in told]
    best = max(said, key=_weight, default="")
    if not best or _weight(best) < (2 if message.is_person else 3):
        return None
    cut = best if len(best) <= _LINE_CHARS else f"{best[:_LINE_CHARS].rsplit(' ', 1)[0]}…"
    return Line(message.seq, message.is_person, cut)


def _different(lines: Sequence[Line]) -> list[Line]:
    """The first of those that say the same."""
    seen: dict[tuple[bool, frozenset[str]], Line] = {}
    for one in lines:
        seen.setdefault((one.is_person, content_stems(one.text)), one)
    return list(seen.values())


def _weight(sentence: str) -> int:
    found = (_INTENT, _TONE, _PROMISE)
    return sum(2 for pattern in found if pattern.search(sentence)) + min(2, read(sentence).score)


def _worth(one: Line, newest: int) -> float:
    """Weight, and up to three points for being recent."""
    return _weight(one.text) + one.is_person + 3 * one.seq / max(1, newest)


def _as_text(one: Line) -> str:
    return f"[{one.seq}] {'Person' if one.is_person else 'Assistant'}: {one.text}"


def _lines_in(summary: str) -> list[Line]:
    found = (_LINE.match(line) for line in summary.splitlines())
    return [Line(int(m["seq"]), m["who"] == "Person", m["text"]) for m in found if m]


def _prose_in(summary: str) -> str:
    return "\n".join(line for line in summary.splitlines() if not _LINE.match(line)).strip()


def without_stale(summary: str, facts: Sequence[Fact]) -> str:
    """The summary without sentences that say what was corrected or withdrawn."""
    marks = [fact for fact in facts if not fact.holds]
    if not marks:
        return summary
    lines = []
    for line in summary.splitlines():
        match = _LINE.match(line)
        seq = int(match["seq"]) if match else 0
        said = match["text"] if match else line
        kept = [one for one in sentences(said) if not stale(one, marks, seq=seq - 1)]
        if match and kept:
            lines.append(f"[{seq}] {match['who']}: {' '.join(kept)}")
        elif not match:
            lines.append(" ".join(kept))
    return "\n".join(lines).strip()


def _within(text: str, tokens: int = SUMMARY_TOKENS) -> str:
    """The first sentences that fit."""
    if count(text) <= tokens:
        return text
    kept: list[str] = []
    room = tokens
    for sentence in sentences(text):
        room -= count(sentence) + 1
        if room < 0:
            break
        kept.append(sentence)
    return " ".join(kept)
