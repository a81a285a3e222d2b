"""New things and new names: tasks, notes, decisions, facts."""

from __future__ import annotations

import re
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.language import cues
from projects.language.changes.shapes import (
    Ambiguity,
    Found,
    ProposedChange,
    Reading,
    chosen,
    day_words,
)
from projects.language.changes.states import PRIORITIES
from projects.language.dates import FoundDate, find_dates
from projects.language.targets import targets_of
from projects.language.todos import starts_with_verb

_RENAME: Final = re.compile(
    r"^rename\s+(?P<what>.+?)\s+(?:to|as|into)\s+(?P<new>.+)$"
    r"|^(?:call|name)\s+(?P<what2>it|this|the\s+project|the\s+task\s+.+?)\s+(?P<new2>.+)$"
    r"|^change\s+(?:the\s+)?(?:name|title)(?:\s+of\s+(?P<what3>.+?))?\s+to\s+(?P<new3>.+)$"
    r"|^(?:the\s+)?(?:(?:project|new)\s+)?(?:name|title)(?:\s+of\s+(?P<what4>.+?))?\s+(?:is|should\s+be|shall\s+be"
    r"|will\s+be|must\s+be)\s+(?:now\s+)?(?P<new4>.+)$",
    re.IGNORECASE,
)


def renamed(one: Reading) -> list[Found]:
    """A task or the project gets another name."""
    found = _RENAME.match(one.text)
    if found is None:
        return []
    what = found["what"] or found["what2"] or found["what3"] or found["what4"] or "the project"
    new = (found["new"] or found["new2"] or found["new3"] or found["new4"]).strip(" .\"'“”‘’")
    options = [
        ProposedChange("project", {"name": new}, label=target.name)
        if target.kind == "project"
        else ProposedChange("task", {"title": new}, target.id, label=target.name)
        for target in targets_of(what, one.known, dates_too=False)
    ]
    return chosen(what, options)


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
_SEVERAL: Final = re.compile(
    r"^(?:add|create|plan|include)\s+(?:(?:some|the|these|the\s+following|\w+)\s+)?(?:new\s+)?(?:tasks|to-?dos|steps)\s*"
    r"(?::|to\b|-|–)\s*(?P<what>.{3,})$",
    re.IGNORECASE,
)
_TO_LIST: Final = re.compile(
    r"\s+(?:to|on|onto)\s+(?:the|my|our)\s+(?:list|to-?dos?|tasks|project|plan)$", re.IGNORECASE
)


def noted(one: Reading) -> list[Found]:
    """Something to remember."""
    found = _NOTE.match(one.text)
    if found is None:
        return []
    text = found["text"].strip()
    return [ProposedChange("note", {"text": text[:1].upper() + text[1:]})]


def added(one: Reading) -> list[Found]:
    """A new task."""
    several = _SEVERAL.match(one.text)
    if several:
        return [_new_task(one, piece) for piece in _listed(several["what"])]
    found = _ADD.match(one.text)
    if found:
        return [_new_task(one, found["what"])]
    if one.clause.is_need and starts_with_verb(one.text):
        return [_new_task(one, one.text)]
    return []


def _listed(words: str) -> list[str]:
    """The tasks of a list, where each says something to do; else the whole as one."""
    pieces = [one.strip() for one in re.split(r"\s*(?:[,;\n]|\band\b)\s*", words) if one.strip()]
    return pieces if all(len(one.split()) > 1 for one in pieces) else [words]


def _new_task(one: Reading, words: str) -> Found:
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
        values["priority"] = PRIORITIES[priority[1].lower()]
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


_LEAD_IN: Final = re.compile(
    r"^(?:please\s+)?(?:also\s+)?(?:write|put|say|mention|record|keep)\s+(?:down\s+|in\s+)?that\s+",
    re.IGNORECASE,
)


def decided(one: Reading) -> list[Found]:
    """A decision is kept as a note, and where a dimension is meant, there."""
    if not one.clause.is_decision or len(one.text.split()) < 2:
        return []
    text = one.clause.said[:1].upper() + one.clause.said[1:]
    found: list[Found] = [ProposedChange("note", {"title": _("Decision"), "text": text})]
    return [*found, *stated(one)]


def stated(one: Reading) -> list[Found]:
    """A statement that speaks of a dimension joins it."""
    if one.clause.said.rstrip().endswith("?") or len(one.text.split()) < 3:
        return []
    name = cues.dimension_of(one.clause.said)
    if not name:
        return []
    said = _LEAD_IN.sub("", one.clause.said)
    text = said[:1].upper() + said[1:]
    text += "" if text.endswith((".", "!", "…")) else "."
    return [ProposedChange("dimension", {"field": name, "text": text})]
