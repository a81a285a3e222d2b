"""What the copy of an account has of projects, drafts and to-dos, as each is exported alone."""

from __future__ import annotations

from django.utils import timezone

from chat.identity import Identity
from futura.attachments import Files
from futura.text import latin_slug
from projects import export, queries
from projects.models import ProjectDraft
from projects.shapes import draft_out
from projects.todos.listing import Listing
from projects.todos.queries import exported


def projects_of(identity: Identity) -> Files:
    for project in queries.projects_of(identity):
        name = project.slug or "project"
        queries.whole(project)
        yield f"{name}.json", [export.as_json(project)]
        yield f"{name}.md", [export.as_markdown(project)]


def drafts_of(identity: Identity) -> Files:
    """Those of which no project was made; the others stand with the projects."""
    for draft in queries.drafts_of(identity, status=""):
        if draft.status != ProjectDraft.Status.COMPLETED:
            written = draft_out(draft).model_dump_json(indent=2)
            yield f"{latin_slug(draft.name) or 'draft'}.json", [written]


def todos_of(identity: Identity) -> Files:
    tasks = exported(identity, Listing(tab="all"), timezone.localdate())
    for ending, (written, _kind) in export.WAYS.items():
        yield from [(f"to-dos.{ending}", [written(tasks)])] if tasks else []
