"""The one conversation of an entry: found, begun with an entry of its own, or opened for one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from chat import actions as chat_actions
from chat.commands.base import Scope, build
from chat.commands.run import run
from chat.models import Message, Participant, Session
from chat.operations.changes import Actor
from chat.presenters import Rendered, presenter_for
from futura.limits import storable
from futura.rows import only
from futura.text import shortened
from projects.hooks import Handover, Opened
from projects.models import Project
from projects.portfolio.builder.context import BuilderState, entry_of
from projects.portfolio.commands.entries import CreateEntry
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.queries import BUILDER, session_of

TITLE_CHARS = 80
LISTED = 12


def begin(
    portfolio: Portfolio,
    text: str,
    client_id: uuid.UUID | None = None,
    *,
    is_opened_with_others: bool = False,
) -> Session:
    """A new entry with its conversation, which begins with what its owner says.

    The same `client_id` with the same text finds what it made, with another it is refused. Where
    others' words may stand in the text, `is_opened_with_others`: what comes of it waits.

    Raises BadInput, TooLong, Conflict.
    """
    with transaction.atomic():
        only(Portfolio.objects.select_for_update().filter(pk=portfolio.pk))
        existing = _begun(portfolio.owner, client_id, text)
        if existing is not None:
            return existing
        entry = _new_entry(portfolio.owner, CreateEntry(portfolio=portfolio.pk))
        return _start(entry, text, client_id, is_opened_with_others=is_opened_with_others)


def open_for(entry: Entry, text: str = "", *, is_opened_with_others: bool = False) -> Session:
    """The conversation of an entry, begun when there is none. Raises NotFound."""
    with transaction.atomic():
        locked = only(Entry.objects.select_for_update().filter(pk=entry.pk, deleted_at=None))
        return session_of(locked) or _start(
            locked, text, is_opened_with_others=is_opened_with_others
        )


def tell_project(portfolio: Portfolio, project: Project) -> Session:
    """The conversation of the entry about a project of the same owner, made when there is none.

    Raises BadInput.
    """
    with transaction.atomic():
        only(Portfolio.objects.select_for_update().filter(pk=portfolio.pk))
        own = Entry.objects.filter(portfolio=portfolio, project=project, deleted_at=None)
        entry = own.order_by("created_at").first()
        if entry is None:
            title = shortened(project.name, TITLE_CHARS)
            values = {"portfolio": portfolio.pk, "project": project.pk, "title": title}
            entry = _new_entry(portfolio.owner, build(CreateEntry, values))
        return session_of(entry) or _start(entry, project_id=project.pk)


def _new_entry(owner: Participant, command: CreateEntry) -> Entry:
    scope = Scope.of_actor(Actor(owner.pk, user_id=owner.user_id))
    (key,) = run(command, scope).created
    return Entry.objects.get(pk=key)


def _start(
    entry: Entry, text: str = "", client_id: uuid.UUID | None = None, **state: Any
) -> Session:
    return chat_actions.start_session(
        participant=entry.owner,
        kind=BUILDER,
        # who begins by telling answers the first question
        state=BuilderState(entry_id=entry.pk, open="what" if text else "", **state),
        title=entry.title or shortened(text, TITLE_CHARS) or _("New entry"),
        first_text=text or None,
        first_client_id=client_id,
    )


def _begun(owner: Participant, client_id: uuid.UUID | None, text: str) -> Session | None:
    if client_id is None:
        return None
    own = Message.objects.filter(session__participant=owner, session__kind=BUILDER)
    same = own.filter(client_id=client_id, session__deleted_at=None)
    message = same.select_related("session").first()
    if message is None:
        return None
    chat_actions.refuse_other_text(message, storable(text).strip())
    return message.session


# From elsewhere ---------------------------------------------------------------------------------
def story_of(project: Project) -> Rendered | None:
    """A button that drafts an entry from the records of a finished project, or the way to the one
    there is.
    """
    if project.status != Project.Status.COMPLETED:
        return None
    own = Entry.objects.filter(project=project, owner_id=project.owner_id, deleted_at=None)
    entry = own.filter(portfolio__deleted_at=None).order_by("created_at").first()
    portfolios = Portfolio.objects.filter(owner_id=project.owner_id, deleted_at=None)
    listed = list(portfolios.order_by("-updated_at")[:5])
    context = {"project": project, "entry": entry, "portfolios": listed}
    return Rendered("projects/portfolio/builder/_offer.html", context)


def opened_for(handover: Handover) -> Opened:
    """The conversation about an entry: one that there is, a project's, or a new one that begins
    with what was said.

    Where there is no portfolio yet the page leads to that begins one. Raises NotFound, BadInput,
    TooLong.
    """
    project = handover.project
    if handover.entry is not None:
        entry = only(_entries(handover.owner_ids).filter(pk=handover.entry))
        is_tainted = handover.has_others_words
        return _opened(open_for(entry, handover.says, is_opened_with_others=is_tainted))
    owners = [project.owner_id] if project else handover.owner_ids
    own = Portfolio.objects.filter(owner_id__in=owners, deleted_at=None)
    portfolio = own.select_related("owner").order_by("-updated_at").first()
    if portfolio is None:
        return Opened(kind=BUILDER, url=reverse("portfolio:home"))
    if project is not None:
        session = tell_project(portfolio, project)
    elif handover.says:
        session = begin(portfolio, handover.says, handover.key,
                        is_opened_with_others=handover.has_others_words)  # fmt: skip
    else:
        return Opened(kind=BUILDER, url=reverse("builder:tell", args=[portfolio.pk]))
    return _opened(session, project)


def entry_lines(owner_ids: Sequence[uuid.UUID]) -> list[str]:
    """The entries changed last, as prompts show them."""
    latest = _entries(owner_ids).order_by("-updated_at")[:LISTED]
    return [
        f"- {shortened(entry.title, TITLE_CHARS) or 'untitled'} ({entry.status}) id={entry.pk}"
        for entry in latest
    ]


def _entries(owner_ids: Sequence[uuid.UUID]) -> QuerySet[Entry]:
    return Entry.objects.filter(owner_id__in=owner_ids, deleted_at=None, portfolio__deleted_at=None)


def _opened(session: Session, project: Project | None = None) -> Opened:
    entry = entry_of(session)
    title = (entry.title if entry else "") or (project.name if project else "")
    url = presenter_for(BUILDER).page_url(session)
    return Opened(kind=BUILDER, url=url, title=title, session_id=session.pk)
