"""What a message says for a forecast, by rules: who works on it, how sure it is, and "what if"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from futura.text import content_stems
from projects.forecasting.durations import range_of
from projects.forecasting.inputs import Inputs, Spread, TaskInput
from projects.forecasting.variants import Drop, Hands, More, Slip, Sureness, Variant, Wait
from projects.language.dates import find_dates

_WORDS: Final = {
    "half a": 0.5, "half": 0.5, "a": 1, "an": 1, "one": 1, "another": 1, "a second": 1, "two": 2,
    "a couple of": 2, "three": 3, "a few": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_NUMBER: Final = (
    r"(?P<n>\d+(?:[.,]\d+)?|half an?|half|a couple of|a few|a second|another|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|twelve|an?)"
)
_UNIT_DAYS: Final = {"day": 1.0, "week": 5.0, "month": 21.0, "hour": 0.125}
_LENGTH: Final = re.compile(
    rf"\b{_NUMBER}\s+(?:full\s+|whole\s+|working\s+|extra\s+|more\s+|additional\s+)*"
    rf"(?P<unit>day|week|month|hour)s?\b", re.IGNORECASE,
)  # fmt: skip
_RANGE: Final = re.compile(
    r"\b(?P<low>\d+(?:[.,]\d+)?)\s*(?:-|–|to|or|and)\s*(?P<high>\d+(?:[.,]\d+)?)\s+"
    r"(?:working\s+)?(?P<unit>day|week|month|hour)s?\b", re.IGNORECASE,
)  # fmt: skip
_CLAUSE: Final = re.compile(
    r"[.;!?\n]+|,?\s+(?:and|or|but)\s+(?:also\s+)?(?=(?:what\s+)?if\b|what\b|how about\b|suppose\b)"
)
_SLIPS: Final = re.compile(
    r"\b(?:slip\w*|delay\w*|late|later|longer|postpone\w*|pushed|moves?|overruns?|drags?)\b",
    re.IGNORECASE,
)
_SOONER: Final = re.compile(
    r"\b(?:faster|quicker|shorter|sooner|earlier|less time)\b", re.IGNORECASE
)
_TAKES: Final = re.compile(r"\b(?:takes?|needs?|lasts?|costs?|is about)\b", re.IGNORECASE)
_DROPS: Final = re.compile(
    r"\b(?:without|drop\w*|skip\w*|leav\w+ out|left out|cut\w*|cancel\w*|not do\w*)\b",
    re.IGNORECASE,
)
_PEOPLE: Final = (
    r"(?:people|persons?|developers?|engineers?|colleagues?|technicians?|helpers?|designers?"
    r"|hands?|pairs? of hands|members?|of us|freelancers?|contractors?|students?|volunteers?)"
)
_MORE_HANDS: Final = re.compile(
    rf"\b(?:{_NUMBER}\s+(?:more|additional|extra|further|other)\s+{_PEOPLE}"
    rf"|(?P<help>another|an?\s+(?:second|extra|additional)|a\s+third|one\s+more)\s+"
    rf"(?:\w+\s+)?{_PEOPLE})\b", re.IGNORECASE,
)  # fmt: skip
_FEWER_HANDS: Final = re.compile(
    rf"\b(?:{_NUMBER}\s+(?:{_PEOPLE}\s+(?:less|fewer)|(?:less|fewer)\s+{_PEOPLE})"
    rf"|(?:some(?:body|one)|one of us|a colleague|a {_PEOPLE})\s+(?:leaves|quits|drops out"
    r"|falls ill|is (?:ill|sick|away)))\b", re.IGNORECASE,
)  # fmt: skip
_MORE_WORK: Final = re.compile(
    r"\b(?:add\w*|extra|additional|more)\b[^.]*\bwork\b|\bof (?:extra|additional|more) work\b"
    r"|\badd\w*\s+(?P<what>[^,.]+?)\s+\((?=\d)|\bunplanned\b", re.IGNORECASE,
)  # fmt: skip
_NOT_BEFORE: Final = re.compile(
    r"\b(?:starts?|begins?|can(?:not|'t|’t)? (?:start|begin)|starting|not before|only from)\b",
    re.IGNORECASE,
)
_IF: Final = re.compile(
    r"\b(?:what if|if|suppose|assum\w+|say|imagine|how about|what happens|what about)\b",
    re.IGNORECASE,
)
_M: Final = _NUMBER.replace("<n>", "<m>")
_K: Final = _NUMBER.replace("<n>", "<k>")
_TEAM: Final = re.compile(
    rf"\b(?:we are|we're|we’re|there are|there will be|team of|with|us)\s+(?:only\s+|about\s+)?"
    rf"{_NUMBER}(?:\s+{_PEOPLE})?\b(?!\s+(?:\w+\s+)?(?:day|week|month|hour|task)s?\b)"
    rf"|\b{_M}\s+(?:full[- ]time\s+)?{_PEOPLE}\s+(?:work|will work|are working|on it)\b"
    rf"|^\W*{_K}\s+{_PEOPLE}\b", re.IGNORECASE,
)  # fmt: skip
_ALONE: Final = re.compile(
    r"\b(?:just me|only me|alone|on my own|by myself|it'?s me|me only|one person|single person)\b",
    re.IGNORECASE,
)
_PART: Final = (
    (re.compile(rf"\b{_NUMBER}\s+days?\s+(?:a|per|each|every)\s+week\b", re.IGNORECASE), 5.0),
    (re.compile(rf"\b{_NUMBER}\s+hours?\s+(?:a|per|each|every)\s+week\b", re.IGNORECASE), 40.0),
    (re.compile(rf"\b{_NUMBER}\s+hours?\s+(?:a|per|each|every)\s+day\b", re.IGNORECASE), 8.0),
)
_HALF: Final = re.compile(
    r"\bhalf[- ]?(?:time|of (?:my|our|the) (?:time|week|day))\b|\bpart[- ]time\b", re.IGNORECASE
)
_FULL: Final = re.compile(r"\bfull[- ]time\b|\ball day\b", re.IGNORECASE)
_UNSURE: Final = re.compile(
    r"\b(?:not|n['’]t)\s+(?:very\s+|so\s+|really\s+|that\s+|too\s+)*(?:sure|certain|confident)"
    r"|\bunsure|\buncertain|\bguess(?:es|ed|work)?\b|\brough(?:ly)?\b|\bshaky|\boptimistic"
    r"|\bwild\b|\bno idea\b", re.IGNORECASE,
)  # fmt: skip
_SURE: Final = re.compile(
    r"\b(?:very|pretty|quite|fairly|rather|really)\s+(?:sure|certain|confident|solid|reliable)"
    r"|\bconfident\b|\breliable\b|\bwell[- ]known\b|\bsolid\b|\bsure of\b", re.IGNORECASE,
)  # fmt: skip
_OTHERS: Final = re.compile(
    r"^\W*(?:and\s+)?(?:(?:everything|all(?:\s+of\s+(?:them|it))?|all\s+tasks|each(?:\s+(?:task|of\s+them|one))?|every"
    r"\s+(?:task|one)|the\s+(?:rest|others?|remaining\s+\w+)|they(?:\s+all)?)(?:\s+else)?)\s+(?:\w+\s+)?"
    r"(?:takes?|needs?|lasts?)\b",
    re.IGNORECASE,
)
_PER: Final = re.compile(r"^\s*(?:a|per|each|every)\s+(?:day|week|month)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """What a message says for a forecast; None and empty where it says nothing.

    `unclear` are clauses that ask "what if" about something that was not understood.
    """

    hands: float | None = None
    spread: Spread | None = None
    estimates: dict[str, tuple[float, float]] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()
    unclear: tuple[str, ...] = ()

    @property
    def has_assumptions(self) -> bool:
        """Whether it says who works on it or how sure the estimates are."""
        return self.hands is not None or self.spread is not None or bool(self.estimates)


def read_by_rules(text: str, inputs: Inputs) -> Said:
    """Reads a message against the tasks of a project."""
    variants: list[Variant] = []
    estimates: dict[str, tuple[float, float]] = {}
    unclear = []
    is_asking = False
    for clause in filter(None, (one.strip() for one in _CLAUSE.split(text))):
        if _OTHERS.match(clause) and (days := _days_in(clause)):
            estimates |= {one.id: days for one in inputs.unestimated if one.id not in estimates}
            continue
        is_asking = bool(_IF.search(clause)) or is_asking
        found = _variant(clause, inputs)
        said = _estimate(clause, inputs)
        if found is not None and (is_asking or said is None):
            variants.append(found)
        elif said is not None:
            estimates[said[0]] = said[1]
        elif re.search(r"\bwhat if\b|\bsuppose\b", clause, re.IGNORECASE):
            unclear.append(clause)
    kinds = {type(one) for one in variants}
    return Said(
        hands=None if Hands in kinds else hands_in(text),
        spread=None if Sureness in kinds else spread_in(text),
        estimates=estimates,
        variants=tuple(dict.fromkeys(variants)),
        unclear=tuple(unclear),
    )


def _variant(clause: str, inputs: Inputs) -> Variant | None:
    if found := _MORE_HANDS.search(clause):
        return Hands(number(found["n"]) if found["n"] else 1.0)
    if found := _FEWER_HANDS.search(clause):
        return Hands(-(number(found["n"]) if found["n"] else 1.0))
    length = length_in(clause)
    task = task_in(clause, inputs)
    if task is None:
        if length and _MORE_WORK.search(clause):
            return More(_title_of_more(clause), length)
        is_doubt = re.search(r"estimates?|everything|all tasks", clause, re.IGNORECASE)
        wrong = re.search(r"wrong|optimistic|longer|off\b|too low", clause, re.IGNORECASE)
        return Sureness("unsure") if is_doubt and wrong and _IF.search(clause) else None
    return _of_task(clause, task, length, inputs)


def _of_task(clause: str, task: TaskInput, length: float | None, inputs: Inputs) -> Variant | None:
    if _DROPS.search(clause):
        return Drop(task.id)
    dates = [one.date for one in find_dates(clause, inputs.today) if one.date]
    if dates and _NOT_BEFORE.search(clause) and not length:
        return Wait(task.id, dates[0])
    if length and _SOONER.search(clause):
        return Slip(task.id, -length)
    if _SLIPS.search(clause):
        return Slip(task.id, length or 5.0)
    if length and _TAKES.search(clause) and _IF.search(clause):
        low, high = range_of(task) if task.is_estimated else inputs.usual
        return Slip(task.id, length - (low * high) ** 0.5)
    return None


def _title_of_more(clause: str) -> str:
    words = re.sub(r"^.*?\b(?:add\w*|extra|additional|more)\b", "", clause, flags=re.IGNORECASE)
    words = _LENGTH.sub("", words).strip(" ,.()?")
    return words[:60] or "more work"


def _estimate(clause: str, inputs: Inputs) -> tuple[str, tuple[float, float]] | None:
    """“The sheet takes 3 to 5 days”: the task's id and its range."""
    if not _TAKES.search(clause) or _SLIPS.search(clause):
        return None
    task = task_in(clause, inputs)
    days = _days_in(clause) if task else None
    return (task.id, days) if task and days else None


