"""Reads one message of a creating conversation: what it says on which dimension, which tasks."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.dateparse import parse_date

from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from futura.text import content_stems
from projects.agent.create import prompts
from projects.agent.fencing import Fence
from projects.agent.toolbox import Picture
from projects.dimensions import BY_FIELD, FIELDS
from projects.language import amendments, answers, cues
from projects.language.dates import find_dates
from projects.language.names import description_in, makes_something, name_in
from projects.language.sentences import Sentence, is_said, sentences
from projects.language.todos import Todo, todos_in

GROUNDED: float = 0.6
DUMP_CHARS = 500
_ENDS = (
    "opening",
    "launch",
    "deadline",
    "finish",
    "done by",
    "due",
    "ready by",
    "go live",
    "complete",
)

_NEEDS = re.compile(
    r"^\W*(?:first\s+|then\s+|next\s+)?(?:i|we)\s+(?:\w+\s+)?(?:need|have)\s+to\b|^\W*(?:i|we)\s+must\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Heard:
    """What a message says. `dimensions` holds new Markdown by field, `rest` what fits nowhere.

    Texts join what is there, but for the dimensions in `replaces`. `wants_draft`: no more
    questions, please; `ask_about`: a question on this dimension, please.
    """

    dimensions: Mapping[str, str] = field(default_factory=dict)
    tasks: Sequence[Todo] = ()
    corrections: Sequence[amendments.Amendment] = ()
    name: str = ""
    description: str = ""
    summary: str = ""
    rest: str = ""
    end_date: dt.date | None = None
    is_vague: bool = False
    is_unknown: bool = False
    wants_draft: bool = False
    ask_about: str = ""
    replaces: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Nothing in it changes the draft."""
        return not (self.dimensions or self.tasks or self.corrections or self.rest or self.end_date)


@dataclass(frozen=True)
class Message:
    """A message to read: the dimension that was asked about (or ""), the question, the files."""

    text: str
    asked_about: str = ""
    question: str = ""
    files: Sequence[tuple[str, str]] = ()

    @property
    def whole(self) -> str:
        """The message with what came with it."""
        return "\n\n".join([self.text, *(text for _name, text in self.files)])


def read_by_rules(message: Message, picture: Picture | None, today: dt.date) -> Heard:
    """By cue words; the answer to a question belongs to what was asked about."""
    text = message.text
    if not message.files and answers.is_unknown(text):
        return Heard(is_unknown=True)
    corrected = _corrected(text, picture)
    if corrected is not None:
        return Heard(corrections=[corrected])
    whole = message.whole
    by_field, loose = _sorted_out(whole, is_begin=picture is None or not picture.row.name)
    found = {
        name: _markdown([one.text for one in said if not _is_on_the_list(one.text, today)])
        for name, said in by_field.items()
    }
    rest = _markdown([one.text for one in loose if not todos_in(one.text, today)])
    todos = todos_in(whole, today)
    if message.asked_about:
        found, rest = _answered(message, found), ""
    elif picture is None or not picture.covered:
        # what nobody asked about and no cue places says how things stand
        reality = "core_reality_understanding"
        if rest and reality not in found and len(whole) <= DUMP_CHARS:
            found, rest = {**found, reality: rest}, ""
    fresh = {
        name: said
        for name, said in found.items()
        if said and not (picture and is_said(said, picture.dimension(name)))
    }
    is_new = picture is None or not picture.row.name
    return Heard(
        dimensions=fresh,
        tasks=todos,
        name=name_in(text) if is_new else name_in(text, only_given=True),
        description=description_in(whole) if is_new else "",
        summary=_summary(whole) if is_new else "",
        rest=rest,
        end_date=end_date_in(text, today),
        is_vague=bool(message.asked_about) and answers.is_vague(text),
    )


def _is_on_the_list(text: str, today: dt.date) -> bool:
    """Whether a sentence only names tasks, which have their own place."""
    return bool(_NEEDS.match(text)) and bool(todos_in(text, today))


def _summary(text: str) -> str:
    """A shorter word on it; empty where that would only say the description again."""
    short = description_in(text, 160)
    return short if short != description_in(text) else ""


def _sorted_out(text: str, *, is_begin: bool) -> tuple[dict[str, list[Sentence]], list[Sentence]]:
    """By dimension; the sentence that says what is being made says how things stand."""
    by_field, loose = cues.sorted_out(text)
    first = next(iter(sentences(text)), None)
    field = cues.dimension_of(first.text) if first and is_begin else ""
    if first and field and makes_something(first.text) and cues.strengths(first.text)[field] < 2:
        by_field[field] = [one for one in by_field[field] if one != first]
        loose = [first, *loose]
    return {name: said for name, said in by_field.items() if said}, loose


