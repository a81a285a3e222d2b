"""What can be read: lists, rows whole, and one search over everything."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Final, Literal

from pydantic import BaseModel, Field

from chat.commands.base import Query, Scope
from chat.searching import Search
from futura.text import STOP_WORDS, words
from projects import queries
from projects.fields import DraftStatus, ProjectStatus
from projects.models import Note, Project, ProjectDraft, Task
from projects.searching import Match, matches_of, near_matches
from projects.shapes import (
    DraftLine,
    DraftsOut,
    NoteOut,
    ProjectLine,
    ProjectOut,
    ProjectsOut,
    TodosOut,
    draft_out,
    note_out,
    shaped,
    todo_out,
)
from projects.todos import queries as todo_queries
from projects.todos.listing import Filters, Listing, Tab
from projects.todos.queries import ON_PAGE


def terms_of(query: str) -> list[str]:
    """What a query looks for: its words that carry meaning, in lower case; those with an apostrophe
    in pieces, since its sign may be another where they stand.
    """
    meant = (word for word in words(query) if word not in STOP_WORDS)
    return [piece for word in meant for piece in word.split("'")]


class MatchesOut(BaseModel):
    """What a search brings back, kind by kind."""

    matches: list[Match]


class ListTodos(Filters, Query):
    """Lists to-dos, 50 on a page, across projects; `q` are words in title, details or project.

    Without a tab, all of them; a page beyond the last is empty.
    """

    name: ClassVar[str] = "list_todos"
    area: ClassVar[str] = "todos"

    tab: Tab = "all"
    q: str = Field("", max_length=200)
    sort: Literal["", "hand", "due", "priority", "new"] = ""
    page: int = Field(1, ge=1, le=1_000)

    def read(self, scope: Scope) -> TodosOut:
        page = todo_queries.page_of(scope.identity, Listing.of(self.model_dump()), scope.today)
        # on the screen a page beyond the end is the last one; whoever reads page by page must end
        todos = list(map(todo_out, page.tasks)) if page.number == self.page else []
        return TodosOut(todos=todos, total=page.total, page=self.page, has_more=page.has_more)


class ListProjects(Query):
    """Lists projects, last changed first, 50 on a page; `q` are words in the name."""

    name: ClassVar[str] = "list_projects"
    area: ClassVar[str] = "projects"

    status: Literal["", ProjectStatus] = ""
    q: str = Field("", max_length=200)
    page: int = Field(1, ge=1, le=1_000)

    def read(self, scope: Scope) -> ProjectsOut:
        terms = terms_of(self.q)
        projects: list[Any] = [
            item
            for item in queries.projects_of(scope.identity, self.status)
            if all(word in item.name.lower() for word in terms)
        ]
        start = (self.page - 1) * ON_PAGE
        displayed = projects[start : start + ON_PAGE]
        return ProjectsOut(
            projects=[
                shaped(item, ProjectLine, todos=item.task_count, todos_done=item.done_count)
                for item in displayed
            ],
            total=len(projects),
            page=self.page,
            has_more=start + ON_PAGE < len(projects),
        )


class ListDrafts(Query):
    """Lists drafts, last touched first; without a status, those that ended, too."""

    name: ClassVar[str] = "list_drafts"
    area: ClassVar[str] = "projects"

    status: Literal["", DraftStatus] = ""

    def read(self, scope: Scope) -> DraftsOut:
        drafts = queries.drafts_of(scope.identity, self.status)
        return DraftsOut(drafts=[shaped(draft, DraftLine) for draft in drafts])


class _Row(Query):
    """A row by its id."""

    area: ClassVar[str] = "projects"

    id: uuid.UUID


class ReadTodo(_Row):
    """Reads a to-do whole."""

    name: ClassVar[str] = "read_todo"
    area: ClassVar[str] = "todos"

    def read(self, scope: Scope) -> BaseModel:
        return todo_out(scope.get(Task, self.id))


class ReadProject(_Row):
    """Reads a project with all its texts and its notes; its to-dos are listed by `list_todos`."""

    name: ClassVar[str] = "read_project"

    def read(self, scope: Scope) -> BaseModel:
        project = scope.get(Project, self.id)
        notes = list(map(note_out, queries.notes_of(project)))
        return shaped(project, ProjectWithNotes, notes=notes)


class ReadDraft(_Row):
    """Reads a draft with all its texts and its to-dos."""

    name: ClassVar[str] = "read_draft"

    def read(self, scope: Scope) -> BaseModel:
        return draft_out(scope.get(ProjectDraft, self.id))


class ReadNote(_Row):
    """Reads a note whole."""

    name: ClassVar[str] = "read_note"

    def read(self, scope: Scope) -> BaseModel:
        return note_out(scope.get(Note, self.id))


class ProjectWithNotes(ProjectOut):
    """A project with its notes, newest first."""

    notes: list[NoteOut]


class SearchEverything(Query):
    """Searches to-dos, notes, projects with their dimensions, what was said in conversations, and
    work tasks of surveys: rows that have all the words, then rows that are near in meaning where
    an embedding model is set up.
    """

    name: ClassVar[str] = "search"
    area: ClassVar[str] = "todos"

    query: str = Field(min_length=1, max_length=200)

    def read(self, scope: Scope, besides: uuid.UUID | None = None) -> MatchesOut:
        """What is found; not in the message `besides`, which asks for it."""
        identity, search = scope.identity, Search.of(self.query, besides)
        matches = matches_of(identity, search)
        return MatchesOut(matches=[*matches, *near_matches(identity, search, matches)])


# Not the search: what it finds is of more areas than one token opens.
QUERIES: Final = (
    ListTodos, ListProjects, ListDrafts, ReadTodo, ReadProject, ReadDraft, ReadNote,
)  # fmt: skip
