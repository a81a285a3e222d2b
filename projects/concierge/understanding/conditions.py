"""“If X is late, …”: what the list can tell is looked at now; nothing else is waited for."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from projects.concierge.understanding.hearing import Clause, masked
from projects.concierge.understanding.references import Scene, stems_of, tasks_meant
from projects.concierge.understanding.shapes import KnownTask

Test = Callable[[KnownTask, dt.date], bool]
_STATES: Final[tuple[tuple[str, Test], ...]] = (
    (r"done|finished|complete[d]?|closed", lambda one, _day: one.status == "completed"),
    (r"dropped|cancelled|canceled", lambda one, _day: one.status == "dropped"),
    (r"open|unfinished|to\s+do|undone", lambda one, _day: one.is_open),
    (r"overdue|late|past\s+due", lambda one, day: one.is_open and bool(one.due and one.due < day)),
    (r"due\s+today", lambda one, day: one.is_open and one.due == day),
    (r"due\s+tomorrow", lambda one, day: one.is_open and one.due == day + dt.timedelta(1)),
    (r"blocked|stuck|on\s+hold|waiting", lambda one, _day: one.status == "blocked"),
    (r"scheduled", lambda one, _day: one.status == "scheduled"),
    (r"in\s+(?:the|my)\s+inbox", lambda one, _day: one.status == "inbox"),
    (r"critical|urgent", lambda one, _day: one.priority == "critical"),
    (r"(?:a\s+)?high[ -]priority", lambda one, _day: one.priority == "high"),
    (r"(?:a\s+)?low[ -]priority", lambda one, _day: one.priority == "low"),
)
_ANY_STATE: Final = "|".join(pattern for pattern, _test in _STATES)
_ANYTHING: Final = r"(?:any(?:thing|\s+(?:tasks?|to-?dos?))|some(?:thing|\s+tasks?))"
_TOLD: Final = re.compile(
    r"^(?P<how>if|unless|in\s+case)\s+(?P<ref>\S.*?)(?:\s+(?:is|are|was|were|has\s+been|have\s+been)"
    r"(?P<nt>n[’']t)?|[’']s)\s+(?P<not>not\s+)?(?:still\s+|already\s+|now\s+|really\s+)*(?P<not2>not\s+)?"
    rf"(?P<state>{_ANY_STATE})(?:\s+(?:yet|already|now|still|by\s+now))?$",
    re.IGNORECASE,
)
_THERE_ARE: Final = re.compile(
    rf"^if\s+(?:there\s+(?:is|are)|i\s+have)\s+(?:{_ANYTHING}\s+|any\s+)?(?P<state>{_ANY_STATE})"
    r"(?:\s+(?:tasks?|to-?dos?|things?))?$",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    r"^(?P<wish>\S.*?)\s*,?\s+(?P<when>(?:if|unless)\s+\S.*)$", re.IGNORECASE
)
_WHEN: Final = re.compile(
    r"^when(?:ever)?\s+(?!(?:is|are|will|do|does|did|should|can|was|were|shall)\b)", re.IGNORECASE
)
_IT: Final = re.compile(r"^(?P<how>if|unless)\s+(?:it|that|this)\b", re.IGNORECASE)
_OTHERWISE: Final = re.compile(r"\b(?:otherwise|or\s+else|else|if\s+not)\b", re.IGNORECASE)
_SET: Final = re.compile(rf"^{_ANYTHING}$", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """Whether a condition holds now, and the tasks that it speaks of (all that fit, for “any”)."""

    holds: bool
    rows: tuple[KnownTask, ...] = ()
    state: str = ""


def judged(clause: Clause, among: Sequence[Clause], scene: Scene) -> Verdict | None:
    """What a clause such as “if the report is overdue” comes to; None when the list cannot tell.

    `among` are all clauses: where one says “otherwise”, too much hangs on it.
    """
    if any(_OTHERWISE.search(one.masked) for one in (clause, *among)):
        return None
    found = _THERE_ARE.match(clause.text)
    if found:
        return _any(found["state"], scene)
    found = _TOLD.match(clause.text)
    if found is None:
        return None
    is_not = bool(found["nt"] or found["not"] or found["not2"])
    is_unless = found["how"].lower() == "unless"
    if _SET.match(found["ref"]):
        return None if is_not or is_unless else _any(found["state"], scene)
    rows = tasks_meant(found["ref"], scene).rows
    if not rows:
        return None
    test = _test(found["state"])
    holds = all(test(one, scene.today) for one in rows)
    return Verdict(holds != (is_not != is_unless), rows, found["state"])


def _any(state: str, scene: Scene) -> Verdict:
    test = _test(state)
    rows = tuple(one for one in scene.known.tasks if test(one, scene.today))
    return Verdict(bool(rows), rows, state)


def _test(state: str) -> Test:
    return next(test for pattern, test in _STATES if re.fullmatch(pattern, state, re.IGNORECASE))


def waits(clause: Clause) -> bool:
    """“when X is done”, where something follows: no question then."""
    return bool(_WHEN.match(clause.masked)) and not clause.said.rstrip().endswith("?")


def in_order(found: Sequence[Clause], scene: Scene) -> list[Clause]:
    """The clauses, with “move X to Friday if X is late” turned to condition and wish.

    Only where the list can tell: a condition that it cannot tell keeps its wish from being done.
    """
    told: list[Clause] = []
    for clause in found:
        trailing = _TRAILING.match(clause.masked)
        if trailing is None or clause.is_question:
            told.append(clause)
            continue
        wish = clause.text[: trailing.end("wish")].strip(" ,")
        when = clause.text[trailing.start("when") :].strip()
        when = _named(when, wish, scene)
        pair = [replace(clause, text=one, masked=masked(one)) for one in (when, wish)]
        told += pair if judged(pair[0], found, scene) is not None else [clause]
    return told


def _named(when: str, wish: str, scene: Scene) -> str:
    """“if it is late” with the title of the only task that the wish names in full for “it”."""
    said = stems_of(wish)
    rows = [one for one in scene.known.tasks if one.is_open and stems_of(one.title) <= said]
    if len(rows) != 1 or not _IT.match(when) or '"' in rows[0].title:
        return when
    return _IT.sub(lambda found: f'{found["how"]} "{rows[0].title}"', when, count=1)


def not_so(verdict: Verdict) -> str:
    """Why nothing was done."""
    if not verdict.rows:
        return _("Nothing is like that, so I left everything as it is.")
    names = ", ".join(f"“{one.title}”" for one in verdict.rows[:3])
    return _("That is not so for %(names)s, so I left everything as it is.") % {"names": names}


def cannot_wait(said: str) -> str:
    """That nothing is waited for, and what can be done instead."""
    told = _(
        "I cannot wait for something to happen first; I can only look whether something on your "
        "list is done, late, blocked or due now. Tell me when it is time: “%(said)s”. What one "
        "to-do waits for can be kept with it among [your to-dos](%(url)s)."
    )
    return told % {"said": said.strip(" .")[:80], "url": reverse("todos:list")}
