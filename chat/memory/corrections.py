"""Corrections by rules: "not X but Y", "actually …", "changed from X to Y", "forget the X"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from chat.memory.sentences import Sentence, Value, read, sentences
from chat.memory.shapes import Fact
from chat.memory.tokens import count
from futura.text import content_stems

_THING: Final = r"(?:[^,.;:!?–—]|(?<=\d)[.,:](?=\d)){1,60}?"
_STOP: Final = (
    r"(?=$|[,.;:!?–—)](?!\d)|\s+(?:and|but|because|since|so|as|any ?more|after all|now"
    r"|for|in|on|at|with|when|if|before)\b)"
)
_MAYBE: Final = re.compile(
    r"\b(?:not|n['’]t|actually|instead|rather|correct\w*|sorry|wrong|mistake\w*|mistaken|misspoke"
    r"|meant?|wait|no longer|any ?more|forget|ignore|scratch|disregard|cancel\w*|changed?|moved?"
    r"|switch\w*|renamed?|raised?|lowered?|postponed?|pushed|brought|went|gone|update|now|used to"
    r"|make (?:it|that)|turns out|turned out|should|after all|second thoughts?|drop\w*|strike)\b",
    re.IGNORECASE,
)
_CHANGED: Final = (
    r"\b(?:changed|moved|switched|renamed|raised|lowered|postponed|pushed|brought|went|gone)\b"
)
_MEANT: Final = r"\s+(?:but|and)\s+(?:i|we) mean\w*"
# Where the new words stand (right or left of the old ones), and a word without which it is none.
_EXPLICIT: Final = (
    (
        "right",
        "not",
        rf"\bnot\s+(?P<old>{_THING}),?\s+but\s+(?:rather\s+)?(?P<new>{_THING}){_STOP}",
    ),
    (
        "right",
        "from",
        rf"{_CHANGED}[^.;!?]*?\bfrom\s+(?P<old>{_THING})\s+to\s+(?P<new>{_THING}){_STOP}",
    ),
    ("left", "not", rf"(?P<new>{_THING})(?:,|\s+and|\s+[–—-])\s*not\s+(?P<old>{_THING}){_STOP}"),
    ("right", "not", rf"\bnot\s+(?P<old>{_THING})[,;:–—]\s*(?P<new>{_THING}){_STOP}"),
    ("left", "than", rf"(?P<new>{_THING})\s+rather than\s+(?P<old>{_THING}){_STOP}"),
    ("left", "instead", rf"(?P<new>{_THING})\s+instead of\s+(?P<old>{_THING}){_STOP}"),
    ("right", "said", rf"\b(?:i|we) said\s+(?P<old>{_THING}),?{_MEANT}\s+(?P<new>{_THING}){_STOP}"),
)
_PATTERNS: Final = tuple(
    (side, key, re.compile(rule, re.IGNORECASE)) for side, key, rule in _EXPLICIT
)
_MARKED: Final = re.compile(
    r"^(?:no|oh|oops|ah|hm+|well|and|but|ok(?:ay)?|so|also)?[\s,!.–—-]*"
    r"(?:actually|correction|sorry|wait|update|i was (?:wrong|mistaken)|i misspoke|my mistake"
    r"|on second thoughts?|change of plans?|scratch that|make (?:it|that)|turns out|it turns out"
    r"|i meant?|let me correct)\b"
    r"|\b(?:actually|is now|are now|has changed|have changed|was wrong|moved to|changed to"
    r"|after all|i meant?|turned out to be|should (?:be|have been))\b",
    re.IGNORECASE,
)
_WITHDRAWN: Final = re.compile(
    r"\b(?:forget|ignore|scratch|disregard|strike|drop|cancel)\s+(?:about\s+)?"
    r"(?:what (?:i|we) said about\s+)?(?:the|my|our|that|this)?\s*(?P<old>[^,.;!?]{3,80})"
    r"|\b(?:no longer)\s+(?P<gone>[^,.;!?]{3,80})"
    r"|\b(?:(?:do|does|is|are)n['’]t|(?:do|does|is|are) not)\s+"
    r"(?P<not>[^,.;!?]{3,80}?)\s+any ?more\b"
    r"|\bused to\s+(?P<was>[^,.;!?]{3,80}?)(?=$|[,.;!?]|\s+(?:but|and)\b)",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"\b(?:my|our|the|their|his|her|[A-Z]\w+['’]s)\s+(?P<key>[\w’' -]{2,60}?)\s+"
    r"(?:is|are|was|were|will be|would be|has to be|=)\s",
    re.IGNORECASE,
)
_EXCLUSIVE: Final = ("money", "percent", "time", "date", "number", "contact")
NEAR: Final = 12
"""Messages back in which a correction without a subject looks for what it corrects."""


@dataclass(frozen=True)
class Said:
    """What a person's message says, for looking at facts and corrections."""

    message_id: str
    seq: int
    text: str


