"""Sentences of a message, and what in them is worth remembering: values, names, weight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from chat.memory.shapes import Kind
from futura.text import content_stems

LONGEST: Final = 240
"""Characters of a sentence that is kept as a fact; longer ones are cut at clauses."""

_ABBREVIATION: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|approx|ca)\.$", re.IGNORECASE
)
_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。!?])|\s*\n+\s*|;\s+")
_CLAUSE: Final = re.compile(
    r"(?:,|\s[–—-])\s+(?=(?:and|but|so|because|which|while|though|then|also|however)\b)|\s[–—]\s"
)

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_NUMBER: Final = r"\d+(?:[.,]\d+)*"
_WORDS_FOR_NUMBERS: Final = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|million|dozen|half)"
)
_MONEY: Final = (
    r"(?:euros?|dollars?|pounds?|francs?|kronor|kroner|eur|usd|gbp|chf|cents?|bucks|[kK])"
)
# What kinds of values there are, the most telling first; a stretch belongs to the first that fits.
_VALUES: Final = re.compile(
    r"(?P<contact>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S+|\+\d[\d /()-]{6,}\d)"
    rf"|(?P<money>[$€£¥]\s?{_NUMBER}(?:\s?[kKmM]\b)?|{_NUMBER}\s?[€$£]|{_NUMBER}\s?{_MONEY}\b)"
    rf"|(?P<percent>{_NUMBER}\s?(?:%|per ?cent\b))"
    rf"|(?P<time>\b\d{{1,2}}[:.]\d{{2}}\b(?!\.\d)|\b\d{{1,2}}\s?(?:am|pm|a\.m\.?|p\.m\.?|o['’]clock)\b"
    r"|\b(?:noon|midnight|half past \w+|quarter (?:to|past) \w+)\b)"
    rf"|(?P<date>\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
    rf"|\b(?:{_DAY},?\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?:,?\s+\d{{4}})?"
    rf"|\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?|\b{_MONTH}\s+\d{{4}}\b"
    rf"|\bthe\s+\d{{1,2}}(?:st|nd|rd|th)\b(?!\s+(?:of\s+)?{_MONTH}\b)|\b{_DAY}\b|\b(?:19|20)\d{{2}}\b)"
    rf"|(?P<number>\b{_NUMBER}\b|\b{_WORDS_FOR_NUMBERS}(?:[ -]{_WORDS_FOR_NUMBERS})*\b)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"(?<![.!?…\w])(?<!^)\b[A-ZÀ-ÖØ-ÞŁŚŻČŠŽ][\w’'-]*[\w](?:\s+(?:(?:von|van|de|del|di|la|of)\s+)?"
    r"[A-ZÀ-ÖØ-ÞŁŚŻČŠŽ][\w’'-]*[\w])*"
)
_CALLED: Final = re.compile(
    r"\b(?:named|called|name is|names are|i am|i'm|this is)\b", re.IGNORECASE
)
_NO_NAMES: Final = frozenset({"i", "i'm", "i’m", "i'd", "i've", "i'll", "ok", "okay", "yes", "no"})
_DAY_NAME: Final = re.compile(rf"^(?:{_DAY}|{_MONTH})$", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"\b(?:in|at|from|to|near|around|outside|towards)\s+(?:the\s+)?(?=[A-ZÀ-Þ])"
)

_DECIDED: Final = re.compile(
    r"\b(?:decid\w+|decision|we(?:'ll| will) (?:go|use|take|keep|do)|let['’]s (?:go|use|take|keep"
    r"|do|make|call)|go(?:ing)? with|chose|chosen|settled on|agreed|i['’]ll take|final(?:ly|ised)?"
    r"|the plan is|from now on|will be|won't|will not|must)\b",
    re.IGNORECASE,
)
_PREFERS: Final = re.compile(
    r"\b(?:prefer\w*|favou?rite|like[sd]?|love[sd]?|hate[sd]?|dislike[sd]?|enjoy\w*|rather"
    r"|can['’]?t stand|allerg\w+|vegetarian|vegan|always|never|avoid|don['’]t want|do not want"
    r"|wants?|wish|important|please (?:keep|use|call|don)|hope|instead of)\b",
    re.IGNORECASE,
)
_REMEMBER: Final = re.compile(
    r"\b(?:remember|keep in mind|note that|for the record|by the way|btw|don['’]t forget|fyi)\b",
    re.IGNORECASE,
)
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|am|['’]m|['’]re|has|have|had|own\w*|live[sd]?|work\w*|run|runs|cost\w*"
    r"|need\w*|use[sd]?|take[sn]?|start\w*|end\w*|come[s]?|go|goes|belong\w*|contain\w*|move[sd]?"
    r"|born|married|studi\w+|built|made|got)\b",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|we|my|our|me|us|mine|ours|i['’]\w+|we['’]\w+)\b", re.IGNORECASE
)
_SMALL_TALK: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|thanks?|thank you|great|good|nice|cool|fine|hello"
    r"|hi|hey|bye|right|perfect|please|lol|haha|wow|hm+|well|go on|sounds good|got it|i see"
    r"|that works|makes sense|(?:very )?much|so|a lot|again|then|all)[\s,.!…-]*)+$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Value:
    """A stretch of a sentence that could be wrong: an amount, a day, a name."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """One sentence with what stands in it. `score` is 0 for small talk, 10 and more for gold."""

    text: str
    values: tuple[Value, ...]
    kind: Kind
    score: int

    @property
    def subject(self) -> frozenset[str]:
        """Stems of what it is about: its content words without its values."""
        rest = self.text
        for value in self.values:
            rest = rest.replace(value.text, " ")
        return content_stems(rest)

    def of_kind(self, kind: str) -> list[Value]:
        """Its values of one kind."""
        return [value for value in self.values if value.kind == kind]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, long ones in clauses, blanks folded."""
    held = ""
    for piece in _END.split(text):
        held = f"{held} {piece.strip()}".strip()
        if not held or _ABBREVIATION.search(held):
            continue
        yield from _clauses(held)
        held = ""
    if held:
        yield from _clauses(held)


