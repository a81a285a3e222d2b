"""What the copy of a whole account has of projects and to-dos: files as they are exported alone."""

from __future__ import annotations

from django.utils import timezone

from chat.identity import Identity
from futura.attachments import Files
from projects import export, queries
from projects.todos.listing import Listing
from projects.todos.queries import exported


def projects_of(identity: Identity) -> Files:
    for project in queries.projects_of(identity):
        name = project.slug or "project"
        queries.whole(project)
        yield f"{name}.json", [export.as_json(project)]
        yield f"{name}.md", [export.as_markdown(project)]


def todos_of(identity: Identity) -> Files:
    tasks = exported(identity, Listing(tab="all"), timezone.localdate())
    for ending, (written, _kind) in export.WAYS.items():
        yield from [(f"to-dos.{ending}", [written(tasks)])] if tasks else []
