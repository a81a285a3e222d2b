"""What words refer to: “the metrics thing”, “it”, “the second one”, “both”, a project's name."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from rapidfuzz import fuzz

from futura.text import STOP_WORDS, stems, words
from projects.concierge.understanding import numbers
from projects.concierge.understanding.shapes import Known, KnownProject, KnownTask, Memory
from projects.language.quick import parse

Row = TypeVar("Row", KnownTask, KnownProject)

_ORDINALS: Final = {
    word: place
    for place, named in enumerate(
        ("first 1 1st one", "second 2 2nd two", "third 3 3rd three", "fourth 4 4th four",
         "fifth 5 5th five", "sixth 6 6th six", "seventh 7 7th seven", "eighth 8 8th eight")
    )
    for word in named.split()
}  # fmt: skip
_PRONOUN: Final = re.compile(
    r"^(?:it|that|this|(?:that|this|the)\s+(?:one|task|to-?do|thing|item)|the\s+same(?:\s+one)?)$",
    re.IGNORECASE,
)
_ALL_OF_THEM: Final = re.compile(
    r"^(?:them(?:\s+all)?|both(?:\s+(?:of\s+)?(?:them|these|those|tasks))?|these|those"
    r"|(?:all|each|every\s+one)\s+of\s+(?:them|these|those)|these\s+(?:two|three"
    r"|tasks)|those\s+(?:two|three|tasks)"
    r"|the\s+two(?:\s+of\s+them)?|they)$",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"^(?:the\s+)?(?P<place>first|second|third|fourth|fifth|sixth|seventh|eighth"
    r"|last|[1-8](?:st|nd|rd|th))"
    r"(?:\s+(?:one|task|to-?do|item|thing))?$|^(?:number|no\.?|task|item|option"
    r"|#)\s*(?P<number>[1-8])$|^(?P<bare>[1-8])[.)]?$",
    re.IGNORECASE,
)
_DRESS: Final = re.compile(
    r"^(?:(?:the|my|our|this|that|a|an|all)\s+)+|^(?:tasks?|to-?dos?"
    r"|items?)\s+(?:called|named|titled|about|for|to)\s+"
    r"|^(?:one|thing|task|stuff)\s+(?:about|with|for|on)\s+"
    r"|\s+(?:tasks?|to-?dos?|items?|things?|ones?|stuff|entry|bit)$|^(?:task|to-?do|item)\s*:?\s+",
    re.IGNORECASE,
)
_PROJECT_DRESS: Final = re.compile(
    r"^(?:(?:the|my|our|this)\s+)+|^project\s+|\s+projects?$", re.IGNORECASE
)
_QUOTED: Final = re.compile(r"^[\"'“‘«](?P<text>.+)[\"'”’»]$", re.DOTALL)
_UUID: Final = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
_SET: Final = re.compile(
    r"^(?:(?:all|every|each)(?:\s+(?:of\s+)?(?:my|the|these"
    r"|those))?(?:\s+(?P<before>[\w -]+?))?\s*(?:tasks?|to-?dos?|things?|items?"
    r"|ones?)?"
    r"|everything|anything|whatever)"
    r"(?:\s+(?:that\s+(?:is|are|was)\s+|which\s+(?:is|are)\s+"
    r"|that[’']s\s+)?(?P<after>(?:due|overdue|late|in|from|with|for|of|blocked|on"
    r"|marked)\b.*))?$",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"^(?:all|every|each|everything|anything|whatever|any)\b(?!\s*$)", re.IGNORECASE
)
_ON_DAY: Final = re.compile(
    r"(?:that\s+(?:is|are)\s+)?(?:due\s+)?(?:from|on|for|of)?\s*(?P<day>\S.*)", re.IGNORECASE
)
_TURNED: Final = re.compile(
    r"\b(?:not|no|except|but|without|excluding|apart)\b|n[’']t\b", re.IGNORECASE
)
_NO_CONDITION: Final = re.compile(
    r"\b(?:my|the|of|open|tasks?|to-?dos?|things?|items?)\b", re.IGNORECASE
)
_NO_DAY: Final = re.compile(
    r"^(?:today|tomorrow)\b|\b(?:week|month|quarter|year|weekend)s?\b", re.IGNORECASE
)
SAME: Final = 84.0
_EMPTY: Final = STOP_WORDS | {"teh", "hte", "please", "pls"}
_IRREGULAR: Final = {
    "sent": "send", "paid": "pay", "bought": "buy", "wrote": "write", "written": "write",
    "made": "make", "met": "meet", "sold": "sell", "spoke": "speak", "spoken": "speak",
    "told": "tell", "took": "take", "taken": "take", "gave": "give", "given": "give",
    "found": "find", "built": "build", "drew": "draw", "drawn": "draw", "ran": "run",
    "brought": "bring", "chose": "choose", "chosen": "choose", "rang": "ring", "read": "read",
    "did": "do", "done": "do", "went": "go", "cut": "cut", "hung": "hang", "shot": "shoot",
    "swept": "sweep", "taught": "teach", "held": "hold", "got": "get", "began": "begin",
}  # fmt: skip


@dataclass(frozen=True)
class Found(Generic[Row]):
    """What words may mean. `rows` is what they surely mean, all of it.

    Where that is not certain `rows` is empty, and `candidates` fit equally well or `near` fit in
    part. `is_set` for “all blocked tasks”: meant as a whole, by what its members are, `is_by_day`
    by the day on which they are due.
    """

    rows: tuple[Row, ...] = ()
    candidates: tuple[Row, ...] = ()
    near: tuple[Row, ...] = ()
    words: str = ""
    is_set: bool = False
    is_by_day: bool = False
    is_pronoun: bool = False


@dataclass
class Scene:
    """What a message is read against; `focus` follows what its own parts speak of."""

    known: Known
    memory: Memory
    now: dt.datetime
    focus: list[uuid.UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.focus = self.focus or list(self.memory.focus)

    @property
    def today(self) -> dt.date:
        """The person's day."""
        return self.now.date()