def _clauses(sentence: str) -> Iterator[str]:
    if len(sentence) <= LONGEST:
        yield sentence
        return
    held = ""
    for clause in _CLAUSE.split(sentence):
        if held and len(held) + len(clause) + 2 > LONGEST:
            yield _cut(held)
            held = ""
        held = f"{held}, {clause}" if held else clause
    yield _cut(held)


def _cut(clause: str) -> str:
    if len(clause) <= LONGEST:
        return clause
    return f"{clause[:LONGEST].rsplit(' ', 1)[0]}…"


@lru_cache(maxsize=2048)
def read(text: str) -> Sentence:
    """One sentence with its values, kind and weight."""
    values = _values(text)
    kind = _kind(text, values)
    return Sentence(text, values, kind, _score(text, values, kind))


def _values(text: str) -> tuple[Value, ...]:
    found = [
        Value(match.lastgroup or "", match.group(), match.start(), match.end())
        for match in _VALUES.finditer(text)
        if match.group().lower() != "half"
    ]
    taken = [(value.start, value.end) for value in found]
    for match in _NAME.finditer(text):
        inside = any(start < match.end() and match.start() < end for start, end in taken)
        if not inside and not _is_no_name(match.group()):
            found.append(Value("name", match.group(), match.start(), match.end()))
    return tuple(sorted(found, key=lambda value: value.start))


def _is_no_name(word: str) -> bool:
    return word.lower() in _NO_NAMES or bool(_DAY_NAME.match(word))


def _kind(text: str, values: tuple[Value, ...]) -> Kind:
    kinds = {value.kind for value in values}
    if _DECIDED.search(text):
        return "decision"
    if _PREFERS.search(text):
        return "preference"
    if kinds & {"date", "time"}:
        return "date"
    if kinds & {"money", "percent", "number", "contact"}:
        return "number"
    if "name" in kinds:
        return "place" if _PLACE.search(text) else "name"
    return "statement"


def _score(text: str, values: tuple[Value, ...], kind: Kind) -> int:
    meant = len(content_stems(text))
    if _SMALL_TALK.match(text) or meant + len(values) < 2:
        return 0
    score = min(9, 3 * len({value.kind for value in values})) + (meant > 2)
    score += 4 if kind in {"decision", "preference"} else 0
    score += 4 if _REMEMBER.search(text) else 0
    score += 3 if _CALLED.search(text) else 0
    score += 1 if _FIRST_PERSON.search(text) else 0
    score += 1 if _STATES.search(text) else 0
    if text.rstrip("\"'”’) ").endswith("?"):
        score = max(0, score - 4)
    return score
