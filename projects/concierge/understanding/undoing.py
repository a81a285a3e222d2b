"""Rules for taking back: the last change, the one before it, several, or that of one task."""

from __future__ import annotations

import re
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from projects.concierge.calls import Undo
from projects.concierge.understanding.changing import holds
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import Scene, deleted_meant, tasks_meant
from projects.concierge.understanding.said import Said, done, shown, which_task
from projects.concierge.understanding.shapes import KnownTask

_VERB: Final = r"(?:undo|revert|take\s+back|reverse|roll\s+back)"
_UNDO: Final = re.compile(
    rf"^{_VERB}(?:\s+(?:it|that|this|them"
    r"|both|all(?:\s+of\s+(?:it|that|them))?|everything(?:\s+you\s+just\s+did)?"
    r"|please|again"
    r"|(?:the|my|your|that|this)(?:\s+(?:last|latest|previous"
    r"|most\s+recent))?(?:\s+(?:one|thing|change|changes|step|action|rename"
    r"|deletion|update|edit|move))?))?$"
    r"|^(?:take|put|change|bring|turn)\s+(?:it|that|this)\s+back(?:\s+to\s+(?:how"
    r"|what)\s+it\s+was)?$|^i\s+did\s*n[o’']?t\s+mean\s+(?:that|to\s+do\s+that|it)$"
    r"|^oops,?\s+undo(?:\s+(?:it|that))?$",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    rf"^{_VERB}\s+(?:the\s+)?(?:(?:change|one|thing|step|answer)\s+before(?:\s+(?:that|this|last|it"
    r"|the\s+last(?:\s+one)?))?|(?:second|next)[ -](?:to[ -])?last(?:\s+(?:change|one|thing))?"
    r"|last\s+but\s+one(?:\s+change)?)$",
    re.IGNORECASE,
)
_COUNTS: Final = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}
_SEVERAL: Final = re.compile(
    rf"^{_VERB}\s+(?:the\s+|my\s+|your\s+)?last\s+(?P<n>{'|'.join(_COUNTS)})"
    r"(?:\s+(?:changes|things|ones|steps|answers))?$",
    re.IGNORECASE,
)
_OF_TASK: Final = re.compile(
    rf"^{_VERB}\s+(?:"
    r"(?:what|everything|whatever|all)\s+(?:that\s+)?(?:you|i)(?:[’']ve)?\s+"
    r"(?:did|changed|done)\s+(?:to|with|on|of|for)\s+(?P<what>\S.*)"
    r"|(?:the\s+|my\s+|your\s+)?(?:last\s+)?(?:changes?|edits?|updates?|renam(?:e|ing)|move|deletion"
    r"|completion)\s+(?:to|of|on|for|in)\s+(?P<change>\S.*)"
    r"|(?:completing|finishing|renaming|moving|deleting|removing|dropping|blocking"
    r"|rescheduling|postponing)\s+(?P<doing>\S.*)"
    r"|(?P<task>\S.*))$",
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    r"^(?:bring\s+back|undelete|un-delete|restore|recover|get\s+back)\s+(?P<ref>\S.*)$"
    r"|^(?:bring|get|put)\s+(?P<between>\S.*?)\s+back$",
    re.IGNORECASE,
)
_SURELY: Final = re.compile(r"^(?:bring\s+back|undelete|un-delete|recover)\b", re.IGNORECASE)
_TIME: Final = re.compile(
    r"\b(?:yesterday|today|last\s+(?:week|month|night|time)|this\s+(?:week|morning)|since|ago"
    r"|everything|all\s+changes)\b",
    re.IGNORECASE,
)


def undone(scene: Scene, clause: Clause) -> Said | None:
    """“undo that”, “undo the one before”, “undo the last two”, “undo the change of X”."""
    text = clause.text
    if _UNDO.match(text):
        return done(Undo())
    if not holds(clause):
        return None
    if _BEFORE.match(text):
        return done(Undo(steps_back=1))
    several = _SEVERAL.match(text)
    if several:
        return done(Undo(last=_COUNTS[several["n"].lower()]))
    back = _BACK.match(text)
    if back:
        return _brought_back(
            back["ref"] or back["between"], scene, is_sure=bool(_SURELY.match(text))
        )
    found = _OF_TASK.match(text)
    return _of_task(next(filter(None, found.groupdict().values())), scene) if found else None


def _of_task(ref: str, scene: Scene) -> Said:
    found = tasks_meant(ref, scene)
    if len(found.rows) == 1:
        return _last_of(found.rows[0])
    gone = deleted_meant(ref, scene)
    if not found.rows and len(gone.rows) == 1:
        return _last_of(gone.rows[0])
    if (found.candidates or gone.candidates) and not _TIME.search(ref):
        asked = found if found.candidates else gone
        return which_task(asked, lambda one: [Undo(task=one)], verb=_("take back the change of"))
    return _beyond()


def _brought_back(ref: str, scene: Scene, *, is_sure: bool) -> Said | None:
    """Only what was deleted; “restore X” of a task that is there means its status."""
    gone = deleted_meant(ref, scene)
    if len(gone.rows) == 1:
        return _last_of(gone.rows[0])
    if gone.candidates:
        return which_task(gone, lambda one: [Undo(task=one)], verb=_("bring back"))
    if not is_sure:
        return None
    reply = _("I find no to-do like “%(words)s” among those deleted in the last two weeks.")
    return Said("unknown", reply=reply % {"words": shown(ref)})


def _last_of(task: KnownTask) -> Said:
    return done(Undo(task=str(task.id)), named=(task,))


def _beyond() -> Said:
    told = _(
        "I can take back what I changed in this conversation, one answer after the other, or the "
        "last change of one task. Older changes stand with each project, under its history: "
        "[your projects](%(url)s)."
    )
    taps = (_("Undo that"),)
    reply = told % {"url": reverse("projects:list")}
    return Said("unknown", reply=reply, did_you_mean=taps)
