"""What becomes of tasks and projects: done, dropped, blocked, deleted, urgent, estimated, waiting."""

from __future__ import annotations

import re
from typing import Final

from projects.language.changes.shapes import (
    Found,
    ProposedChange,
    Reading,
    chosen,
)
from projects.language.dates import number_of
from projects.language.targets import targets_of

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


def status_given(one: Reading) -> list[Found]:
    """A task is done, dropped, blocked or possible again; or the project is."""
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
            return chosen(what, options)
    return []


def named_in(one: Reading) -> str:
    """What a wish about a task's state calls it; empty for no such wish."""
    patterns = [*(pattern for _status, pattern in _STATUS), _DELETE, _PRIORITY, _ESTIMATE]
    for pattern in patterns:
        found = pattern.match(one.text)
        if found:
            groups = found.groupdict()
            return next((value for name, value in groups.items() if value and "what" in name), "")
    return ""


_PAUSE: Final = re.compile(
    r"^(?P<verb>pause|archive|resume|reactivate|put)\s+(?:the\s+|this\s+)?(?:whole\s+)?(?:project|it|this|everything)"
    r"(?:\s+on\s+hold)?$",
    re.IGNORECASE,
)


def paused(one: Reading) -> list[Found]:
    """The whole project rests, or goes on."""
    found = _PAUSE.match(one.text)
    if found is None:
        return []
    status = {"archive": "archived", "resume": "active", "reactivate": "active"}
    value = status.get(found["verb"].lower(), "paused")
    return [ProposedChange("project", {"status": value})]


_DELETE: Final = re.compile(
    r"^(?:delete|remove|erase|get\s+rid\s+of|throw\s+(?:out|away))\s+(?P<what>.+)$", re.IGNORECASE
)


def deleted(one: Reading) -> list[Found]:
    """Something is to be deleted for good."""
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
    return chosen(found["what"], options)


PRIORITIES: Final = {
    "critical": "critical", "top": "critical", "highest": "critical", "urgent": "high",
    "high": "high", "higher": "high", "important": "high", "medium": "normal", "normal": "normal",
    "low": "low", "lower": "low", "lowest": "low", "unimportant": "low",
}  # fmt: skip
_PRIORITY: Final = re.compile(
    rf"^(?:make|set|mark|treat)\s+(?P<what>.+?)\s+(?:as\s+|to\s+|a\s+)*(?P<how>{'|'.join(PRIORITIES)})"
    rf"(?:[\s-]+priority)?$|^(?P<what2>.+?)\s+(?:is|are|has|gets)\s+(?:now\s+|a\s+|really\s+)*"
    rf"(?P<how2>{'|'.join(PRIORITIES)})(?:[\s-]+priority)?$"
    r"|^(?P<verb>prioriti[sz]e|deprioriti[sz]e)\s+(?P<what3>.+)$",
    re.IGNORECASE,
)


def prioritised(one: Reading) -> list[Found]:
    """A task matters more or less."""
    found = _PRIORITY.match(one.text)
    if found is None:
        return []
    what = found["what"] or found["what2"] or found["what3"]
    how = (found["how"] or found["how2"] or "").lower()
    verb = (found["verb"] or "").lower()
    value = PRIORITIES.get(how) or ("low" if verb.startswith("de") else "high")
    options = [
        ProposedChange("task", {"priority": value}, target.id, label=target.name)
        for target in targets_of(what, one.known, dates_too=False)
        if target.kind == "task"
    ]
    return chosen(what, options)


_ESTIMATE: Final = re.compile(
    r"^(?P<what>.+?)\s+(?:will\s+|should\s+|would\s+)?(?:take|takes|needs?)\s+(?:about\s+|around\s+|roughly\s+)?"
    r"(?P<low>\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|a)"
    r"(?:\s*(?:to|-|–|or)\s*(?P<high>\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten))?"
    r"\s+(?:working\s+)?(?P<unit>day|week)s?$",
    re.IGNORECASE,
)


def estimated(one: Reading) -> list[Found]:
    """How long a task takes."""
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
    return chosen(found["what"], options)


def _amount(word: str) -> float:
    return float(word) if word[0].isdigit() else float(number_of(word))


_DEPENDS: Final = re.compile(
    r"^(?P<what>.+?)\s+(?:depends?\s+on|waits?\s+for|(?:has\s+to\s+|must\s+)?comes?\s+after"
    r"|can\s+only\s+(?:start|begin)\s+after|is\s+blocked\s+by)\s+(?P<on>.+)$",
    re.IGNORECASE,
)


def waiting(one: Reading) -> list[Found]:
    """A task waits for another."""
    found = _DEPENDS.match(one.text)
    if found is None:
        return []
    these = [t for t in targets_of(found["what"], one.known, dates_too=False) if t.kind == "task"]
    those = [t for t in targets_of(found["on"], one.known, dates_too=False) if t.kind == "task"]
    if len(these) != 1 or len(those) != 1 or these[0].id == those[0].id:
        return []
    needed = sorted({*these[0].needs, str(those[0].id)})
    return [ProposedChange("task", {"depends_on": needed}, these[0].id, label=these[0].name)]