def stems_of(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning, past forms brought home (“paid” is “pay”)."""
    kept = [_IRREGULAR.get(one, one) for one in words(text) if one not in _EMPTY]
    return frozenset(stems([one.removesuffix("'s") for one in kept]))


def bare(text: str, dress: re.Pattern[str] = _DRESS) -> str:
    """Words without articles, “task”, “thing” and punctuation around them."""
    before = ""
    text = " ".join(text.split()).strip(" .,;:!?…")
    while before != text:
        before, text = text, dress.sub("", text).strip(" .,;:!?")
    return text or before


def unquoted(text: str) -> str:
    """The text inside quotation marks that are around all of it, else the text itself."""
    found = _QUOTED.match(text.strip())
    return found["text"].strip() if found else text.strip()


def tasks_meant(said: str, scene: Scene) -> Found[KnownTask]:
    """The tasks that words mean; several for “both”, “X and Y”, “everything due today”."""
    said = " ".join(said.split()).strip(" .,;:!?")
    pointed = _pointed_at(said, scene)
    if pointed is not None:
        return pointed
    whole = _by_words(said, scene.known.tasks)
    is_title = any(one.title.casefold() == said.casefold() for one in whole.rows)
    if whole.rows and (is_title or not _WHOLE.match(said)):
        return whole
    counted = _counted(said, scene)
    if counted is not None:
        return counted
    as_set = _as_set(said, scene)
    if as_set is not None:
        return as_set
    if _WHOLE.match(said):  # a condition that is not read: the rows are shown to be ticked
        near = () if _TURNED.search(said) else whole.rows or whole.candidates or whole.near
        every = tuple(one for one in scene.known.tasks if one.is_open)
        return Found(candidates=near or every, words=said, is_set=True)
    pieces = [one for one in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", said) if one.strip()]
    if len(pieces) < 2:
        return whole
    found = [_pointed_at(one, scene) or _by_words(one, scene.known.tasks) for one in pieces]
    if all(len(one.rows) == 1 for one in found):
        return Found(rows=_each_once(one.rows[0] for one in found), words=said)
    return (
        next(one for one in found if len(one.rows) != 1)
        if any(one.rows for one in found)
        else whole
    )


def _counted(said: str, scene: Scene) -> Found[KnownTask] | None:
    """“chapter 3 and 4”, “1-3” of the list shown; a part that is there is only a suggestion."""
    found = [
        _pointed_at(one, scene) or _by_words(one, scene.known.tasks) for one in numbers.spread(said)
    ]
    rows = _each_once(one.rows[0] for one in found if len(one.rows) == 1)
    if not rows:
        return None
    if len(rows) == len(found):
        return Found(rows=rows, words=said)
    return Found(candidates=rows, words=said, is_set=True)


def deleted_meant(said: str, scene: Scene) -> Found[KnownTask]:
    """The lately deleted tasks that words mean."""
    return _by_words(" ".join(said.split()).strip(" .,;:!?"), scene.known.gone)


def _each_once(rows: Iterable[KnownTask]) -> tuple[KnownTask, ...]:
    return tuple({one.id: one for one in rows}.values())


def _rows(ids: Sequence[uuid.UUID], scene: Scene) -> tuple[KnownTask, ...]:
    by_id = {one.id: one for one in scene.known.tasks}
    return tuple(by_id[one] for one in ids if one in by_id)


def _pointed_at(said: str, scene: Scene) -> Found[KnownTask] | None:
    """Pronouns, places in the list shown last, ids; None for other words."""
    if _PRONOUN.match(said):
        rows = _rows(scene.focus, scene)
        if len(rows) == 1:
            return Found(rows=rows, words=said, is_pronoun=True)
        return Found(candidates=rows, words=said, is_pronoun=True)
    if _ALL_OF_THEM.match(said):
        rows = _rows(scene.focus, scene)
        is_both = bool(re.search(r"\b(?:both|two)\b", said, re.IGNORECASE))
        if len(rows) == 2 or (len(rows) > 2 and not is_both):
            return Found(rows=rows, words=said, is_pronoun=True)
        return Found(candidates=rows, words=said, is_pronoun=True)
    some = numbers.places(said, len(scene.memory.listed))
    if some:
        return Found(rows=_rows([scene.memory.listed[one] for one in some], scene), words=said)
    place = place_in(said, len(scene.memory.listed))
    if place is not None:
        return Found(rows=_rows([scene.memory.listed[place]], scene), words=said)
    if _NUMBERED.match(said):
        return Found(words=said)
    as_id = _UUID.search(said)
    if as_id:
        return Found(rows=_rows([uuid.UUID(as_id.group(0))], scene), words=said)
    return None


def place_in(said: str, length: int) -> int | None:
    """The index that “the second one”, “number 2” or “last” names in a list of a length."""
    found = _NUMBERED.match(" ".join(said.split()).strip(" .,;:!?"))
    if found is None or not length:
        return None
    word = (found["place"] or found["number"] or found["bare"]).lower()
    place = length - 1 if word == "last" else _ORDINALS[word]
    return place if place < length else None


def _as_set(said: str, scene: Scene) -> Found[KnownTask] | None:
    found = _SET.match(said)
    if found is None:
        return None
    narrowed = " ".join(filter(None, [found["before"], found["after"]])).strip()
    rows = [one for one in scene.known.tasks if one.is_open]
    if not _NO_CONDITION.sub("", narrowed).strip():
        return Found(candidates=tuple(rows), words=said, is_set=True)
    day = _day_in(narrowed, scene)
    if day is not None:
        due = tuple(one for one in rows if one.due == day)
        return Found(rows=due, words=said, is_set=True, is_by_day=True)
    chosen = narrowed_by(narrowed, rows, scene)
    if chosen is None:
        return None
    return Found(rows=tuple(chosen), words=said, is_set=True)


def _day_in(narrowed: str, scene: Scene) -> dt.date | None:
    """The day of “from Friday”, “due on 4 December”; today and tomorrow are sets of their own."""
    found = _ON_DAY.fullmatch(narrowed)
    if found is None or _NO_DAY.search(found["day"]):
        return None
    read = parse(f"x y on {found['day']}", now=scene.now, projects=())
    return read.due if read.title.casefold() == "x y" else None


def narrowed_by(narrowed: str, rows: Sequence[KnownTask], scene: Scene) -> list[KnownTask] | None:
    """The tasks of a kind (“due today”, “blocked”, “in the kitchen project”); None when unclear."""
    left, today = narrowed.lower(), scene.today
    tomorrow = today + dt.timedelta(1)
    tests: tuple[tuple[str, Callable[[KnownTask], bool]], ...] = (
        (r"\boverdue\b|\blate\b", lambda one: one.due is not None and one.due < today),
        (r"\b(?:due\s+)?(?:for\s+)?today(?:[’']s)?\b", lambda one: one.due == today),
        (r"\b(?:due\s+)?(?:for\s+)?tomorrow(?:[’']s)?\b", lambda one: one.due == tomorrow),
        (r"\bblocked\b", lambda one: one.status == "blocked"),
        (r"\b(?:in\s+(?:the|my)\s+)?inbox\b", lambda one: one.status == "inbox"),
        (r"\b(?:low)(?:[ -]priority)?\b", lambda one: one.priority == "low"),
        (r"\b(?:high)(?:[ -]priority)?\b", lambda one: one.priority == "high"),
        (r"\bcritical(?:[ -]priority)?\b", lambda one: one.priority == "critical"),
    )  # fmt: skip
    chosen = list(rows)
    for pattern, test in tests:
        if re.search(pattern, left):
            chosen = [one for one in chosen if test(one)]
            left = re.sub(pattern, " ", left)
    inside = re.search(r"\b(?:in|from|of|for)\s+(?:the\s+)?(?P<project>\S.*)$", left)
    if inside:
        projects = project_meant(inside["project"], scene)
        if len(projects.rows) != 1:
            return None
        chosen = [one for one in chosen if one.project == projects.rows[0].id]
        left = left[: inside.start()]
    is_understood = not re.sub(
        r"\b(?:due|and|that|are|is|tasks?|my|the|in|of|with|priority|on)\b|\W", "", left
    )
    return chosen if is_understood else None


def _by_words(said: str, rows: Sequence[KnownTask]) -> Found[KnownTask]:
    """By title: whole first, then by the words that carry meaning."""
    plain = unquoted(said)
    open_rows = [one for one in rows if one.is_open]
    for some in (open_rows, [one for one in rows if not one.is_open]):
        exact = [one for one in some if one.title.casefold() == plain.casefold()]
        if exact:
            return (
                Found(rows=tuple(exact), words=said)
                if len(exact) == 1
                else Found(candidates=tuple(exact), words=said)
            )
    if plain == said and re.search(r"\b(?:is|are|was|were|has|have)\b", said, re.IGNORECASE):
        return Found(words=said)  # a sentence, not a name
    found = _ranked(bare(unquoted(bare(said))), open_rows, said)
    if found.rows or found.candidates:
        return found
    closed = _ranked(bare(unquoted(bare(said))), [one for one in rows if not one.is_open], said)
    if closed.rows or closed.candidates:
        return closed
    return Found(near=(found.near + closed.near)[:4], words=said)


def _name_of(row: KnownTask | KnownProject) -> str:
    return row.title if isinstance(row, KnownTask) else row.name


def _ranked(said: str, rows: Sequence[Row], words_said: str) -> Found[Row]:
    wanted = stems_of(said) or frozenset(stems(words(said)))
    if not wanted:
        return Found(words=words_said)
    whole, partly = [], []
    for row in rows:
        title = stems_of(_name_of(row)) or frozenset(stems(words(_name_of(row))))
        met = sum(_is_in(one, title) for one in wanted)
        if met == len(wanted):
            whole.append((sum(_is_in(one, wanted) for one in title) / max(len(title), 1), row))
        elif met:
            partly.append((met / len(wanted), row))
    whole.sort(key=lambda one: -one[0])
    complete = [row for share, row in whole if share == 1.0]
    rows_found = complete or [row for _share, row in whole]
    if len(rows_found) == 1:
        return Found(rows=(rows_found[0],), words=words_said)
    if rows_found:
        return Found(candidates=tuple(rows_found[:6]), words=words_said)
    partly.sort(key=lambda one: -one[0])
    near = [row for share, row in partly if share >= 0.5] or _alike(said, rows)
    return Found(near=tuple(near[:4]), words=words_said)


def _is_in(stem: str, others: frozenset[str]) -> bool:
    """The stem itself, or one slip away from it in a word long enough to tell."""
    if stem in others:
        return True
    return len(stem) > 3 and any(
        len(one) > 3
        and one[0] == stem[0]
        and abs(len(one) - len(stem)) < 3
        and fuzz.ratio(stem, one) >= SAME
        for one in others
    )


def _alike(said: str, rows: Sequence[Row]) -> list[Row]:
    scored = [(fuzz.WRatio(said.casefold(), _name_of(row).casefold()), row) for row in rows]
    scored.sort(key=lambda one: -one[0])
    return [row for score, row in scored if score >= 75]


def project_meant(said: str, scene: Scene) -> Found[KnownProject]:
    """The project that words mean, by its name; archived ones only when no other fits."""
    plain = unquoted(bare(said, _PROJECT_DRESS))
    as_id = _UUID.search(said)
    everything = scene.known.projects
    if as_id:
        return Found(
            rows=tuple(one for one in everything if one.id == uuid.UUID(as_id.group(0))), words=said
        )
    if re.match(r"^(?:it|this|that|this\s+one|that\s+one)?$", plain, re.IGNORECASE):
        rows = tuple(one for one in everything if one.id == scene.memory.project)
        return Found(rows=rows, words=said, is_pronoun=True)
    current = [one for one in everything if one.status != "archived"]
    for some in (current, [one for one in everything if one.status == "archived"]):
        exact = [one for one in some if one.name.casefold() == plain.casefold()]
        if exact:
            return (
                Found(rows=tuple(exact), words=said)
                if len(exact) == 1
                else Found(candidates=tuple(exact), words=said)
            )
        found = _ranked(plain, some, said)
        if found.rows or found.candidates:
            return found
    return Found(near=_ranked(plain, current, said).near, words=said)


def is_named_whole(said: str, project: KnownProject) -> bool:
    """Whether words are a project's whole name, not just a word of it."""
    return stems_of(bare(said, _PROJECT_DRESS)) >= stems_of(project.name)