def line(fact: Fact) -> str:
    """How a fact stands in a prompt: with the message it came from."""
    return f"- [{fact.seq}] {fact.text}"


def indexed(fact: Fact) -> Fact:
    """With its stems and its cost."""
    about = tuple(sorted(content_stems(fact.text)))
    return replace(fact, about=about, tokens=count(line(fact)))


def may_correct(text: str) -> bool:
    """A cheap look: whether reading the message for corrections is worth while at all."""
    return bool(_MAYBE.search(text) or _ATTRIBUTE.search(text))


def corrected(facts: Sequence[Fact], said: Said) -> list[Fact]:
    """The facts after a person's message; what it corrects becomes a mark with its new wording.

    Only facts of earlier messages are touched; facts that the message itself states are not
    added here, except as the new wording of an old one.
    """
    if not facts or not may_correct(said.text) or any(_was_by(fact, said) for fact in facts):
        return list(facts)
    known = list(facts)
    for text in sentences(said.text):
        known = _after(known, read(text), said)
    return known


def _was_by(fact: Fact, said: Said) -> bool:
    """Whether this message has corrected it before: reading it twice must change nothing."""
    return fact.superseded_by == said.message_id or (
        fact.withdrawn and fact.superseded_seq == said.seq
    )


def positive(text: str) -> str:
    """A correcting sentence without the words that it takes back."""
    for side, match in _exchanges(text):
        if _exchange(side, match) is None:
            continue
        if side == "left":
            return f"{text[: match.end('new')]}{text[match.end() :]}".strip()
        before = re.sub(r"\b(?:from|not|said)\s+$", "", text[: match.start("old")])
        after = re.sub(r"^[\s,;:–—-]*(?:but\s+(?:rather\s+)?)?", "", text[match.end("old") :])
        return f"{before.rstrip()} {after}".strip()
    return text


def is_withdrawal(text: str) -> bool:
    """Whether a sentence only asks to forget something."""
    match = _WITHDRAWN.search(text)
    return match is not None and match["old"] is not None


def without(text: str, words: Iterable[str]) -> str:
    """A sentence without words that it takes back: "not X" goes, else every clause with X."""
    taken = [word for word in words if has_words(text, word)]
    if not taken:
        return text
    clauses = re.split(r"(?<=[,;:–—])\s+", positive(text))
    kept = [one for one in clauses if not any(has_words(one, word) for word in taken)]
    return " ".join(kept).rstrip(",;: –—")


def _after(facts: list[Fact], sentence: Sentence, said: Said) -> list[Fact]:
    for side, match in _exchanges(sentence.text):
        pair = _exchange(side, match)
        changed = _exchanged(facts, *pair, sentence, said) if pair else None
        if changed is not None:
            return changed
    withdrawn = _WITHDRAWN.search(sentence.text)
    if withdrawn:
        gone = next(group for group in withdrawn.groups() if group)
        return _taken_back(facts, gone, said)
    if _MARKED.search(sentence.text):
        return _restated(facts, sentence, said)
    return _attribute_changed(facts, sentence, said)


