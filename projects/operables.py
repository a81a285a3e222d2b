"""What the ledger knows of projects, drafts, to-dos and notes."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse

from chat.operations.registry import Operable, Plain, register
from projects.checks import checked
from projects.commands.todo_changes import (
    before_words,
    circle_in_turn,
    repeat_words,
    todo_changed,
    with_following,
)
from projects.models import DraftTask, Note, Project, ProjectDraft, Task


def _name(values: Plain) -> str:
    return str(values.get("name") or "")


def _title(values: Plain) -> str:
    return str(values.get("title") or "")


def _note(values: Plain) -> str:
    return str(values.get("title") or values.get("text") or "")[:60]


def _edited(row: Any, values: Plain) -> Plain:
    return checked(values, row=row)


# the machinery's own, which no log of changes shows
QUIET: Final = frozenset(
    {
        *("session", "position", "dimensions_covered", "question_count", "survey_task"),
        *("completed_at", "is_suggested", "slug"),
    }
)


OPERABLES: Final = (
    Operable(
        "project", Project, title=_name, quiet=QUIET,
        url=lambda key: reverse("projects:project", args=[key]), edited=_edited,
        is_place=True,
    ),
    Operable(
        "draft", ProjectDraft, title=_name, quiet=QUIET,
        url=lambda key: reverse("projects:draft", args=[key]), edited=_edited,
    ),
    Operable(
        "draft_task", DraftTask, title=_title, parents=("draft",),
        quiet=QUIET, edited=_edited, refusal=circle_in_turn,
        is_counted=False,  # a draft counts with its tasks as one thing
    ),
    Operable(
        "task", Task, title=_title, parents=("project",),
        display={"repeat": repeat_words, "remind_minutes": before_words}, quiet=QUIET,
        is_listed=True, edited=lambda task, values: todo_changed(task, values).values,
        entailed=with_following, refusal=circle_in_turn,
    ),
    Operable("note", Note, title=_note, parents=("project",), edited=_edited),
)  # fmt: skip


def register_all() -> None:
    """Called once, when the app is ready."""
    for operable in OPERABLES:
        register(operable)
