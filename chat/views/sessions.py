"""The list of a person's conversations: looking through it, putting in order, taking copies."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _, pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import actions, export, library, rates
from chat.actions.sessions import TITLE_CHARS
from chat.identity import identity_of
from chat.models import Session
from chat.presenters import presenter_for
from chat.queries import session_for
from chat.render import log_context
from chat.searching import Search
from chat.views.turns import is_htmx
from futura import limits
from futura.attachments import streamed
from futura.errors import BadInput, NotFound
from futura.parameters import key, own_address

TYPES: Final = {"json": "application/json; charset=utf-8", "md": "text/markdown; charset=utf-8"}


# Looking ------------------------------------------------------------------------------------


@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """The page: `?tab=`, `?q=`, `?after=` (a key). For htmx what was found, or its next rows."""
    requested = request.GET.get("tab", "")
    tab: library.Tab = requested if requested in library.TABS else "active"
    after, search = request.GET.get("after", ""), Search.of(request.GET.get("q", ""))
    page = library.page_of(identity_of(request), tab, after=after, search=search)
    template = "chat/sessions.html"
    if is_htmx(request):
        template = "chat/_session_rows.html" if after else "chat/_sessions_found.html"
    context = {
        "page": page,
        "tabs": _tabs(page),
        "moved": _moved(request),
        "is_later_page": bool(after),
    }
    answer = render(request, template, context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def _tabs(page: library.Page) -> list[dict[str, Any]]:
    words = {
        "active": _("Active"),
        "archived": pgettext("conversations", "Archived"),
        "bin": _("Bin"),
    }
    return [{"key": key, "words": words[key], "is_here": key == page.tab} for key in library.TABS]


def _moved(request: HttpRequest) -> library.Row | None:
    """The conversation that was just put somewhere else, to say so with a way back."""
    moved = key(request.GET.get("moved"))
    rows = library.rows_of(identity_of(request), [moved]) if moved else []
    return rows[0] if rows else None


@require_safe
def log(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """A further stretch of a conversation for its open page (a fragment)."""
    session = session_for(identity_of(request), session_id)
    return render(request, "chat/_turns.html", log_context(request, session))


# Putting in order ---------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Another title: in the row for htmx, on a page of its own else."""
    session = session_for(identity_of(request), session_id)
    if request.method != "POST":
        return _naming(request, session)
    title = request.POST.get("title", "")
    try:
        actions.rename_session(identity=identity_of(request), session_id=session_id, title=title)
    except BadInput as error:
        return _naming(request, session, title=title, problem=str(error), status=422)
    if is_htmx(request):
        return _row(request, session_id, focus=True)
    return _back(request, presenter_for(session.kind).page_url(session))


def _naming(
    request: HttpRequest,
    session: Session,
    *,
    title: str | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    row = library.row_of(session)
    context = {
        "row": row,
        "open": "rename",
        "title": row.title if title is None else title,
        "problem": problem,
        "limit": TITLE_CHARS,
        "next": request.POST.get("next") or request.GET.get("next", ""),
    }
    template = "chat/_session_row.html" if is_htmx(request) else "chat/session_rename.html"
    return render(request, template, context, status=status)


@require_safe
def row(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """One row as it stands (after Cancel)."""
    session_for(identity_of(request), session_id)
    return _row(request, session_id, focus=True)


def _row(request: HttpRequest, session_id: uuid.UUID, **more: Any) -> HttpResponse:
    rows = library.rows_of(identity_of(request), [session_id])
    return render(request, "chat/_session_row.html", {"row": rows[0], **more})


def _moving(action: Callable[..., Session]) -> Callable[..., HttpResponse]:
    """A door that puts a conversation elsewhere: its row then says where, and offers it back."""

    def move(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
        """Does it; the list follows, or what `next` names."""
        session = action(identity=identity_of(request), session_id=session_id)
        if is_htmx(request):
            return _row(request, session_id, has_moved=True, focus=True)
        return _back(request, f"{reverse('chat:sessions')}?moved={session.pk}")

    return cast("Callable[..., HttpResponse]", require_POST(move))


archive = _moving(actions.archive_session)
unarchive = _moving(actions.unarchive_session)
delete = _moving(actions.delete_session)
restore = _moving(actions.restore_session)


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Asks once and says what goes, then deletes for good."""
    identity = identity_of(request)
    session = session_for(identity, session_id, even_deleted=True)
    if request.method != "POST":
        says = presenter_for(session.kind).deletion(session)
        context = {"row": library.row_of(session), "says": says}
        return render(request, "chat/session_erase.html", context)
    actions.erase_session(identity=identity, session_id=session_id)
    messages.success(request, _("The conversation was permanently deleted."))
    return _back(request, reverse("chat:sessions"))


def _back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """To the page the form names, when it is one of ours."""
    following = own_address(request, request.POST.get("next", ""), otherwise)
    return HttpResponseRedirect(following, status=303)


# Taking copies ------------------------------------------------------------------------------


@require_safe
def export_one(request: HttpRequest, session_id: uuid.UUID, ending: str) -> StreamingHttpResponse:
    """One conversation as JSON or Markdown."""
    identity = identity_of(request)
    session = session_for(identity, session_id)
    if ending not in TYPES:
        raise NotFound
    rates.check(limits.EXPORT, identity)
    pieces = export.sent(partial(export.pieces_of, session, cast("export.Ending", ending)))
    return streamed(pieces, TYPES[ending], export.file_name(session, ending))