def _days_in(clause: str) -> tuple[float, float] | None:
    """A range in working days; a single length is widened as usual."""
    if found := _RANGE.search(clause):
        days = _UNIT_DAYS[found["unit"].lower()]
        low, high = sorted((number(found["low"]) * days, number(found["high"]) * days))
        return low, high
    length = length_in(clause)
    return range_of(TaskInput("", "", low=length)) if length else None


def task_in(clause: str, inputs: Inputs) -> TaskInput | None:
    """The open task that a clause names, when it is one and only one."""
    said = set(content_stems(clause))
    best: list[tuple[float, TaskInput]] = []
    for task in inputs.open_tasks:
        title = set(content_stems(task.title))
        share = len(title & said) / len(title) if title else 0.0
        if share >= 0.3:
            best.append((share, task))
    best.sort(key=lambda one: -one[0])
    if not best or (len(best) > 1 and best[1][0] == best[0][0]):
        return None
    return best[0][1]


def length_in(text: str) -> float | None:
    """The first length of time in working days; “two days a week” is none."""
    return next(lengths_in(text), None)


def lengths_in(text: str) -> Iterator[float]:
    """Every length of time in working days."""
    for found in _LENGTH.finditer(text):
        if not _PER.match(text[found.end() :]):
            yield number(found["n"]) * _UNIT_DAYS[found["unit"].lower()]


