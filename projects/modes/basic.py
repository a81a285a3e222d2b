"""Basic mode of the conversations about projects: short replies, and lines that are to-dos.

A button sends its own part with its words. Without a model the words typed out do the same, as a
whole message (DECISIONS 48); with one they are the model's to understand. All else that is written
is kept word for word; nothing is guessed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from django.utils.translation import get_language

from chat import replies
from chat.guides import Utterance
from futura.language import quick_add
from futura.text import sentences, shortened
from projects.commands.texts import TextPart
from projects.modes.create.reading import TITLE_CHARS, Extract, TaskExtract
from projects.modes.rows import Snapshot

PART: Final = "tap"
NAME_CHARS: Final = 60
_LINE: Final = re.compile(r"\s*[-*•]\s+(?P<text>\S.*)")
_OWNER: Final = re.compile(r"(?<!\S)@(?P<name>\w[\w.-]*)")


class Tap(StrEnum):
    """What a button says."""

    YES = "yes"
    NO = "no"
    LATER = "later"
    FINISH = "finish"


_REPLIES: Final = {
    Tap.YES: replies.is_yes,
    Tap.NO: replies.is_no,
    Tap.FINISH: replies.is_finish,
    Tap.LATER: replies.is_later,
}


def taps_of(message: Utterance, *, has_model: bool) -> frozenset[Tap]:
    """The buttons that a message stands for; some words stand for two of them.

    A message that was reworded is no button any more.
    """
    tapped = {
        str(part.get("tap"))
        for part in message.parts
        if part.get("type") == PART and str(part.get("text", "")).strip() == message.text.strip()
    }
    if tapped or has_model:
        return frozenset(tap for tap in Tap if tap in tapped)
    return taps_in(message.text)


def taps_in(text: str) -> frozenset[Tap]:
    """The buttons whose words a text is as a whole."""
    return frozenset(tap for tap, is_meant in _REPLIES.items() if is_meant(text))


def read(
    text: str,
    files: Sequence[tuple[str, str]],
    asked_about: str,
    snapshot: Snapshot | None,
    today: dt.date,
) -> Extract:
    """The answer under what was asked; what nobody asked about is context, whole.

    Lines that begin with a dash are tasks: “- Paint the fence by Friday @Ana 2d”. The first words
    of all name the draft until it gets another name.
    """
    lines = [line for line in text.splitlines() if not _LINE.match(line)]
    texts = [
        (asked_about or "context", "\n".join(lines).strip() if asked_about else text),
        ("context", "\n\n".join(file for _name, file in files)),
    ]
    parts = [TextPart.model_validate({"field": name, "text": part}) for name, part in texts if part]
    extract = Extract(parts=tuple(parts), tasks=tasks_in(text, today))
    return extract if asked_about else named(extract, text, snapshot)


def named(extract: Extract, text: str, snapshot: Snapshot | None) -> Extract:
    """With the first words of a text as the draft's name, where it has none and gets none."""
    first = next(sentences(text), None)
    if extract.fields.get("name") or first is None or (snapshot is not None and snapshot.row.name):
        return extract
    name = shortened(first.text.lstrip("-*•# ").rstrip(".!"), NAME_CHARS)
    return extract.model_copy(update={"fields": {**extract.fields, "name": name}})


def tasks_in(text: str, today: dt.date) -> tuple[TaskExtract, ...]:
    """What stands in lines that begin with a dash, as quick add reads it."""
    matches = (_LINE.match(line) for line in text.splitlines())
    return tuple(_task(match["text"], today) for match in matches if match)


def _task(line: str, today: dt.date) -> TaskExtract:
    owners = " ".join(match[0] for match in _OWNER.finditer(line))
    language = quick_add.language_of(get_language() or "en")
    todo = quick_add.read(" ".join(_OWNER.sub(" ", line).split()), today=today, language=language)
    values: dict[str, Any] = {
        "start_date": todo.start_date,
        "due_date": todo.due_date,
        "due_time": todo.due_time,
        "priority": todo.priority,
        "estimate_low_days": todo.estimate_days,
        "estimate_high_days": todo.estimate_days,
        "details": owners or None,
    }
    return TaskExtract(title=(todo.title or line)[:TITLE_CHARS], **values)
