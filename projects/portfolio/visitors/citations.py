"""The HTML of an answer, its claims marked as links to the words they rest on."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from chat.presenters import to_html

# characters of a private area, which no text of a person or a model keeps
_OPEN: Final = "\ue000"
_SHUT: Final = "\ue001"
_END: Final = "\ue002"
_PRIVATE: Final = re.compile(r"[\ue000-\ue002]")
_WHOLE: Final = re.compile(
    rf"{_OPEN}(\d+){_END}((?:(?!</?(?:p|li|ul|ol|pre|a)\b)[^{_OPEN}{_SHUT}])*?){_SHUT}(\d+){_END}"
)
_SIGNS: Final = re.compile(r"[*_`~\[\]<]")


def source_id(message_id: uuid.UUID | str, number: int) -> str:
    return f"source-{message_id}-{number}"


def html_of(
    text: str, claims: Sequence[Mapping[str, Any]], message_id: uuid.UUID | str
) -> SafeString:
    """The rendered text; each claim is a link to its first source, with its number."""
    if _PRIVATE.search(text):
        return to_html(_PRIVATE.sub("", text))
    marked, at = "", 0
    for item in sorted(claims, key=lambda claim: int(claim["start"])):
        start, end, numbers = int(item["start"]), int(item["end"]), item.get("evidence") or []
        if not numbers or not at <= start < end <= len(text):
            continue
        # list signs and bold titles stay outside of the link
        head = re.match(r"\s*(?:[-*]\s+)?(?:\*\*[^*\n]+\*\*)?", text[start:end])
        begin = start + (head.end() if head else 0)
        words = text[begin:end]
        if _SIGNS.search(words) or "\n" in words.strip():
            begin, words = end, ""
        blanks = len(words) - len(words.lstrip())
        number = f"{int(numbers[0])}{_END}"
        marked += f"{text[at : begin + blanks]}{_OPEN}{number}{words.strip()}{_SHUT}{number}"
        at = end
    html = str(to_html(marked + text[at:]))
    linked = _WHOLE.sub(lambda match: _link(match[2], int(match[1]), message_id), html)
    # what is left stood where no link may be
    return mark_safe(re.sub(rf"[{_OPEN}{_SHUT}]\d+{_END}", "", linked))  # noqa: S308 - sanitised


def _link(words: str, number: int, message_id: uuid.UUID | str) -> str:
    return format_html(
        '<a class="claim" href="#{}" aria-expanded="false">{}<sup>{}</sup></a>',
        source_id(message_id, number),
        mark_safe(words),  # noqa: S308 - a piece of sanitised HTML without block tags
        number,
    )
