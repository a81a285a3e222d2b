"""The key facts of a conversation: learned from messages in order, bounded, kept as JSON.

A fact that was corrected or withdrawn stays as a mark, so that neither a later look at the old
message nor a model that read it can bring it back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, Final, get_args

from chat.memory.corrections import (
    Said,
    corrected,
    indexed,
    is_withdrawal,
    line,
    says,
    stale,
    without,
)
from chat.memory.sentences import Sentence, read, sentences
from chat.memory.shapes import Fact, Kind
from chat.memory.tokens import count
from futura.text import content_stems, jaccard

FACTS_TOKENS: Final = 6_000
"""What all key facts together may cost in a prompt."""

MARKS: Final = 120
"""Corrected facts that are remembered as such."""

PER_MESSAGE: Final = 30
"""Facts taken from one message; a pasted document has more sentences than can matter."""

_FIELDS: Final = {field.name for field in fields(Fact)}
_KINDS: Final = frozenset(get_args(Kind))
_SAME: Final = 0.85


def learned(facts: Sequence[Fact], messages: Iterable[Said]) -> list[Fact]:
    """The facts after these messages of the person, in their order; safe to learn twice."""
    known = list(facts)
    for said in messages:
        known = corrected(known, said)
        gone = {one.old for one in known if one.superseded_by == said.message_id and one.old}
        for fact in _stated(said, gone):
            known = added(known, fact)
    return known


def _stated(said: Said, gone: Collection[str]) -> list[Fact]:
    """What one message states, the weightiest of it when that is a lot; `gone` it takes back."""
    found = [(text, read(text)) for text in sentences(said.text)]
    good = [one for one in found if one[1].score > 0 and not is_withdrawal(one[0])]
    best = sorted(good, key=lambda one: -one[1].score)[:PER_MESSAGE]
    kept = [one for one in good if one in best]
    told = ((without(text, gone), sentence) for text, sentence in kept)
    return [_fact(text, sentence, said) for text, sentence in told if read(text).score > 0]


def _fact(text: str, sentence: Sentence, said: Said) -> Fact:
    return indexed(Fact(text, sentence.kind, said.message_id, said.seq, score=sentence.score))


def added(facts: Sequence[Fact], fact: Fact) -> list[Fact]:
    """With one more, unless it is known or was taken back by a later message.

    What was taken back and is said again afterwards holds again.
    """
    if stale(fact.text, facts, seq=fact.seq):
        return list(facts)
    known = [one for one in facts if one.holds or not _says_again(fact, one)]
    for place, one in enumerate(known):
        if one.holds and _same(one, fact):
            weight = one.score + (2 if one.seq != fact.seq else 0)
            known[place] = replace(one, score=min(weight, 20))
            return known
    return [*known, fact]


def _says_again(fact: Fact, mark: Fact) -> bool:
    return fact.seq > mark.superseded_seq and says(fact.text, mark)


def _same(one: Fact, other: Fact) -> bool:
    """The same said twice; another number or name makes another fact."""
    if one.text == other.text:
        return True
    stems, others = content_stems(one.text), content_stems(other.text)
    if one.seq == other.seq and others <= stems:
        return True
    values = {value.text.lower() for value in read(one.text).values}
    return values == {v.text.lower() for v in read(other.text).values} and (
        jaccard(stems, others) >= _SAME
    )


def bounded(facts: Sequence[Fact], *, tokens: int = FACTS_TOKENS) -> list[Fact]:
    """The weightiest facts that fit, newer ones first among equals, in the order of the talk."""
    holding = sorted((one for one in facts if one.holds), key=lambda f: (-f.score, -f.seq))
    kept: list[Fact] = []
    used = 0
    for fact in holding:
        used += cost(fact)
        if used > tokens:
            break
        kept.append(fact)
    marks = sorted((one for one in facts if not one.holds), key=lambda f: -f.superseded_seq)
    return sorted([*kept, *marks[:MARKS]], key=lambda fact: fact.seq)


def cost(fact: Fact) -> int:
    """Tokens of its line in a prompt."""
    return fact.tokens or count(line(fact))


def still_there(facts: Iterable[Fact], message_ids: Collection[str]) -> list[Fact]:
    """Without the facts, and the corrections, of messages that were replaced or erased."""
    kept = []
    for fact in facts:
        if fact.message_id not in message_ids:
            continue
        gone = fact.superseded_by and fact.superseded_by not in message_ids
        kept.append(
            indexed(replace(fact, superseded_by="", superseded_seq=0, old="")) if gone else fact
        )
    return kept


def holding(facts: Iterable[Fact]) -> list[Fact]:
    """Those neither corrected nor withdrawn."""
    return [fact for fact in facts if fact.holds]


def to_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """As they are kept in `Session.key_facts`."""
    return [asdict(fact) | {"about": list(fact.about)} for fact in facts]


def from_json(rows: object) -> list[Fact]:
    """What `to_json` wrote; rows of another shape are left out."""
    if not isinstance(rows, list):
        return []
    return [fact for row in rows if isinstance(row, Mapping) and (fact := _from_row(row))]


def _from_row(row: Mapping[str, Any]) -> Fact | None:
    given = {key: row[key] for key in _FIELDS & set(row)}
    if not {"text", "kind", "message_id", "seq"} <= set(given) or given["kind"] not in _KINDS:
        return None
    return Fact(**given | {"about": tuple(given.get("about", ()))})
