"""Examples of the owner's voice as people paste them: USER and CHATBOT, Q and A, JSON."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from django.utils.translation import gettext as _

EXAMPLES: Final = 40
EXAMPLE_CHARS: Final = 1_000
# “USER” and “CHATBOT” anywhere, other names at a line's start; questions are named
_SPEAKER: Final = re.compile(
    r"(?<!\w)(?P<user>USER)\s*:|(?<!\w)CHATBOT\s*:"
    r"|^\s*(?:[-*•]\s+)?(?:(?P<question>Q|Question|Visitor)|A|Answer|Me)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def exchanges_in(text: str) -> list[str]:
    """The exchanges of a text in the form “USER: … CHATBOT: …”; none of an empty one.

    Raises ValueError that says in words why a text holds none.
    """
    text = _of_json(text)
    marks = list(_SPEAKER.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    examples: list[str] = []
    question = ""
    for mark, end in zip(marks, ends, strict=False):
        words = " ".join(text[mark.end() : end].split()).strip(" -*•")
        if mark.lastgroup and words:
            _refuse_open(question)
            question = words
        elif words and not question:
            short = {"words": words[:60]}
            raise ValueError(_("The answer “%(words)s” has no question before it.") % short)
        elif words:
            examples.append(f"USER: {question} CHATBOT: {words}")
            question = ""
    _refuse_open(question)
    if text.strip() and not examples:
        raise ValueError(_("Write each example as “USER: …” and, below it, “CHATBOT: …”."))
    if len(examples) > EXAMPLES:
        raise ValueError(_("At most %(n)d examples.") % {"n": EXAMPLES})
    return examples


def _refuse_open(question: str) -> None:
    if question:
        raise ValueError(_("The question “%(words)s” has no answer.") % {"words": question[:60]})


def _of_json(text: str) -> str:
    """Texts of a JSON list, or of an object with `voiceExamples`; other texts as they are."""
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    listed = content.get("voiceExamples") if isinstance(content, dict) else content
    if not isinstance(listed, list) or not all(isinstance(example, str) for example in listed):
        return text
    return "\n\n".join(listed)
