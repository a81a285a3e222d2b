"""Examples of the owner's voice as people paste them: USER and CHATBOT, Q and A, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from projects.portfolio.intake.failures import Code, PreprocessError

EXAMPLES: Final = 40
EXAMPLE_CHARS: Final = 1_000
LARGEST_BYTES: Final = 200_000

ASKED: Final = r"USER|Q|Question|Visitor|Them|They|Asked"
ANSWERED: Final = r"CHATBOT|A|Answer|Me|I|You|Answered"
_TURN: Final = re.compile(
    rf"(?:^|(?<=\s))(?P<who>(?P<asked>{ASKED})|(?P<answered>{ANSWERED}))\s*:\s*", re.IGNORECASE
)
_AT_START: Final = re.compile(
    rf"^\s*(?:[-*•]\s+)?(?:{ASKED}|{ANSWERED})\s*:", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class Found:
    """Exchanges in the form “USER: … CHATBOT: …”, or why the text holds none."""

    examples: Sequence[str] = field(default_factory=tuple)
    fault: str = ""


def exchanges_in(text: str) -> Found:
    """The exchanges of a text; empty for an empty one."""
    if not text.strip():
        return Found()
    told = _of_json(text)
    if told is not None:
        text = "\n\n".join(told)
    found: list[str] = []
    asked = ""
    for who, said in _turns(text):
        if who == "asked":
            if asked:
                return _incomplete(asked)
            asked = said
        elif not asked:
            return Found(fault=_("The answer “%(words)s” follows no question.") % _short(said))
        else:
            found.append(f"USER: {asked} CHATBOT: {said}")
            asked = ""
    if asked:
        return _incomplete(asked)
    if not found:
        return Found(fault=_("Write each example as “USER: …” and, below it, “CHATBOT: …”."))
    if len(found) > EXAMPLES:
        return Found(fault=_("At most %(n)d examples, please.") % {"n": EXAMPLES})
    return Found(tuple(found))


def read_examples(file: Path) -> list[str]:
    """The examples in a file: JSON or text. Raises PreprocessError for a file of another form."""
    try:
        content = file.read_bytes()[: LARGEST_BYTES + 1]
        fault = "it is too large" if len(content) > LARGEST_BYTES else ""
        found = exchanges_in(content.decode("utf-8"))
    except (OSError, ValueError) as error:
        fault, found = f"it cannot be read ({error})", Found()
    if fault := fault or found.fault:
        raise PreprocessError(Code.VOICE_INVALID, f"voice examples in {file.name}: {fault}")
    return list(found.examples)


def _incomplete(asked: str) -> Found:
    return Found(fault=_("The question “%(words)s” has no answer.") % _short(asked))


def _short(words: str) -> dict[str, str]:
    return {"words": words[:60]}


def _of_json(text: str) -> list[str] | None:
    """Texts of a JSON list, or of an object with `voiceExamples`; None for other texts."""
    if text.lstrip()[:1] not in "[{":
        return None
    try:
        told: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    listed = told.get("voiceExamples") if isinstance(told, dict) else told
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        return None
    return listed


def _turns(text: str) -> list[tuple[str, str]]:
    """Who said what, in order; single letters count at the start of a line only."""
    marks = [one for one in _TURN.finditer(text) if _counts(text, one)]
    ends = [*(one.start() for one in marks[1:]), *([len(text)] if marks else [])]
    turns = []
    for mark, end in zip(marks, ends, strict=True):
        said = " ".join(text[mark.end() : end].split()).strip(" -*•")
        if said:
            turns.append(("asked" if mark["asked"] else "answered", said))
    return turns


def _counts(text: str, mark: re.Match[str]) -> bool:
    if mark["who"] in {"USER", "CHATBOT"}:
        return True
    line = text[text.rfind("\n", 0, mark.start()) + 1 : mark.end()]
    return _AT_START.fullmatch(line.rstrip()) is not None
