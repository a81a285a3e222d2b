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

_SHORT_FORMS: Final = re.compile(
    r"^\s*(?:[-*•]\s+)?(?:(?P<question>Q|Question|Visitor)|A|Answer|Me)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER: Final = re.compile(r"(?<!\w)(USER|CHATBOT)\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """Exchanges in the form “USER: … CHATBOT: …”, or why the text holds none."""

    examples: Sequence[str] = field(default_factory=tuple)
    fault: str = ""


def exchanges_in(text: str) -> Found:
    """The exchanges of a text; empty for an empty one."""
    if not text.strip():
        return Found()
    parsed = _of_json(text)
    if parsed is not None:
        text = "\n\n".join(parsed)
    examples: list[str] = []
    asked = ""
    for who, words in _turns(text):
        if who == "asked":
            if asked:
                return _incomplete(asked)
            asked = words
        elif not asked:
            return Found(fault=_("The answer “%(words)s” follows no question.") % _short(words))
        else:
            examples.append(f"USER: {asked} CHATBOT: {words}")
            asked = ""
    if asked:
        return _incomplete(asked)
    if not examples:
        return Found(fault=_("Write each example as “USER: …” and, below it, “CHATBOT: …”."))
    if len(examples) > EXAMPLES:
        return Found(fault=_("At most %(n)d examples, please.") % {"n": EXAMPLES})
    return Found(tuple(examples))


def read_examples(file: Path) -> list[str]:
    """The examples in a file: JSON or text. Raises PreprocessError for a file of another form."""
    try:
        content = file.read_bytes()[: LARGEST_BYTES + 1]
        fault = "it is too large" if len(content) > LARGEST_BYTES else ""
        examples = exchanges_in(content.decode("utf-8"))
    except (OSError, ValueError) as error:
        fault, examples = f"it cannot be read ({error})", Found()
    if fault := fault or examples.fault:
        raise PreprocessError(Code.VOICE_INVALID, f"voice examples in {file.name}: {fault}")
    return list(examples.examples)


def _incomplete(asked: str) -> Found:
    return Found(fault=_("The question “%(words)s” has no answer.") % _short(asked))


def _short(words: str) -> dict[str, str]:
    return {"words": words[:60]}


def _of_json(text: str) -> list[str] | None:
    """Texts of a JSON list, or of an object with `voiceExamples`; None for other texts."""
    if text.lstrip()[:1] not in "[{":
        return None
    try:
        parsed: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    listed = parsed.get("voiceExamples") if isinstance(parsed, dict) else parsed
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        return None
    return listed


def _turns(text: str) -> list[tuple[str, str]]:
    """Who said what, in order: “USER” and “CHATBOT” anywhere, other names at a line's start."""
    named = _SHORT_FORMS.sub(lambda mark: "USER:" if mark["question"] else "CHATBOT:", text)
    _before, *pieces = _SPEAKER.split(named)
    turns = []
    for speaker, words in zip(pieces[::2], pieces[1::2], strict=True):
        if words := " ".join(words.split()).strip(" -*•"):
            turns.append(("asked" if speaker.upper() == "USER" else "answered", words))
    return turns
