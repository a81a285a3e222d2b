"""Rules for tasks that are there: done, renamed, ranked, moved, blocked, noted on, deleted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import (
    AddNote,
    Call,
    CompleteTask,
    DeleteTask,
    Priority,
    Status,
    UpdateTask,
)
from projects.concierge.understanding.hearing import Clause, has_not, is_hedged
from projects.concierge.understanding.references import (
    Scene,
    project_meant,
    stems_of,
    tasks_meant,
    unquoted,
)
from projects.concierge.understanding.said import Said, about_project, about_tasks, done, which_task
from projects.concierge.understanding.shapes import KnownTask

PRIORITIES: Final[dict[str, Priority]] = {
    "critical": "critical", "urgent": "critical", "top": "critical", "highest": "critical",
    "very urgent": "critical", "high": "high", "higher": "high", "important": "high",
    "normal": "normal", "medium": "normal", "regular": "normal", "low": "low", "lower": "low",
    "lowest": "low", "unimportant": "low",
}  # fmt: skip
STATUSES: Final[dict[str, Status]] = {
    "inbox": "inbox", "available": "available", "ready": "available", "in progress": "available",
    "active": "available", "open": "available", "to do": "available", "scheduled": "scheduled",
    "blocked": "blocked", "waiting": "blocked", "on hold": "blocked", "stuck": "blocked",
    "completed": "completed", "complete": "completed", "done": "completed", "finished": "completed",
    "dropped": "dropped", "cancelled": "dropped", "canceled": "dropped", "abandoned": "dropped",
}  # fmt: skip
_LEVEL: Final = rf"(?P<level>{'|'.join(sorted(PRIORITIES, key=len, reverse=True))})"
_STATUS: Final = rf"(?P<status>{'|'.join(sorted(STATUSES, key=len, reverse=True))})"
_REF: Final = r"(?P<ref>\S.*?)"
_DONE: Final = r"(?:done|complete|completed|finished)"


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_COMPLETE: Final = (
    _re(
        rf"^(?:mark|set|tick|check|cross|flag|put)\s+{_REF}\s+(?:off\s+)?(?:as\s+"
        rf"|to\s+)?(?:being\s+)?(?:all\s+)?{_DONE}$"
    ),
    _re(rf"^(?:mark|set)\s+(?:as\s+)?{_DONE}\s*:?\s+{_REF}$"),
    _re(rf"^(?:tick|check|cross)\s+off\s+{_REF}$"),
    _re(rf"^(?:tick|check|cross)\s+{_REF}\s+off(?:\s+(?:my|the)\s+list)?$"),
    _re(rf"^(?:complete|finish|close)\s+(?:off\s+)?{_REF}$"),
    _re(rf"^(?:done|finished|complete|completed)\s*(?:with|:|-)\s*{_REF}$"),
)
_COMPLETED: Final = (
    _re(
        r"^(?:i|we)(?:[’'](?:m|ve|re)|\s+am|\s+are|\s+have)?\s+(?:now\s+|just\s+"
        r"|already\s+|finally\s+)*(?:done|finished|completed"
        rf"|through)\s+(?:with\s+)?{_REF}(?:\s+(?:today|yesterday|already|just\s+now"
        r"|this\s+morning))?$"
    ),
    _re(
        rf"^{_REF}(?:\s+(?:is|are|was|were|has\s+been|have\s+been)|[’']s)\s+(?:now\s+"
        rf"|all\s+|already\s+|finally\s+|just\s+)*(?:{_DONE}|sorted|over|out"
        r"|taken\s+care\s+of|handled|wrapped\s+up)(?:\s+(?:now|already|too))?$"
    ),
    _re(rf"^{_REF}\s*[:,–—-]?\s+(?:done|completed?|finished|✓|✔|✅)$"),
)
_PAST: Final = (
    r"(?!need\b|feed\b|seed\b|speed\b|embed\b|proceed\b|exceed\b|breed\b|weed\b"
    r"|shed\b|bed\b|red\b)(?:\w+ed|sent|paid"
    r"|bought|wrote|written|made|met|sold|spoke|spoken|told|built|drew|drawn|ran|brought|rang)"
)
_DID: Final = _re(
    r"^(?:(?:i|we)(?:[’']ve|\s+have)?\s+(?:now\s+|just\s+|already\s+"
    rf"|finally\s+)*)?(?P<ref>(?:{_PAST})\s+\S.*?)(?:\s+(?:today|yesterday|already"
    r"|just\s+now|this\s+morning))?$"
)
_BEEN: Final = _re(
    r"^(?P<what>\S.*?)(?:\s+(?:is|are|has\s+been|have\s+been|was|were|got)"
    r"|[’']s)\s+(?:now\s+|all\s+|already\s+|finally\s+|just\s+"
    rf"|been\s+)*(?P<verb>{_PAST}|read|cut|hung|held)(?:\s+(?:now|already|today"
    r"|too))?$"
)
_DELETE: Final = _re(
    r"^(?:delete|remove|erase|trash|bin|get\s+rid\s+of|throw\s+away"
    rf"|permanently\s+delete)\s+{_REF}(?:\s+from\s+(?:my|the)\s+(?:to-?do\s+"
    r"|task\s+)?(?:list|tasks|to-?dos|inbox))?$"
)
_RENAME: Final = (
    _re(rf"^(?:rename|retitle)\s+{_REF}\s+(?:to|as|into|->|→)\s+(?P<title>\S.*)$"),
    _re(
        r"^(?:change|set|edit|update)\s+(?:the\s+)?(?:title"
        rf"|name)\s+of\s+{_REF}\s+to\s+(?P<title>\S.*)$"
    ),
    _re(
        r"^call\s+(?P<ref>it|that|this|(?:that|this)\s+(?:one|task)"
        r"|the\s+task\s+\S.*?)\s+(?P<title>[\"“'‘].+[\"”'’])(?:\s+instead)?$"
    ),
)
_PRIORITY: Final = (
    _re(
        r"^(?:set|change|make|put|raise|lower|bump|drop|increase|reduce"
        rf"|update)\s+(?:the\s+)?prio(?:rity)?\s+(?:of|for|on)\s+{_REF}\s+(?:to|as|="
        rf"|at)\s+{_LEVEL}(?:\s+prio(?:rity)?)?$"
    ),
    _re(
        r"^(?:set|change|make|mark|flag|bump|raise|lower|put|give"
        rf"|move)\s+{_REF}(?:[’']s\s+prio(?:rity)?)?\s+(?:up\s+|down\s+)?(?:to\s+|as\s+"
        rf"|at\s+|on\s+)?(?:be\s+)?(?:a\s+|an\s+)?{_LEVEL}(?:[ -]prio(?:rity)?)?$"
    ),
    _re(
        rf"^{_REF}(?:\s+(?:is|should\s+be|has\s+become|became)|[’']s)\s+(?:now\s+"
        rf"|really\s+|very\s+)*(?:a\s+)?{_LEVEL}(?:[ -]prio(?:rity)?)?(?:\s+now)?$"
    ),
)
_PRIORITISE: Final = (
    (_re(rf"^prioriti[sz]e\s+{_REF}$"), "high"),
    (_re(rf"^(?:deprioriti[sz]e|de-prioriti[sz]e)\s+{_REF}$"), "low"),
)
_STATUS_SET: Final = (
    _re(
        rf"^(?:set|change|update)\s+(?:the\s+)?status\s+of\s+{_REF}\s+to\s+[\"“'‘]?{_STATUS}"
        r"[\"”'’]?$"
    ),
    _re(
        rf"^(?:set|change|update|mark|flag|put|move|make|bring)\s+{_REF}\s+(?:back\s+)?(?:to\s+"
        rf"|as\s+|into\s+|in\s+)?(?:the\s+|my\s+|being\s+)?[\"“'‘]?{_STATUS}[\"”'’]?(?:\s"
        r"+(?:again|status))?$"
    ),
    _re(
        rf"^{_REF}\s+(?:is|are)\s+(?:now\s+|still\s+)?(?P<status>blocked|stuck|on\s+hold"
        r"|available|ready)(?:\s+(?:by|until|because|now|again)\b.*)?$"
    ),
)
_STATUS_VERBS: Final[tuple[tuple[re.Pattern[str], Status], ...]] = (
    (_re(r"^(?:unblock|reopen|re-open|resume|restore|activate|un-?complete|untick"
         rf"|uncheck|undrop)\s+{_REF}$"), "available"),
    (_re(rf"^block\s+{_REF}(?:\s*,.*|\s+(?:because|until|by)\b.*)?$"), "blocked"),
    (_re(rf"^(?:drop|cancel|abandon|scrap|ditch|skip)\s+{_REF}$"), "dropped"),
)  # fmt: skip
_NOTE: Final = (
    _re(
        r"^(?:add|append|write|put|attach)\s+(?:this\s+"
        r"|the\s+following\s+)?(?:to\s+)?(?:the\s+|a\s+|some\s+)?notes?\s+(?:of|to|on"
        rf"|for|about|in|under|with)\s+{_REF}\s*(?::|,?\s+(?:that\s+says|saying"
        r"|that)\s)\s*(?P<text>\S.*)$"
    ),
    _re(rf"^note\s+(?:on|for|to|about)\s+{_REF}\s*:\s*(?P<text>\S.*)$"),
    _re(
        r"^(?:add|append|write|put)\s+(?P<text>[\"“'‘].+[\"”'’]"
        r"|\S.*?)\s+(?:as\s+a\s+note\s+)?(?:to|on|in|into)\s+(?:the\s+)?notes?\s+(?:of"
        rf"|for|on|about)\s+{_REF}$"
    ),
    _re(
        r"^(?:add|append|write|put)\s+(?P<text>[\"“'‘].+[\"”'’]"
        rf"|\S.*?)\s+as\s+a\s+note\s+(?:to|on|for)\s+{_REF}$"
    ),
    _re(
        rf"^(?:note|write\s+down|remember)\s+(?:for|on|in)\s+{_REF}\s*(?::"
        r"|,?\s+that\s)\s*(?P<text>\S.*)$"
    ),
)
_NOTE_ALONE: Final = _re(
    r"^(?:add|make|write|take|keep)\s+(?:a|this|the\s+following)?\s*note\s*(?::"
    r"|that\s|saying\s)\s*(?P<text>\S.*)$"
)
_SET_NOTES: Final = _re(
    rf"^(?:set|change|replace)\s+the\s+notes?\s+(?:of|on|for)\s+{_REF}\s+(?:to"
    r"|with)\s*:?\s+(?P<text>\S.*)$"
)
_INTO_PROJECT: Final = _re(
    rf"^(?:move|put|assign|add|shift|file)\s+{_REF}\s+(?:to|into|in|under"
    r"|onto)\s+(?P<project>(?:the\s+|my\s+|project\s+)?\S.*?)$"
)


def holds(clause: Clause, free: str = "") -> bool:
    """Whether a wish is meant as it stands: neither negated nor hedged outside its free text."""
    frame = clause.masked
    if free and free in clause.text:
        place = clause.text.rindex(free)
        frame = frame[:place] + frame[place + len(free) :]
    return not (has_not(frame) or is_hedged(frame))


def completed(scene: Scene, clause: Clause) -> Said | None:
    """“mark X done”, “finish X”, “tick off X and Y”."""
    for pattern in _COMPLETE:
        found = pattern.match(clause.text)
        if found and holds(clause):
            return _complete(found["ref"], scene)
    if re.fullmatch(
        r"(?:(?:all\s+)?done|finished|completed?)(?:\s+(?:it|that|this|with\s+it|with\s+that))?",
        clause.text,
        re.IGNORECASE,
    ):
        return _complete("it", scene)
    return None


def _complete(ref: str, scene: Scene) -> Said:
    verb, example = _("mark as done"), _("Mark %s as done")
    found = tasks_meant(ref, scene)
    if len(found.rows) == 1 and found.rows[0].status == "completed":
        reply = _("“%(title)s” is done already.") % {"title": found.rows[0].title}
        return Said("small_talk", reply=reply, named=found.rows)
    return about_tasks(
        ref, scene, lambda one: [CompleteTask(task=one)], verb=verb, example=example, is_risky=True
    )


def told_done(scene: Scene, clause: Clause) -> Said | None:
    """“I finished X”, “the sheet is out”, “the hallway is painted”: done where X is certain."""
    if clause.is_question or not holds(clause):
        return None
    for pattern in _COMPLETED:
        found = pattern.match(clause.text)
        if found:
            return _told(found["ref"], scene)
    found = _DID.match(clause.text)
    if found:
        return _told(found["ref"], scene)
    found = _BEEN.match(clause.text)
    return _told(f"{found['verb']} {found['what']}", scene) if found else None


def _told(ref: str, scene: Scene) -> Said | None:
    """Only what surely names an open task; a statement about other things is none of ours."""
    found = tasks_meant(ref, scene)
    if found.rows and not found.is_set and all(one.is_open for one in found.rows):
        return done(*(CompleteTask(task=str(one.id)) for one in found.rows), named=found.rows)
    if found.rows and all(one.status == "completed" for one in found.rows):
        return _complete(ref, scene)
    open_ones = [one for one in found.candidates or found.near if one.is_open]
    shared = [one for one in open_ones if len(stems_of(one.title) & stems_of(ref)) > 1] or (
        list(found.candidates) and open_ones
    )
    if not shared:
        return None
    return which_task(
        found,
        lambda one: [CompleteTask(task=one)],
        verb=_("mark as done"),
        example=_("Mark %s as done"),
    )


def deleted(scene: Scene, clause: Clause) -> Said | None:
    """“delete X”; the ledger then waits for a review."""
    found = _DELETE.match(clause.text)
    if found is None or not holds(clause):
        return None
    if re.search(
        r"\b(?:due\s+date|deadline|date|priority|notes?|dependency)\b", found["ref"], re.IGNORECASE
    ):
        return None
    return about_tasks(
        found["ref"],
        scene,
        lambda one: [DeleteTask(task=one)],
        verb=_("delete"),
        example=_("Delete %s"),
        is_risky=True,
    )


def renamed(scene: Scene, clause: Clause) -> Said | None:
    """“rename X to Y”."""
    for pattern in _RENAME:
        found = pattern.match(clause.text)
        if found and holds(clause, found["title"]):
            title = unquoted(found["title"])
            title = title[:1].upper() + title[1:] if title.split()[0].islower() else title
            if len(title) > 200:
                return Said(
                    "question",
                    question=_("That is long for a title. What shall the task be called?"),
                )

            def make(one: str, title: str = title) -> Sequence[Call]:
                return [UpdateTask(task=one, title=title)]

            return about_tasks(found["ref"], scene, make, verb=_("rename"))
    return None


def ranked(scene: Scene, clause: Clause) -> Said | None:
    """“make X high priority”, “X is urgent”, “prioritise X”."""
    for place, pattern in enumerate(_PRIORITY):
        found = pattern.match(clause.text)
        if found and holds(clause):
            level = PRIORITIES[found["level"].lower()]
            return _update(found["ref"], scene, _("rank"), is_told=place == 2, priority=level)
    for pattern, named in _PRIORITISE:
        found = pattern.match(clause.text)
        if found and holds(clause):
            return _update(found["ref"], scene, _("rank"), priority=PRIORITIES[named])
    return None


def put_in_status(scene: Scene, clause: Clause) -> Said | None:
    """“block X”, “reopen X”, “set X to scheduled”, “drop X”."""
    for pattern, status in _STATUS_VERBS:
        found = pattern.match(clause.text)
        if found and holds(Clause(clause.said, clause.text, clause.masked[: found.end("ref")])):
            return _in_status(found["ref"], scene, status)
    for place, pattern in enumerate(_STATUS_SET):
        found = pattern.match(clause.text)
        if found and holds(Clause(clause.said, clause.text, clause.masked[: found.end("status")])):
            status = STATUSES[" ".join(found["status"].lower().split())]
            if status == "completed":
                return _complete(found["ref"], scene)
            return _in_status(found["ref"], scene, status, is_told=place == 2)
    return None


def _in_status(ref: str, scene: Scene, status: Status, *, is_told: bool = False) -> Said | None:
    if re.search(r"\bproject$", ref, re.IGNORECASE):
        return None
    verbs = {
        "available": _("open"),
        "blocked": _("block"),
        "dropped": _("drop"),
        "inbox": _("put into the inbox"),
        "scheduled": _("schedule"),
    }
    return _update(ref, scene, verbs.get(status, status), is_told=is_told, status=status)


def noted(scene: Scene, clause: Clause) -> Said | None:
    """A note on a project, or more in the notes of a task."""
    found = next(filter(None, (one.match(clause.text) for one in (*_NOTE, _SET_NOTES))), None)
    if found is None:
        return _loose_note(scene, clause)
    if not holds(clause, found["text"]):
        return None
    ref, text = found["ref"], unquoted(found["text"])
    tasks, projects = tasks_meant(ref, scene), project_meant(ref, scene)
    if re.search(r"\bproject\b", ref, re.IGNORECASE) or (
        not tasks.rows and not tasks.candidates and projects.rows
    ):
        return about_project(
            ref, scene, lambda one: [AddNote(project=one, text=text)], verb=_("put the note with")
        )
    if (
        tasks.rows
        and len(projects.rows) == 1
        and not tasks.is_pronoun
        and not re.search(r"\b(?:task|to-?do)\b", ref, re.IGNORECASE)
    ):
        exact = [one for one in tasks.rows if one.title.casefold() == unquoted(ref).casefold()]
        if not exact:
            return _task_or_project(tasks.rows[0], projects.rows[0].name)
    name = "notes" if found.re is _SET_NOTES else "append_notes"

    def more(one: str) -> Sequence[Call]:
        return [UpdateTask.model_validate({"task": one, name: text})]

    return about_tasks(ref, scene, more, verb=_("put the note on"), is_risky=True)


def _loose_note(scene: Scene, clause: Clause) -> Said | None:
    """“add a note: …” does not say where to."""
    found = _NOTE_ALONE.match(clause.text)
    if found is None:
        return None
    text = unquoted(found["text"])
    return about_project(
        " ", scene, lambda one: [AddNote(project=one, text=text)], verb=_("put the note with")
    )


def _task_or_project(task: KnownTask, name: str) -> Said:
    question = _("Do you mean the task “%(title)s” or the project “%(name)s”? Please say which.")
    return Said("question", question=question % {"title": task.title, "name": name})


def put_in_project(scene: Scene, clause: Clause) -> Said | None:
    """“move X to the … project”."""
    found = _INTO_PROJECT.match(clause.text)
    if found is None or not holds(clause):
        return None
    is_called = bool(re.search(r"\bproject\b", found["project"], re.IGNORECASE))
    projects = project_meant(found["project"], scene)
    if len(projects.rows) != 1 or projects.is_pronoun:
        if not is_called:
            return None
        return about_project(found["project"], scene, lambda _one: [], verb=_("move it to"))
    target = str(projects.rows[0].id)
    tasks = tasks_meant(found["ref"], scene)
    if not tasks.rows and not is_called:
        return None
    return _update(found["ref"], scene, _("move"), project=target)


def _update(
    ref: str, scene: Scene, verb: str, *, is_told: bool = False, **values: str
) -> Said | None:
    """The update for the tasks that are meant; a mere statement about something else is None."""
    if is_told and not tasks_meant(ref, scene).rows:
        return None

    def make(one: str) -> Sequence[Call]:
        return [UpdateTask.model_validate({"task": one, **values})]

    return about_tasks(ref, scene, make, verb=verb, is_risky=True)
