"""What can be read beside single rows: the newest forecast, and one search over everything."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from django.db.models import Q
from pydantic import BaseModel, Field

from chat.commands.base import Query, Scope
from chat.models import Message
from futura.text import words
from projects.commands.texts import LONG
from projects.forecasting.models import Forecast
from projects.models import Note, Project, ProjectDraft, Task
from tasks.models import WorkTask

MATCHES: Final = 10  # of each kind
EXCERPT_CHARS: Final = 240
BEFORE_CHARS: Final = 80


class ForecastOut(BaseModel):
    """A forecast as it was made."""

    id: uuid.UUID
    project: uuid.UUID
    created_at: dt.datetime
    results: dict[str, Any]
    told: dict[str, Any]


class MatchOut(BaseModel):
    """A row in which something was found: the passage around it."""

    kind: str
    id: uuid.UUID
    title: str
    passage: str


class MatchesOut(BaseModel):
    """What a search found, kind by kind, newest first."""

    matches: list[MatchOut]


class ReadForecast(Query):
    """Reads the newest forecast of a project; nothing where there is none."""

    name: ClassVar[str] = "read_forecast"
    area: ClassVar[str] = "projects"

    project: uuid.UUID

    def read(self, scope: Scope) -> BaseModel:
        """Raises NotInScope."""
        project = scope.get(Project, self.project)
        newest = Forecast.objects.filter(project=project).order_by("-created_at").first()
        if newest is None:
            return MatchesOut(matches=[])
        return ForecastOut(
            id=newest.pk, project=project.pk, created_at=newest.created_at,
            results=newest.results, told=newest.told,
        )  # fmt: skip


class SearchEverything(Query):
    """Searches to-dos, notes, projects with their dimensions, what was said in conversations, and
    work tasks of surveys. All words have to be there.
    """

    name: ClassVar[str] = "search"
    area: ClassVar[str] = "todos"

    query: str = Field(min_length=1, max_length=200)

    def read(self, scope: Scope) -> MatchesOut:
        """At most ten of each kind."""
        wanted = list(dict.fromkeys(words(self.query)))[:8] or [self.query.strip()]
        owners = scope.owner_ids
        own = {"owner_id__in": owners, "deleted_at": None}
        kinds: Sequence[tuple[str, Any, Sequence[str]]] = (
            ("todo", Task.objects.filter(**own), ("title", "details")),
            ("note", Note.objects.filter(**own), ("title", "text")),
            ("project", Project.objects.filter(**own), ("name", *LONG)),
            ("draft", ProjectDraft.objects.filter(**own, status="in_progress"), ("name", *LONG)),
            (
                "message",
                Message.objects.filter(
                    session__participant_id__in=owners, session__deleted_at=None
                ),
                ("text",),
            ),
            (
                "survey_task",
                WorkTask.objects.filter(
                    response__session__participant_id__in=owners, deleted_at=None
                ),
                ("statement",),
            ),
        )
        found = [one for kind, rows, names in kinds for one in _found(kind, rows, names, wanted)]
        return MatchesOut(matches=found)


QUERIES: Final = (ReadForecast, SearchEverything)


def _found(kind: str, rows: Any, names: Sequence[str], wanted: Sequence[str]) -> Iterator[MatchOut]:
    for word in wanted:
        anywhere = Q()
        for name in names:
            anywhere |= Q(**{f"{name}__icontains": word})
        rows = rows.filter(anywhere)
    for row in rows.order_by("-created_at")[:MATCHES]:
        texts = [str(getattr(row, name)) for name in names]
        text = next((one for one in texts if wanted[0].lower() in one.lower()), texts[0])
        yield MatchOut(
            kind=kind, id=row.pk, title=" ".join(str(row).split())[:120],
            passage=_passage(text, wanted[0]),
        )  # fmt: skip


def _passage(text: str, word: str) -> str:
    at = max(0, text.lower().find(word.lower()) - BEFORE_CHARS)
    cut = " ".join(text[at : at + EXCERPT_CHARS].split())
    return f"{'… ' if at else ''}{cut}{' …' if at + EXCERPT_CHARS < len(text) else ''}"