def _exchanges(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Where a sentence seems to put words in the place of others."""
    lowered = text.lower()
    for side, key, pattern in _PATTERNS:
        if key in lowered and (match := pattern.search(text)):
            yield side, match


def _exchange(side: str, match: re.Match[str]) -> tuple[str, str] | None:
    """The words that went and those that came, cut to each other; None when they do not compare."""
    old, new = _bare(match["old"]), _bare(match["new"])
    values = read(f"x {old}").values
    if values:
        return _of_one_kind(side, values[0], read(f"x {new}").values)
    length, spoken = len(old.split()), new.split()
    cut = spoken[-length:] if side == "left" else spoken[: max(length, 2)]
    if not old or length > 3 or not cut or cut[0].lower() in _NO_NEW_WORD:
        return None
    fresh = " ".join(cut)
    return (old, fresh) if fresh.lower() != old.lower() else None


def _of_one_kind(side: str, old: Value, candidates: Sequence[Value]) -> tuple[str, str] | None:
    """The value that came in the place of another; amounts compare with and without a unit."""
    same = [one for one in candidates if (one.kind in _AMOUNTS) == (old.kind in _AMOUNTS)]
    same = [one for one in same if one.kind == old.kind or one.kind in _AMOUNTS]
    if not same:
        return None
    new = same[-1 if side == "left" else 0]
    pair = (old.text, new.text)
    if old.kind != new.kind:
        numbers = (_AMOUNT.search(old.text), _AMOUNT.search(new.text))
        if not numbers[0] or not numbers[1]:
            return None
        pair = (numbers[0].group(), numbers[1].group())
    return pair if pair[0].lower() != pair[1].lower() else None


_AMOUNTS: Final = frozenset({"money", "percent", "number"})
_AMOUNT: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NO_NEW_WORD: Final = frozenset(
    "i we you he she they it this that these those and so which because please thanks what who how "
    "why there here do does is are was were i'm it's that's not really just maybe".split()
)


def _bare(words: str) -> str:
    """Without articles, prepositions and the like at the beginning."""
    return re.sub(
        r"^(?:(?:it|that|this)(?:['’]s| is| was)\s+)?"
        r"(?:(?:a|an|the|on|in|at|to|for|with|by|of|is|was|no|yes|sorry|well|actually)\s+)*",
        "",
        words.strip(" \"'“”‘’"),
        flags=re.IGNORECASE,
    )


def has_words(text: str, words: str) -> bool:
    """Whether these words stand in the text as they are, at word boundaries, in any case."""
    return bool(words) and _whole(words).search(text) is not None


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\d)", re.IGNORECASE)


def _exchanged(
    facts: list[Fact], old: str, new: str, sentence: Sentence, said: Said
) -> list[Fact] | None:
    """X became Y. None when no earlier fact says X."""
    words = old.lower()
    earlier = (f for f in facts if f.holds and f.seq < said.seq and words in f.text.lower())
    saying = [f for f in earlier if has_words(f.text, old)]
    if not saying:
        return None
    about = content_stems(sentence.text) - content_stems(old) - content_stems(new) - _NO_SUBJECT
    shared = [f for f in saying if about & set(f.about)]
    near = [f for f in saying[-1:] if not about or said.seq - f.seq <= NEAR]
    chosen = shared or (saying if _is_a_name(old, sentence) else near)
    out = facts
    for fact in chosen:
        out = _replaced(out, fact, old, new, said)
    return out


_NO_SUBJECT: Final = content_stems(
    "not no but actually rather instead sorry wait correction wrong meant mean said changed moved "
    "switched raised lowered now is was it's that's make ok yes name title call renamed"
)


def _is_a_name(words: str, sentence: Sentence) -> bool:
    """A person's or a thing's own name: wrong once, it was wrong everywhere."""
    plain = read(f"x {words}").of_kind("name")
    return bool(plain) and not re.search(
        rf"\b(?:in|at|to|from|near)\s+{re.escape(words)}", sentence.text
    )


def _replaced(facts: list[Fact], fact: Fact, old: str, new: str, said: Said) -> list[Fact]:
    """The fact as a mark, and its wording with Y in X's place, said by the correcting message."""
    text = _whole(old).sub(lambda _match: new, fact.text)
    fresh = Fact(text, "correction", said.message_id, said.seq, score=fact.score + 4)
    return [*(_mark(one, old, said) if one is fact else one for one in facts), indexed(fresh)]


def _mark(fact: Fact, old: str, said: Said, *, withdrawn: bool = False) -> Fact:
    about = set(fact.about) - (frozenset() if withdrawn else content_stems(old))
    return replace(
        fact,
        superseded_by="" if withdrawn else said.message_id,
        superseded_seq=said.seq,
        withdrawn=withdrawn,
        old=old,
        about=tuple(sorted(about)),
    )


def _taken_back(facts: list[Fact], gone: str, said: Said) -> list[Fact]:
    """Facts that speak of nothing but this are withdrawn."""
    wanted = content_stems(gone)
    if not wanted:
        return facts
    return [
        _mark(fact, "", said, withdrawn=True)
        if fact.holds and fact.seq < said.seq and wanted.issubset(fact.about)
        else fact
        for fact in facts
    ]


def _restated(facts: list[Fact], sentence: Sentence, said: Said) -> list[Fact]:
    """ "Actually …": the nearest earlier fact on the same subject with another value gives way."""
    subject = sentence.subject - _NO_SUBJECT
    best: tuple[float, int, Fact, Value, Value] | None = None
    for fact in facts:
        if not fact.holds or fact.seq >= said.seq:
            continue
        overlap = len(subject.intersection(fact.about)) / max(1, len(subject))
        if overlap < 0.3 and (subject or said.seq - fact.seq > NEAR):
            continue
        pair = _conflict(read(fact.text), sentence)
        if pair and (best is None or (overlap, fact.seq) > best[:2]):
            best = (overlap, fact.seq, fact, *pair)
    if best is None:
        return facts
    _overlap, _seq, fact, old, new = best
    return _replaced(facts, fact, old.text, new.text, said)


def _conflict(earlier: Sentence, later: Sentence) -> tuple[Value, Value] | None:
    """The values of one kind in which two sentences differ, when there is no doubt which."""
    for kind in (*_EXCLUSIVE, "name"):
        old, new = earlier.of_kind(kind), later.of_kind(kind)
        fresh = [one for one in new if not has_words(earlier.text, one.text)]
        gone = [one for one in old if not has_words(later.text, one.text)] or old
        if len(fresh) == 1 and len(gone) == 1:
            return gone[0], fresh[0]
    return None


def _attribute_changed(facts: list[Fact], sentence: Sentence, said: Said) -> list[Fact]:
    """ "Our budget is 7,000" after "our budget is 5,000", without any word of correction."""
    key = _key(sentence.text)
    if not key:
        return facts
    for fact in reversed(facts):
        if not fact.holds or fact.seq >= said.seq or not key.issubset(fact.about):
            continue
        if _key(fact.text) == key:
            pair = _conflict(read(fact.text), sentence)
            if pair and pair[0].kind in _EXCLUSIVE:
                return _replaced(facts, fact, pair[0].text, pair[1].text, said)
    return facts


def _key(text: str) -> frozenset[str]:
    match = _ATTRIBUTE.search(text)
    return content_stems(match["key"]) if match else frozenset()


def stale(text: str, marks: Iterable[Fact], *, seq: int = 0) -> bool:
    """Whether a sentence says what was taken back; `seq` is the message it comes from, if known.

    Words said again after their correction are fresh.
    """
    return any(says(text, mark) for mark in marks if not mark.holds and seq < mark.superseded_seq)


def says(text: str, mark: Fact) -> bool:
    """Whether a text says what a mark took back."""
    shared = len(content_stems(text) & set(mark.about))
    if mark.withdrawn:
        return shared >= max(2, 0.6 * len(mark.about))
    return has_words(text, mark.old) and (not mark.about or shared > 0)
