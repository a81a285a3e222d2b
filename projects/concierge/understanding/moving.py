"""Rules for dates of tasks that are there: “move X to Friday”, “by two days”, “no due date”."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import Call, RescheduleTask
from projects.concierge.understanding.changing import holds
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import Scene, tasks_meant
from projects.concierge.understanding.said import Said, about_tasks
from projects.concierge.understanding.shapes import Pending
from projects.language.dates import find_span, shifted
from projects.language.quick import parse

_REF: Final = r"(?P<ref>\S.*?)"


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_MOVE: Final = (
    _re(r"^(?:move|push|postpone|reschedule|delay|shift|snooze|defer|put\s+off"
        rf"|push\s+back|bring\s+forward|pull\s+forward|pull)\s+{_REF}\s+(?:(?P<way>back"
        rf"|forward|out|up|ahead|earlier|later)\s+)?(?:(?:from\s+(?P<day>[\w ]{{2,20}}?)\s+)?(?:to"
        r"|until|till|on|for|onto)\s+(?P<when>\S.*)|by\s+(?P<by>\S.*))$"),
    _re(r"^(?:move|push|postpone|reschedule|delay|shift|snooze|defer|put\s+off"
        rf"|bring\s+forward)\s+{_REF}\s+(?P<by>(?:an?|one|two|three|four|five|six|seven"
        rf"|\d{{1,3}}|a\s+few|a\s+couple\s+of)\s+(?:day|week|month)s?(?:\s+(?P<way>back"
        r"|forward|out|earlier|later|ahead))?)$"),
    _re(r"^(?:move|push|postpone|reschedule|delay|shift|snooze|defer"
        rf"|put\s+off)\s+{_REF}\s+(?P<when>(?:today|tomorrow|tmrw|next\s+\w+"
        r"|this\s+\w+))$"),
    _re(rf"^schedule\s+{_REF}\s+(?:for|on|to|at)\s+(?P<when>\S.*)$"),
    _re(r"^(?:set|change|move|update|make|put|push|extend|give)\s+(?:the\s+"
        rf"|a\s+)?(?:due\s+date|deadline|date|due)\s+(?:of|for|on)\s+{_REF}\s+(?:(?:to"
        r"|for|on|as|until)\s+(?P<when>\S.*)|by\s+(?P<by>\S.*))$"),
    _re(rf"^(?:set|make|mark|have)\s+{_REF}\s+(?:to\s+be\s+)?due\s+(?P<when>\S.*)$"),
    _re(rf"^give\s+{_REF}\s+(?:a\s+)?(?:due\s+date|deadline)\s+(?:of|on)\s+(?P<when>\S.*)$"),
)  # fmt: skip
_DUE: Final = _re(rf"^{_REF}(?:\s+(?:is|are|will\s+be)|[’']s)\s+(?:now\s+)?due\s+(?P<when>\S.*)$")
_ELLIPTIC: Final = _re(r"^(?:make\s+(?P<ref>it|them)\s+)?due\s+(?P<when>\S.*)$")
_START: Final = (
    _re(r"^(?:set|change|move)\s+the\s+start(?:\s+date)?\s+(?:of"
        rf"|for)\s+{_REF}\s+to\s+(?P<when>\S.*)$"),
    _re(rf"^(?:start|begin)\s+{_REF}\s+(?:on\s+)?(?P<when>(?:on\s+)?(?:tomorrow|today"
        r"|next\s+\w+|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d.*"
        r"|in\s+\S.*))$"),
)  # fmt: skip
_CLEAR: Final = (
    _re(r"^(?:remove|clear|delete|drop|erase|take\s+away"
        r"|unset)\s+(?:the\s+)?(?P<what>due\s+date|deadline|dates?"
        rf"|start(?:\s+date)?)\s+(?:of|from|on|for|off)\s+{_REF}$"),
    _re(r"^take\s+the\s+(?P<what>due\s+date|deadline|dates?|start(?:\s+date)?)\s+(?:off"
        rf"|from|away\s+from|out\s+of)\s+(?:of\s+)?{_REF}$"),
    _re(rf"^(?P<what>unschedule)\s+{_REF}$"),
    _re(rf"^(?:set|make)\s+{_REF}\s+(?:to\s+have\s+)?(?P<what>no\s+(?:due\s+date|deadline))$"),
)  # fmt: skip
_NO_WHEN: Final = _re(rf"^(?:postpone|reschedule|delay|snooze|defer|put\s+off)\s+{_REF}$")
_EARLIER: Final = re.compile(r"\b(?:earlier|forward|ahead|up)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _When:
    """A day and time, or a length of time to move by."""

    due: dt.date | None = None
    time: dt.time | None = None
    by: dt.timedelta | int | None = None
    note: str = ""


def moved(scene: Scene, clause: Clause) -> Said | None:
    """Another due date, a start, or none any more."""
    if clause.is_question or not holds(clause):
        return None
    for patterns, read in ((_CLEAR, _cleared), (_START, _started), (_MOVE, _moved)):
        for pattern in patterns:
            found = pattern.match(clause.text)
            said = read(found, scene) if found else None
            if said is not None:
                return said
    found = _ELLIPTIC.match(clause.text)
    if found:
        return _to(
            found["ref"] or ("them" if len(scene.focus) > 1 else "it"),
            _when(found["when"], scene),
            scene,
        )
    found = _DUE.match(clause.text)
    if found:
        tasks, when = tasks_meant(found["ref"], scene), _when(found["when"], scene)
        return _to(found["ref"], when, scene) if tasks.rows and when and not tasks.is_set else None
    found = _NO_WHEN.match(clause.text)
    return _asked_when(found["ref"], scene) if found else None


def _moved(found: re.Match[str], scene: Scene) -> Said | None:
    named = found.groupdict()
    by = named.get("by")
    when = _by(by, named.get("way") or "", found.group(0)) if by else _when(named["when"], scene)
    if when is None:
        return None
    if named.get("day"):
        return _from_day(found["ref"], named["day"], when, scene)
    return _to(found["ref"], when, scene)


def _from_day(ref: str, day: str, when: _When, scene: Scene) -> Said | None:
    """“move everything from Friday to Monday”: the day is a condition, and held to."""
    meant = tasks_meant(ref, scene)
    if meant.is_set:
        return _to(f"{ref} from {day}", when, scene)
    said = _when(day, scene)
    if len(meant.rows) != 1 or (said is not None and meant.rows[0].due == said.due):
        return _to(ref, when, scene)
    due = RescheduleTask(task=str(meant.rows[0].id), due=when.due, due_time=when.time)
    question = _("“%(title)s” is not due then. Shall I move it all the same?")
    return Said(
        "question",
        question=question % {"title": meant.rows[0].title},
        pending=Pending(kind="offer", calls=[due]),
        named=meant.rows,
    )


def _cleared(found: re.Match[str], scene: Scene) -> Said | None:
    what = found["what"].lower()
    if "start" in what:
        fields = ["start"]
    else:
        fields = ["due", "start"] if what in {"dates", "unschedule"} else ["due"]

    def make(one: str) -> Sequence[Call]:
        return [RescheduleTask.model_validate({"task": one, "clear": fields})]

    return about_tasks(found["ref"], scene, make, verb=_("take the date off"), is_risky=True)


def _started(found: re.Match[str], scene: Scene) -> Said | None:
    when = _when(found["when"], scene)
    tasks = tasks_meant(found["ref"], scene)
    if when is None or when.due is None or not (tasks.rows or tasks.candidates):
        return None
    start = when.due
    return about_tasks(
        found["ref"], scene, lambda one: [RescheduleTask(task=one, start=start)], verb=_("start")
    )


def _to(ref: str, when: _When | None, scene: Scene) -> Said | None:
    if when is None:
        return None
    if when.note:
        return Said("question", question=when.note)
    dates = {str(one.id): one.due for one in scene.known.tasks}
    if when.by is not None and any(one.due is None for one in tasks_meant(ref, scene).rows):
        return _asked_when(ref, scene)

    def make(one: str) -> Sequence[Call]:
        base = dates.get(one) or scene.today
        due = shifted(base, when.by) if when.by is not None else when.due
        return [RescheduleTask(task=one, due=due, due_time=when.time)]

    return about_tasks(
        ref, scene, make, verb=_("move"), example=_move_example(when), is_risky=False
    )


def _move_example(when: _When) -> str:
    return _("Move %%s to %(date)s") % {"date": when.due.isoformat()} if when.due else ""


def _asked_when(ref: str, scene: Scene) -> Said:
    """Asks for the day, once it is clear which task is meant."""
    found = tasks_meant(ref, scene)
    if not found.rows:
        return about_tasks(ref, scene, lambda one: [RescheduleTask(task=one)], verb=_("move"))
    titles = ", ".join(f"“{one.title}”" for one in found.rows)
    calls: list[Call] = [RescheduleTask(task=str(one.id)) for one in found.rows]
    question = _("To which day shall I move %(titles)s?") % {"titles": titles}
    pending = Pending(kind="fill", calls=calls, slot="due")
    return Said("question", question=question, pending=pending, named=found.rows)


def _when(words: str, scene: Scene) -> _When | None:
    """The day that words are, all of them; None when they are something else."""
    read = parse(f"x y by {words}", now=scene.now, projects=())
    if read.due is None:
        read_on = parse(f"x y on {words}", now=scene.now, projects=())
        read = read_on if read_on.due else read
    if read.due is None or read.title.casefold() not in {"x y", "x y by", "x y on"}:
        note = (
            next((one for one in read.unclear if _is_asking(one)), "")
            if _has_only_date(words)
            else ""
        )
        return _When(note=note) if note else None
    past = next((one for one in read.unclear if read.due < scene.today), "")
    return _When(read.due, read.due_time, note=past)


def _is_asking(note: str) -> bool:
    return "“" in note


def _has_only_date(words: str) -> bool:
    return bool(re.fullmatch(r"[\d/.\s]+", words))


def _by(words: str, way: str, whole: str) -> _When | None:
    span = find_span(words)
    if span is None:
        return None
    start, end, by = span
    rest = re.sub(
        r"\b(?:back|forward|out|up|ahead|earlier|later)\b|\W",
        "",
        words[:start] + words[end:],
        flags=re.IGNORECASE,
    )
    if rest:
        return None
    is_earlier = bool(_EARLIER.search(way or words[end:])) or bool(
        re.match(r"(?:bring|pull)\b", whole, re.IGNORECASE)
    )
    return _When(by=-by if is_earlier else by)


def day_said(words: str, scene: Scene) -> tuple[dt.date, dt.time | None] | None:
    """The day that an answer is (“Friday at 3”)."""
    bare = re.sub(
        r"^(?:to|on|by|until|for|at|make\s+it|let[’']?s\s+say|say)\s+",
        "",
        words.strip(),
        flags=re.IGNORECASE,
    )
    when = _when(bare, scene)
    return (when.due, when.time) if when and when.due and not when.note else None
