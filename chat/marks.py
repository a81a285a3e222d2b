"""A person's words as HTML: escaped, in paragraphs, with the marker on what was noted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from chat.models import Message
from chat.pasted import ranges_in
from chat.presenters import Mark


def marked(message: Message, marks: Sequence[Mark]) -> SafeString:
    """A person's words, escaped, in paragraphs, with the marker on what was noted."""
    text = message.text
    out, at = "", 0
    pasted = [Mark(start, end, is_pasted=True) for start, end in ranges_in(message.parts)]
    for mark in sorted((*marks, *pasted), key=lambda mark: mark.start):
        if at <= mark.start < mark.end <= len(text):
            out += escape(text[at : mark.start])
            pieces = text[mark.start : mark.end].split("\n\n")
            key = f"mark-{message.pk}-{mark.start}"
            keys = [key, *(f"{key}-{number}" for number in range(2, len(pieces) + 1))]
            out += "\n\n".join(map(partial(_mark_html, mark), pieces, keys))
            at = mark.end
    out += escape(text[at:])
    paragraphs = (part.replace("\n", "<br>") for part in out.split("\n\n") if part)
    return mark_safe("".join(f"<p>{part}</p>" for part in paragraphs))  # noqa: S308 - escaped above


def _mark_html(mark: Mark, words: str, key: str) -> str:
    """Marked words; those that can be switched are a button that wraps like words."""
    if mark.is_pasted:
        return format_html('<span class="pasted-words">{}</span>', words)
    if not mark.url:
        return format_html("<mark>{}</mark>", words) if mark.is_on else escape(words)
    place = {"start": mark.start, "end": mark.end, "is_task": "" if mark.is_on else "1"}
    button = format_html(
        '<a class="mark-switch" id="{}" role="button" aria-pressed="{}" href="{}" '
        'hx-post="{}" hx-vals="{}" hx-swap="none" title="{}" data-said="{}" draggable="false">'
        "{}</a>",
        key,
        "true" if mark.is_on else "false",
        mark.url,
        mark.url,
        json.dumps(place),
        mark.title,
        mark.says,
        words,
    )
    return format_html("<mark>{}</mark>", button) if mark.is_on else button
