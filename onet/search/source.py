"""Reads from the database what the statement index is made of, and hands out the current one."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from django.db.models import Manager

from onet.lexical.store import open_index, shared_index
from onet.models import Release, TaskStatement
from onet.search.index import StatementIndex, StatementSource, build

VERSION: Final = 4
"""Raise when the same catalogue gives another index."""


def read_source(release: Release) -> list[StatementSource]:
    """All statements in order of occupation, with their links. Three queries."""
    rows = (
        TaskStatement.objects.filter(release=release)
        .order_by("occupation__code", "task_id")
        .values_list(
            "pk", "task_id", "text", "occupation__code", "occupation__title", "kind", "importance"
        )
    )
    detailed = _linked(release, TaskStatement.detailed.through.objects, "detailedactivity__dwa_id")
    doing = _linked(release, TaskStatement.activities.through.objects, "workactivity__element_id")
    return [
        StatementSource(
            task_id=task_id,
            text=text,
            code=code,
            occupation=title,
            kind=kind,
            importance=importance,
            detailed=detailed.get(pk, ()),
            activities=doing.get(pk, ()),
        )
        for pk, task_id, text, code, title, kind, importance in rows
    ]


def _linked(release: Release, through: Manager[Any], name: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    links = through.filter(taskstatement__release=release).order_by(name)
    for pk, value in links.values_list("taskstatement_id", name):
        found[pk].append(value)
    return found


def statement_index(release: Release) -> StatementIndex:
    """The index of a release: from memory, from disk, or built now (a few seconds)."""
    name = f"statements-{VERSION}-{release.fingerprint[:24]}"
    return shared_index(
        "statements",
        name,
        lambda: StatementIndex.load(open_index(name, lambda: build(read_source(release)))),
    )
