"""Rules for projects as a whole: rename, delete, put on hold, take up again, archive."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from projects.concierge.calls import Call, DeleteProject, ProjectStatus, UpdateProject
from projects.concierge.understanding.changing import holds
from projects.concierge.understanding.hearing import Clause
from projects.concierge.understanding.references import (
    Scene,
    project_meant,
    tasks_meant,
    unquoted,
)
from projects.concierge.understanding.said import Said, about_project

_CALLED: Final = r"(?:(?:the\s+|my\s+|our\s+)?project\s+(?P<a>\S.*?)|(?P<b>\S.*?)\s+project)"
_RENAME: Final = (
    re.compile(
        r"^(?:rename|retitle)\s+(?P<ref>\S.*?)\s+(?:to|as|into|->|→)\s+(?P<name>\S.*)$",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        r"^(?:change|set|edit|update)\s+(?:the\s+)?(?:title|name)\s+of\s+(?P<ref>\S.*?)\s+to\s+"
        r"(?P<name>\S.*)$",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        r"^call\s+(?P<ref>(?:the\s+|my\s+)?(?:project\s+\S.*?|\S.*?\s+project))\s+"
        r"(?P<name>[\"“'‘].+[\"”'’])(?:\s+instead)?$",
        re.IGNORECASE | re.DOTALL,
    ),
)
_DELETE: Final = re.compile(
    rf"^(?:delete|remove|erase|trash|bin|get\s+rid\s+of)\s+{_CALLED}$", re.IGNORECASE
)
_HOLD: Final = re.compile(rf"^(?:put|set|place)\s+{_CALLED}\s+on\s+(?:hold|ice)$", re.IGNORECASE)
_VERBED: Final = re.compile(
    r"^(?P<verb>pause|suspend|archive|resume|reactivate|unpause|reopen|re-open|finish|complete)\s+"
    rf"{_CALLED}$",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"^(?P<verb>pause|suspend|archive|unpause)\s+(?P<b>\S.*)$", re.IGNORECASE)
_NO_NAME: Final = re.compile(rf"^(?:rename|retitle)\s+{_CALLED}$", re.IGNORECASE)
_MARKED: Final = re.compile(
    rf"^(?:mark|set)\s+{_CALLED}\s+(?:as\s+|to\s+)?"
    r"(?P<state>active|paused|completed?|done|finished|archived)$",
    re.IGNORECASE,
)
_IT: Final = re.compile(r"\bproject\b", re.IGNORECASE)
_VERBS: Final[dict[str, ProjectStatus]] = {
    "finish": "completed", "complete": "completed",
    "pause": "paused", "suspend": "paused", "archive": "archived",
    "resume": "active", "reactivate": "active", "unpause": "active", "reopen": "active",
    "re-open": "active",
}  # fmt: skip
_STATES: Final[dict[str, ProjectStatus]] = {
    "active": "active", "paused": "paused", "complete": "completed", "completed": "completed",
    "done": "completed", "finished": "completed", "archived": "archived",
}  # fmt: skip


def changed(scene: Scene, clause: Clause) -> Said | None:
    """“rename the project X to Y”, “delete the X project”, “put the X project on hold”."""
    if clause.is_question:
        return None
    for rule in (_renamed, _deleted, _put_in_status):
        said = rule(scene, clause)
        if said is not None:
            return said
    return None


def _renamed(scene: Scene, clause: Clause) -> Said | None:
    found = next(filter(None, (one.match(clause.text) for one in _RENAME)), None)
    if found is None and _NO_NAME.match(clause.text):
        return Said("question", question=_("What shall it be called? Say “rename … to …”."))
    if found is None or not holds(clause, found["name"]):
        return None
    ref = found["ref"]
    if not _IT.search(ref):
        projects = project_meant(ref, scene)
        tasks = tasks_meant(ref, scene)
        if tasks.rows or tasks.candidates or len(projects.rows) != 1 or projects.is_pronoun:
            return None
    name = unquoted(found["name"])
    name = name[:1].upper() + name[1:] if name.split()[0].islower() else name
    if len(name) > 200:
        return Said("question", question=_("That is long for a name. What shall it be called?"))

    def make(one: str) -> list[Call]:
        return [UpdateProject(project=one, name=name)]

    return about_project(ref, scene, make, verb=_("rename"))


def _deleted(scene: Scene, clause: Clause) -> Said | None:
    found = _DELETE.match(clause.text)
    if found is None or not holds(clause) or _is_task(clause.text, found, scene):
        return None
    return about_project(
        f"{_ref(found)} project", scene, lambda one: [DeleteProject(project=one)], verb=_("delete")
    )


def _put_in_status(scene: Scene, clause: Clause) -> Said | None:
    status: ProjectStatus = "paused"
    found = _HOLD.match(clause.text)
    if found is None:
        found = _VERBED.match(clause.text)
        status = _VERBS[found["verb"].lower()] if found else status
    if found is None:
        found = _bare(clause.text, scene)
        status = _VERBS[found["verb"].lower()] if found else status
    if found is None:
        found = _MARKED.match(clause.text)
        status = _STATES[found["state"].lower()] if found else status
    if found is None or not holds(clause) or _is_task(clause.text, found, scene):
        return None

    def make(one: str) -> list[Call]:
        return [UpdateProject(project=one, status=status)]

    return about_project(f"{_ref(found)} project", scene, make, verb=_("change"))


def _ref(found: re.Match[str]) -> str:
    groups = found.groupdict()
    ref: str = groups.get("a") or groups["b"]
    return ref


def _bare(text: str, scene: Scene) -> re.Match[str] | None:
    """“archive Garden”, where only a project is called so."""
    found = _BARE.match(text)
    if found is None:
        return None
    tasks, projects = tasks_meant(found["b"], scene), project_meant(found["b"], scene)
    is_project = len(projects.rows) == 1 and not projects.is_pronoun
    return found if is_project and not (tasks.rows or tasks.candidates) else None


def _is_task(text: str, found: re.Match[str], scene: Scene) -> bool:
    """“delete Plan the kitchen project”, where that is the title of a task."""
    group = "a" if found.groupdict().get("a") else "b"
    whole = text[found.start(group) : found.end(group)]
    titles = {one.title.casefold() for one in scene.known.tasks}
    return {whole.casefold(), f"{whole} project".casefold()} & titles != set()
