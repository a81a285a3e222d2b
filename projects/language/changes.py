"""What somebody wants changed in a project, read by a small grammar of clauses.

`find_changes` gives for each wish either one definite change or an `Ambiguity` that must be asked
about. It reads only: nothing here knows the database.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from django.utils import formats
from django.utils.translation import gettext as _

from projects.language import cues
from projects.language.clauses import Clause, clauses
from projects.language.dates import FoundDate, find_dates, find_span, number_of, shifted
from projects.language.targets import Known, Target, Thing, targets_of
from projects.language.todos import starts_with_verb

__all__ = ["Ambiguity", "Known", "ProposedChange", "Thing", "find_changes"]

Kind = Literal["project", "task", "new_task", "delete_task", "delete_project", "note", "dimension"]


@dataclass(frozen=True)
class ProposedChange:
    """One definite change. `id` is a task's; `values` are field values, dates as `date`.

    A `dimension` has `field` and `text` among its values, a `note` title and text. `said` are the
    words it comes from, `label` tells it to people.
    """

    kind: Kind
    values: Mapping[str, Any] = field(default_factory=dict)
    id: uuid.UUID | None = None
    said: str = ""
    label: str = ""


@dataclass(frozen=True)
class Ambiguity:
    """A wish that can be meant in several ways, or lacks something: the question, the ways."""

    question: str
    options: Sequence[ProposedChange] = ()
    said: str = ""


Found = ProposedChange | Ambiguity


@dataclass(frozen=True)
class _Reading:
    clause: Clause
    known: Known
    today: dt.date

    @property
    def text(self) -> str:
        return self.clause.text


def find_changes(text: str, project: Known, today: dt.date) -> list[Found]:
    """Every change that a message asks for, in its order; what asks for nothing gives nothing."""
    found: list[Found] = []
    for clause in clauses(text):
        reading = _Reading(clause, project, today)
        for rule in _RULES:
            result = rule(reading)
            if result:
                found += [replace(one, said=clause.said) for one in result]
                break
    return found


# Dates ----------------------------------------------------------------------------------------
_SHIFT: Final = re.compile(
    r"^(?P<verb>push|move|postpone|delay|shift|reschedule|bring|pull|slip|extend|set|change|put)\b"
    r"(?:\s+(?:back|forward|out|up|in|off))?\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_MOVES: Final = re.compile(
    r"^(?P<what>.{2,80}?)\s+(?:(?:now\s+)?(?P<starts>starts?|begins?|kicks?\s+off)"
    r"|moves?|slips?|shifts?|ends?|launch(?:es)?|(?:is|are|was|has\s+been|have\s+been|will\s+be|gets?)"
    r"(?:\s+(?:now|delayed|postponed|pushed|moved|due|shifted|scheduled|planned|set|rescheduled"
    r"|brought|pulled))*)\s+(?:back\s+|forward\s+|out\s+)?(?:now\s+)?(?:to|until|till|by|on|in|for|at)?\s*$",
    re.IGNORECASE,
)
_SLIPS: Final = re.compile(
    r"^(?P<what>.{2,80}?)\s+(?:moves?|slips?|shifts?|(?:is|are|was|were|has\s+been|will\s+be|gets?)\s+"
    r"(?:now\s+)?(?:delayed|postponed|pushed|moved|late|behind))\s+(?:back\s+|forward\s+|out\s+)?(?:by\s+)?",
    re.IGNORECASE,
)
_EARLIER: Final = re.compile(
    r"\bforward\b|\bearlier\b|\bpull\w*\s+in\b|\bbring\b|\bsooner\b", re.IGNORECASE
)
_PREPOSITION: Final = re.compile(
    r"\s*\b(?:back\s+|forward\s+|out\s+|up\s+)?(?:from\s+.{2,30}\s+)?(?:to|until|till|by|into|for|on|in|at)?"
    r"\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_START: Final = re.compile(r"\b(?:start(?:s|ing)?|kick-?\s?off|begin(?:s|ning)?)\b", re.IGNORECASE)


def _shift(one: _Reading) -> list[Found]:
    asked = _SHIFT.match(one.text)
    dates = find_dates(one.text, one.today)
    span = _span_in(one.text, dates)
    if asked and span:
        return _shift_by(one, asked["what"], *span)
    if span and (slips := _SLIPS.match(one.text)):
        return _shift_by(one, slips["what"], len(one.text), span[1])
    if not dates:
        return _shift_without_date(one, asked)
    when = dates[-1]
    before = one.text[: when.start]
    if asked:
        what = _PREPOSITION.sub("", before[asked.start("what") :])
        return _to_date(one, what, when, is_start=bool(_START.search(what)))
    moved = _MOVES.match(before)
    if moved:
        is_start = bool(moved["starts"] or _START.search(moved["what"]))
        return _to_date(one, moved["what"], when, is_start=is_start)
    return []


def _shift_without_date(one: _Reading, asked: re.Match[str] | None) -> list[Found]:
    if asked is None or asked["verb"].lower() in {"set", "change", "put", "move", "bring"}:
        return []
    meant = targets_of(asked["what"], one.known)
    if not meant:
        return []
    question = _("To which date shall I move “%(what)s”?") % {"what": meant[0].name}
    return [Ambiguity(question)]


def _span_in(text: str, dates: Sequence[FoundDate]) -> tuple[int, dt.timedelta | int] | None:
    """Where “by two weeks” or “two weeks later” stands, and how long it is."""
    span = find_span(text)
    if span is None or any(one.start <= span[0] < one.end for one in dates):
        return None
    start, _end, by = span
    return start, -by if _EARLIER.search(text) else by


def _shift_by(one: _Reading, what: str, start: int, by: dt.timedelta | int) -> list[Found]:
    offset = one.text.index(what)
    named = _PREPOSITION.sub("", what[: max(0, start - offset)])
    named = re.sub(r"\s+(?:back|forward|out|up)$", "", named, flags=re.IGNORECASE)
    options: list[ProposedChange] = []
    for target in targets_of(named, one.known):
        old = target.start if _START.search(named) and target.kind != "task" else target.date
        if old is None:
            question = _("“%(what)s” has no date yet. Which day shall it be?")
            return [Ambiguity(question % {"what": target.name})]
        options.append(_dated(target, shifted(old, by), is_start=old != target.date))
    return _chosen(named, options)


def _to_date(one: _Reading, what: str, when: FoundDate, *, is_start: bool) -> list[Found]:
    meant = targets_of(what, one.known)
    if not meant:
        return []
    if when.kind == "ambiguous":
        options = [_dated(meant[0], date, is_start=is_start) for date in when.options]
        question = _("Does %(date)s mean %(one)s or %(other)s?") % {
            "date": when.text, "one": day_words(when.options[0]), "other": day_words(when.options[1])
        }  # fmt: skip
        return [Ambiguity(question, options)]
    date = when.first if is_start and when.first else when.date
    if date is None:
        return []
    return _chosen(what, [_dated(target, date, is_start=is_start) for target in meant])


def _dated(target: Target, date: dt.date, *, is_start: bool) -> ProposedChange:
    names = {True: "start_date", False: "end_date" if target.kind == "project" else "due_date"}
    values: dict[str, Any] = {names[is_start]: date}
    if not is_start and target.start and target.start > date:
        # what would end before it starts keeps its length
        length = (target.date - target.start) if target.date else dt.timedelta()
        values["start_date"] = date - max(length, dt.timedelta())
    label = f"{target.name}: {day_words(date)}"
    if target.kind == "project":
        return ProposedChange("project", values, label=label)
    return ProposedChange("task", values, target.id, label=label)


def _chosen(what: str, options: Sequence[ProposedChange]) -> list[Found]:
    if len(options) <= 1:
        return list(options)
    names = _(" or ").join(f"“{option.label}”" for option in options[:4])
    question = _("“%(what)s” could be several things: %(names)s. Which one do you mean?")
    return [Ambiguity(question % {"what": what.strip(), "names": names}, options[:4])]


def day_words(date: dt.date) -> str:
    """A day as people read it."""
    return formats.date_format(date, "j F Y")


# Tasks ----------------------------------------------------------------------------------------
_STATUS: Final = (
    ("completed", re.compile(
        r"^(?:(?:i|we)(?:'ve|’ve|\s+have)?\s+)?(?:just\s+)?(?:finish(?:ed)?|complete(?:d)?|close(?:d)?"
        r"|tick(?:ed)?\s+off|check(?:ed)?\s+off|wrap(?:ped)?\s+up|done\s+with|got\s+(?:through|done)\s+with"
        r"|mark(?:ed)?)\s+(?P<what>.+?)"
        r"(?:\s+(?:as|is|are)\s+(?:done|complete[d]?|finished))?$|^(?P<what2>.+?)\s+(?:is|are|has\s+been"
        r"|was|were|got)\s+(?:now\s+|all\s+|finally\s+|already\s+)?(?:done|finished|completed?|ready)$",
        re.IGNORECASE)),
    ("dropped", re.compile(
        r"^(?:drop|cancel|scrap|skip|abandon|forget(?:\s+about)?|kill|ditch|leave\s+out)\s+(?P<what>.+)$"
        r"|^(?:we|i)\s+(?:do\s?n[o'’]?t|no\s+longer)\s+need\s+(?:to\s+)?(?P<what2>.+?)(?:\s+any\s?more)?$"
        r"|^(?P<what3>.+?)\s+(?:is|are)\s+(?:off(?:\s+the\s+table)?|cancell?ed|dropped|no\s+longer\s+needed"
        r"|not\s+needed(?:\s+any\s?more)?)$", re.IGNORECASE)),
    ("blocked", re.compile(
        r"^(?:block|mark)\s+(?P<what>.+?)(?:\s+as\s+blocked)?$"
        r"|^(?P<what2>.+?)\s+(?:is|are)\s+(?:now\s+)?(?:blocked|stuck|on\s+hold)(?:\s+.*)?$", re.IGNORECASE)),
    ("available", re.compile(
        r"^(?:unblock|reopen|resume|revive)\s+(?P<what>.+)$"
        r"|^(?P<what2>.+?)\s+(?:is|are)\s+(?:no\s+longer\s+blocked|unblocked|possible\s+again)$",
        re.IGNORECASE)),
)  # fmt: skip
_OF_PROJECT: Final = {
    "completed": "completed", "dropped": "archived", "blocked": "paused", "available": "active"
}  # fmt: skip


def _status(one: _Reading) -> list[Found]:
    for status, pattern in _STATUS:
        found = pattern.match(one.text)
        if found is None or (status == "blocked" and "block" not in one.text.lower()
                             and "stuck" not in one.text.lower()
                             and "hold" not in one.text.lower()):  # fmt: skip
            continue
        what = next(value for value in found.groupdict().values() if value)
        options = [
            ProposedChange("project", {"status": _OF_PROJECT[status]}, label=target.name)
            if target.kind == "project"
            else ProposedChange("task", {"status": status}, target.id, label=target.name)
            for target in targets_of(what, one.known, dates_too=False)
        ]
        if options:
            return _chosen(what, options)
    return []


_PAUSE: Final = re.compile(
    r"^(?P<verb>pause|archive|resume|reactivate|put)\s+(?:the\s+|this\s+)?(?:whole\s+)?(?:project|it|this|everything)"
    r"(?:\s+on\s+hold)?$",
    re.IGNORECASE,
)


def _pause(one: _Reading) -> list[Found]:
    found = _PAUSE.match(one.text)
    if found is None:
        return []
    status = {"archive": "archived", "resume": "active", "reactivate": "active"}
    value = status.get(found["verb"].lower(), "paused")
    return [ProposedChange("project", {"status": value})]


_DELETE: Final = re.compile(
    r"^(?:delete|remove|erase|get\s+rid\s+of|throw\s+(?:out|away))\s+(?P<what>.+)$", re.IGNORECASE
)


def _delete(one: _Reading) -> list[Found]:
    found = _DELETE.match(one.text)
    if found is None:
        return []
    if re.fullmatch(r"(?:all|every|each)(?:\s+(?:of\s+)?(?:the|my|our))?\s+tasks?|everything",
                    found["what"], re.IGNORECASE):  # fmt: skip
        return [ProposedChange("delete_task", {}, thing.id) for thing in one.known.tasks]
    options = [
        ProposedChange("delete_project", label=target.name)
        if target.kind == "project"
        else ProposedChange("delete_task", {}, target.id, label=target.name)
        for target in targets_of(found["what"], one.known, dates_too=False)
    ]
    return _chosen(found["what"], options)


_PRIORITIES: Final = {
    "critical": "critical", "top": "critical", "highest": "critical", "urgent": "high",
    "high": "high", "higher": "high", "important": "high", "medium": "normal", "normal": "normal",
    "low": "low", "lower": "low", "lowest": "low", "unimportant": "low",
}  # fmt: skip
_PRIORITY: Final = re.compile(
    rf"^(?:make|set|mark|treat)\s+(?P<what>.+?)\s+(?:as\s+|to\s+|a\s+)*(?P<how>{'|'.join(_PRIORITIES)})"
    rf"(?:[\s-]+priority)?$|^(?P<what2>.+?)\s+(?:is|are|has|gets)\s+(?:now\s+|a\s+|really\s+)*"
    rf"(?P<how2>{'|'.join(_PRIORITIES)})(?:[\s-]+priority)?$"
    r"|^(?P<verb>prioriti[sz]e|deprioriti[sz]e)\s+(?P<what3>.+)$",
    re.IGNORECASE,
)


def _priority(one: _Reading) -> list[Found]:
    found = _PRIORITY.match(one.text)
    if found is None:
        return []
    what = found["what"] or found["what2"] or found["what3"]
    how = (found["how"] or found["how2"] or "").lower()
    verb = (found["verb"] or "").lower()
    value = _PRIORITIES.get(how) or ("low" if verb.startswith("de") else "high")
    options = [
        ProposedChange("task", {"priority": value}, target.id, label=target.name)
        for target in targets_of(what, one.known, dates_too=False)
        if target.kind == "task"
    ]
    return _chosen(what, options)


_ESTIMATE: Final = re.compile(
    r"^(?P<what>.+?)\s+(?:will\s+|should\s+|would\s+)?(?:take|takes|needs?)\s+(?:about\s+|around\s+|roughly\s+)?"
    r"(?P<low>\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|a)"
    r"(?:\s*(?:to|-|–|or)\s*(?P<high>\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten))?"
    r"\s+(?:working\s+)?(?P<unit>day|week)s?$",
    re.IGNORECASE,
)


def _estimate(one: _Reading) -> list[Found]:
    found = _ESTIMATE.match(one.text)
    if found is None:
        return []
    days = 5 if found["unit"].lower() == "week" else 1
    low = _amount(found["low"]) * days
    high = _amount(found["high"]) * days if found["high"] else low
    values = {"estimate_low_days": min(low, high), "estimate_high_days": max(low, high)}
    options = [
        ProposedChange("task", values, target.id, label=target.name)
        for target in targets_of(found["what"], one.known, dates_too=False)
        if target.kind == "task"
    ]
    return _chosen(found["what"], options)


def _amount(word: str) -> float:
    return float(word) if word[0].isdigit() else float(number_of(word))


_DEPENDS: Final = re.compile(
    r"^(?P<what>.+?)\s+(?:depends?\s+on|waits?\s+for|(?:has\s+to\s+|must\s+)?comes?\s+after"
    r"|can\s+only\s+(?:start|begin)\s+after|is\s+blocked\s+by)\s+(?P<on>.+)$",
    re.IGNORECASE,
)


def _depends(one: _Reading) -> list[Found]:
    found = _DEPENDS.match(one.text)
    if found is None:
        return []
    these = [t for t in targets_of(found["what"], one.known, dates_too=False) if t.kind == "task"]
    those = [t for t in targets_of(found["on"], one.known, dates_too=False) if t.kind == "task"]
    if len(these) != 1 or len(those) != 1 or these[0].id == those[0].id:
        return []
    needed = sorted({*these[0].needs, str(those[0].id)})
    return [ProposedChange("task", {"depends_on": needed}, these[0].id, label=these[0].name)]


# Names ----------------------------------------------------------------------------------------
_RENAME: Final = re.compile(
    r"^rename\s+(?P<what>.+?)\s+(?:to|as|into)\s+(?P<new>.+)$"
    r"|^(?:call|name)\s+(?P<what2>it|this|the\s+project|the\s+task\s+.+?)\s+(?P<new2>.+)$"
    r"|^change\s+(?:the\s+)?(?:name|title)(?:\s+of\s+(?P<what3>.+?))?\s+to\s+(?P<new3>.+)$",
    re.IGNORECASE,
)


def _rename(one: _Reading) -> list[Found]:
    found = _RENAME.match(one.text)
    if found is None:
        return []
    what = found["what"] or found["what2"] or found["what3"] or "the project"
    new = (found["new"] or found["new2"] or found["new3"]).strip(" .\"'“”‘’")
    options = [
        ProposedChange("project", {"name": new}, label=target.name)
        if target.kind == "project"
        else ProposedChange("task", {"title": new}, target.id, label=target.name)
        for target in targets_of(what, one.known, dates_too=False)
    ]
    return _chosen(what, options)


# New things -----------------------------------------------------------------------------------
_NOTE: Final = re.compile(
    r"^(?:(?:add|make|take|write|keep)\s+(?:a\s+|this\s+)?(?:as\s+a\s+)?note|note|for\s+the\s+record|fyi"
    r"|remember)\s*(?:that|of|:|,)?\s+(?P<text>.{3,})$",
    re.IGNORECASE | re.DOTALL,
)
_ADD: Final = re.compile(
    r"^(?:(?:add|create|include|plan|put\s+in|insert)\s+(?:(?:a|an|another|the|one\s+more|some|also)\s+)*"
    r"(?:new\s+)?(?P<noun>task|to-?do|step|item|milestone|deliverable)?s?\s*(?:to|called|named|for|:|-|–)?\s*"
    r"|(?:new\s+)(?:task|to-?do|step|milestone)\s*(?::|-|–|to|called)?\s*|(?:task|to-?do)\s*:\s*)"
    r"(?P<what>.{3,})$",
    re.IGNORECASE,
)
_TO_LIST: Final = re.compile(
    r"\s+(?:to|on|onto)\s+(?:the|my|our)\s+(?:list|to-?dos?|tasks|project|plan)$", re.IGNORECASE
)


def _note(one: _Reading) -> list[Found]:
    found = _NOTE.match(one.text)
    if found is None:
        return []
    text = found["text"].strip()
    return [ProposedChange("note", {"text": text[:1].upper() + text[1:]})]


def _add(one: _Reading) -> list[Found]:
    found = _ADD.match(one.text)
    if found:
        return [_new_task(one, found["what"])]
    if one.clause.is_need and starts_with_verb(one.text):
        return [_new_task(one, one.text)]
    return []


def _new_task(one: _Reading, words: str) -> Found:
    words = _TO_LIST.sub("", words).strip(" .,;:\"'“”")
    dates = find_dates(words, one.today)
    values: dict[str, Any] = {}
    if dates and dates[-1].kind == "ambiguous":
        when = dates[-1]
        title = _title(words, when)
        options = [
            ProposedChange("new_task", {"title": title, "due_date": date}, label=day_words(date))
            for date in when.options
        ]
        question = _("“%(title)s”: does %(date)s mean %(one)s or %(other)s?") % {
            "title": title, "date": when.text, "one": options[0].label, "other": options[1].label
        }  # fmt: skip
        return Ambiguity(question, options)
    title = words
    if dates and dates[-1].date and dates[-1].date >= one.today:
        values["due_date"] = dates[-1].date
        title = _title(words, dates[-1])
    else:
        title = words[:1].upper() + words[1:]
    priority = re.search(
        r"\s*[,(]?\s*\b(high|low|critical|urgent)(?:\s+priority)\)?$", title, re.IGNORECASE
    )
    if priority:
        values["priority"] = _PRIORITIES[priority[1].lower()]
        title = title[: priority.start()].strip(" ,")
    return ProposedChange("new_task", {"title": title[:160], **values})


def _title(words: str, when: FoundDate) -> str:
    title = " ".join(f"{words[: when.start]} {words[when.end :]}".split())
    title = re.sub(
        r"[\s,]+(?:by|on|until|before|in|due|for|at)$",
        "",
        title.strip(" ,.;:"),
        flags=re.IGNORECASE,
    )
    return (title[:1].upper() + title[1:])[:160]


# Everything else ------------------------------------------------------------------------------
def _decision(one: _Reading) -> list[Found]:
    """A decision is kept as a note, and where a dimension is meant, there."""
    if not one.clause.is_decision or len(one.text.split()) < 2:
        return []
    text = one.clause.said[:1].upper() + one.clause.said[1:]
    found: list[Found] = [ProposedChange("note", {"title": _("Decision"), "text": text})]
    return [*found, *_fact(one)]


def _fact(one: _Reading) -> list[Found]:
    """A statement that speaks of a dimension joins it."""
    if one.clause.said.rstrip().endswith("?") or len(one.text.split()) < 3:
        return []
    name = cues.dimension_of(one.clause.said)
    if not name:
        return []
    text = one.clause.said[:1].upper() + one.clause.said[1:]
    text += "" if text.endswith((".", "!", "…")) else "."
    return [ProposedChange("dimension", {"field": name, "text": text})]


Rule = Callable[[_Reading], list[Found]]
_RULES: Final[tuple[Rule, ...]] = (
    _note,
    _rename,
    _pause,
    _delete,
    _depends,
    _priority,
    _status,
    _estimate,
    _shift,
    _add,
    _decision,
    _fact,
)
