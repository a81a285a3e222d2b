"""The entry that the conversations with a scripted model are about, and calls that change it."""

from __future__ import annotations

from typing import Any

from projects.portfolio.models import Entry
from tests.scripted import ScriptedCall as Call

STAGE = "portfolio_builder"
OPENING = "It is an app for readers."
STORY = [
    {"type": "text", "id": "open", "text": OPENING},
    {"type": "heading", "id": "process", "text": "How it was done", "level": 2},
    {"type": "text", "id": "how", "text": "Ten interviews. Then a prototype on paper."},
    {"type": "quote", "id": "quote", "text": "It gave us our mornings back", "said_by": "Ana"},
]


def reading_app(make: Any, portfolio: Any) -> Entry:
    return make(
        "portfolio_entry", portfolio=portfolio.pk, doc_id="app", slug="reading-app",
        title="Reading app", summary="An app.", tags=["library"], blocks=STORY,
    )  # fmt: skip


def texts_of(story: Any) -> list[str]:
    return [item.get("text", "") for item in story]


def texts(entry: Entry) -> list[str]:
    return texts_of(entry.blocks)


def edit(**values: Any) -> Call:
    return Call("updateDescriptionBlocks", {"edits": [values]})


def field(name: str, value: Any, mode: str = "replace") -> Call:
    if isinstance(value, list):
        return Call("updateField", {"field": name, "items": value, "mode": mode})
    return Call("updateField", {"field": name, "value": value})