def _answered(message: Message, found: Mapping[str, str]) -> dict[str, str]:
    """The answer under what was asked about; further sentences on something else where they belong.

    In a long one, only what speaks of the same is the answer.
    """
    asked, whole = message.asked_about, message.whole
    if other := cues.elsewhere(message.text, asked):
        return {**found, other: _with_capital(message.text)}
    if len(whole) > DUMP_CHARS:
        return {asked: "", **found}
    told = sentences(message.text)
    elsewhere = [
        one
        for place, one in enumerate(told)
        if place and cues.strengths(one.text) and asked not in cues.strengths(one.text)
    ]
    answer = " ".join(one.text for one in told if one not in elsewhere)
    others: dict[str, str] = {}
    for one in elsewhere:
        name = cues.dimension_of(one.text)
        others[name] = " ".join(filter(None, [others.get(name), _with_capital(one.text)]))
    return {**others, asked: _with_capital(answer or message.text)}


def read_with_model(
    message: Message, picture: Picture | None, today: dt.date, llm: Llm, fence: Fence
) -> Heard:
    """The same by the model; what it did not find in the message is left out.

    Raises ModelUnavailable, also when nothing that it says stands in the message.
    """
    about = BY_FIELD.get(message.asked_about)
    given = prompts.ReadingInput(
        message=message.text,
        question=message.question,
        asked_about=f"{about.field}: {about.about}" if about else "",
        draft=in_words(picture) if picture else "",
        today=today.isoformat(),
        files=message.files,
    )
    read = llm.structured(
        "answer_reading",
        prompts.reading_messages(given, fence),
        prompts.Reading,
        prompt_version=prompts.Reading.VERSION,
    )
    return _checked(read, message, picture, today)


def _checked(
    read: prompts.Reading, message: Message, picture: Picture | None, today: dt.date
) -> Heard:
    """Only what the person said: each text must share its words with the message."""
    source = content_stems(f"{message.whole} {message.question}")
    by_rules = read_by_rules(message, picture, today)
    told: dict[str, str] = {}
    for one in read.dimensions:
        if is_grounded(one.content, source):
            told[one.dimension] = "\n\n".join(filter(None, [told.get(one.dimension), one.content]))
    if read.dimensions and not told and not by_rules.corrections:
        raise ModelUnavailable(reason="nothing_said")
    tasks = [
        Todo(one.title.strip()[:160], _day(one.due_date))
        for one in read.tasks
        if one.title.strip() and is_grounded(one.title, source)
    ]
    fixed = [one for one in (_exchange(c, picture) for c in read.corrections) if one]
    corrections = fixed or list(by_rules.corrections)
    is_unknown = read.does_not_know and not told
    if message.asked_about and not told and not corrections and not is_unknown:
        told = dict(by_rules.dimensions)
    is_new = picture is None or not picture.row.name
    return Heard(
        dimensions={} if corrections and by_rules.corrections else told,
        tasks=tasks,
        corrections=corrections,
        name=(read.name or by_rules.name).strip()[:120] if is_new else by_rules.name,
        description=(read.description or by_rules.description)[:2_000] if is_new else "",
        summary=(read.summary or by_rules.summary)[:2_000] if is_new else "",
        rest="" if told or corrections else by_rules.rest,
        end_date=by_rules.end_date,
        is_vague=read.is_vague and by_rules.is_vague,
        is_unknown=is_unknown,
        wants_draft=read.wants_draft,
        ask_about=read.ask_about or "",
    )


def is_grounded(content: str, source: frozenset[str]) -> bool:
    """Whether most words that carry meaning stand in what was said."""
    stems = content_stems(content)
    return bool(stems) and len(stems & source) >= GROUNDED * len(stems)


def _exchange(one: prompts.Corrected, picture: Picture | None) -> amendments.Amendment | None:
    if picture is None or not one.old.strip():
        return None
    text = picture.dimension(one.dimension)
    if one.old not in text:
        return None
    return amendments.Amendment(one.dimension, text.replace(one.old, one.new, 1), one.old, one.new)


def _corrected(text: str, picture: Picture | None) -> amendments.Amendment | None:
    if picture is None or len(text) > DUMP_CHARS or not amendments.is_correction(text):
        return None
    texts = {name: picture.dimension(name) for name in picture.covered}
    return amendments.amendment(text, texts)


def _day(value: str | None) -> dt.date | None:
    try:
        return parse_date(value) if value else None
    except ValueError:
        return None


def end_date_in(text: str, today: dt.date) -> dt.date | None:
    """The day by which it shall be done, where a date is named beside such a word."""
    for one in find_dates(text, today):
        before = text[max(0, one.start - 40) : one.start].lower()
        names_end = any(word in before for word in _ENDS)
        if one.date and one.date > today and names_end:
            return one.date
    return None


def _markdown(said: Sequence[str]) -> str:
    if len(said) > 2:
        return "\n".join(f"- {_with_capital(one)}" for one in said)
    return " ".join(_with_capital(one) for one in said)


def _with_capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]


def in_words(picture: Picture) -> str:
    """A draft or project as a prompt shows it."""
    row = picture.row
    lines = [f"Name: {row.name}"] if row.name else []
    lines += [f"Description: {row.description}"] if row.description else []
    lines += [f"End date: {row.end_date}"] if row.end_date else []
    lines += [f"{name}: {picture.dimension(name)}" for name in FIELDS if picture.dimension(name)]
    lines += [f"Task: {task.title}" for task in picture.tasks]
    return "\n".join(lines)