def hands_in(text: str) -> float | None:
    """How many people work on it all day: 0.1 for one person half a day a week."""
    people = None
    if found := _TEAM.search(text):
        people = number(found["n"] or found["m"] or found["k"])
    elif _ALONE.search(text):
        people = 1.0
    share = _share(text)
    if people is None and share is None:
        return None
    return min(50.0, max(0.05, (people or 1.0) * (share or 1.0)))


def _share(text: str) -> float | None:
    if re.search(r"\bhalf a day\s+(?:a|per|each|every)\s+week\b", text, re.IGNORECASE):
        return 0.1
    for pattern, whole in _PART:
        if found := pattern.search(text):
            return min(1.0, number(found["n"]) / whole)
    if _HALF.search(text):
        return 0.5
    return 1.0 if _FULL.search(text) else None


def spread_in(text: str) -> Spread | None:
    """How sure somebody is of the estimates."""
    if _UNSURE.search(text):
        return "unsure"
    return "sure" if _SURE.search(text) else None


def number(word: str) -> float:
    """A number as digits or in words."""
    plain = " ".join(word.lower().replace(",", ".").split())
    if plain in _WORDS:
        return float(_WORDS[plain])
    return 0.5 if plain.startswith("half") else float(plain)


def with_assumptions(
    inputs: Inputs,
    hands: float | None,
    spread: Spread | None,
    estimates: dict[str, tuple[float, float]],
) -> Inputs:
    """The inputs with what was said in the conversation."""
    changed = replace(inputs, hands=hands or inputs.hands, spread=spread or inputs.spread)
    for task in _known(changed, estimates):
        low, high = estimates[task.id]
        changed = changed.with_task(replace(task, low=low, high=high))
    return changed


def _known(inputs: Inputs, estimates: dict[str, tuple[float, float]]) -> Iterator[TaskInput]:
    return (task for task in inputs.tasks if task.id in estimates)
