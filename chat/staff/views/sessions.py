"""Staff pages: the queues, one conversation with all behind it, its replay, the marks; the log."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.models import Session
from chat.staff import actions, audit, queries, queues
from chat.staff.audit import is_private, reviewers_of
from chat.staff.forms import FilterForm, LogForm, narrowing
from chat.staff.models import Access, Review
from chat.staff.panels import source_of
from chat.staff.views.why import asks_why
from futura import roles
from futura.errors import BadInput, Conflict, NotFound
from futura.parameters import key, whole
from futura.staff import allowed

TABS: Final = ("trace", "replaced", "state", "notes")


@require_GET
@allowed("review")
@asks_why
def session_detail(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """One session; `?show=` chooses the tab at the side, `?queue=` and filters what is around it.

    The tab is the panel's name, `trace`, `replaced` (branches that do not stand any more), `state`
    or `notes`.
    """
    session = queries.session_for_staff(session_id, request.user)
    audit.read(user=request.user, session=session)
    return page(request, session)


def page(
    request: HttpRequest,
    session: Session,
    *,
    overrides: Mapping[str, str] | None = None,
    at: int | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The desk with one conversation; `overrides` go before the query of the address.

    `at` is the message that it is replayed to. A form that was refused is shown again by its
    panel: `refused` says why, and what was typed.
    """
    query = {**request.GET.dict(), **(overrides or {})}
    context = {**_context(request, session, query, at), **more}
    return render(request, "staff/session.html", context, status=status)


def _context(
    request: HttpRequest, session: Session, query: Mapping[str, str], at: int | None
) -> dict[str, Any]:
    queues.refresh()
    review = actions.review_of(session)
    review.session = session
    form = FilterForm(request.GET, is_shown=False)
    narrowed = form.reviews()
    reading = queries.reading(session) if at is None else queries.replay(session, at=at)
    panel = None if reading.at else source_of(session.kind)  # shows things as they are now
    show = query.get("show", panel.name if panel else "trace")
    is_panel = panel is not None and show == panel.name
    if not is_panel and show not in TABS:
        show = "trace"
    tabs = queues.counts(narrowed, form.queue, user=request.user)
    return {
        "reading": reading,
        "session": session,
        "review": review,
        "place": queries.place_of(review, queues.reviews(narrowed, form.queue, user=request.user)),
        "queue_tabs": [(tab, narrowing(request.GET, queue=tab.queue.name)) for tab in tabs],
        "queue": next((tab for tab in tabs if tab.is_current), tabs[0]),
        "all_count": tabs[0].number,
        "done_count": tabs[-1].number,
        "done_percent": 100 * tabs[-1].number // max(1, tabs[0].number),
        "kept_query": narrowing(request.GET),
        "tab_query": narrowing(request.GET, at=str(reading.at or "")),
        "filters": QueryDict(narrowing(request.GET)),
        "panel": panel,
        "panel_context": panel.context(session, query) if panel and is_panel else None,
        "show": show,
        "state_json": json.dumps(dict(reading.state), indent=2, ensure_ascii=False),
        "people": list(reviewers_of(session)) if show == "notes" else [],
        "tags": ", ".join(review.tags),
    }


@require_POST
@allowed("review")
@asks_why
def mark(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Sets a mark (`do`); then shows the conversation again, or the next one when it is done."""
    session = queries.session_for_staff(session_id, request.user)
    done = request.POST.get("do", "")
    if done == "reviewed":
        return _reviewed(request, session)
    on_notes = done in _SHOWN_ON_NOTES or "reason" in request.POST
    try:
        _do(request, session, done)
    except (BadInput, Conflict) as error:
        is_outdated = isinstance(error, Conflict)
        if is_outdated and not on_notes:
            messages.warning(request, str(error))
            return page(request, session, status=error.status)
        if not on_notes:
            raise
        refused = {"says": str(error), "do": done, "sent": request.POST, "is_outdated": is_outdated}
        status = 422 if isinstance(error, BadInput) else error.status
        return page(request, session, overrides={"show": "notes"}, status=status, refused=refused)
    show = "notes" if on_notes else request.GET.get("show", "")
    return HttpResponseRedirect(address(session, request, show=show), status=303)


_SHOWN_ON_NOTES: Final = frozenset({"give", "tags", "note", "remove_note"})


def _do(request: HttpRequest, session: Session, done: str) -> None:
    """Raises BadInput for what is not known."""
    sent, user = request.POST, request.user
    match done:
        case "take":
            actions.take(user=user, session=session)
        case "give":
            actions.give(session=session, to=sent.get("to"), seen=sent.get("assignee"))
        case "release":
            actions.release(session=session, seen=sent.get("assignee"))
        case "flag":
            reason, seen = sent.get("reason", ""), sent.get("reason_before")
            actions.flag(user=user, session=session, reason=reason, seen=seen)
        case "unflag":
            actions.unflag(session=session)
        case "reopen":
            actions.reopen(session=session)
        case "tags":
            seen = sent.get("tags_before")
            actions.set_tags(session=session, tags=sent.get("tags"), seen=seen)
        case "note":
            actions.add_note(
                user=user, session=session, text=sent.get("text"), seq=sent.get("seq", "")
            )
        case "remove_note":
            actions.remove_note(user=user, session=session, note_id=_uuid(sent.get("note")))
        case _:
            raise BadInput(_("Choose an action."), field="do")


def _uuid(text: str | None) -> uuid.UUID:
    result = key(text)
    if result is None:
        raise BadInput(_("Select a note."), field="note")
    return result


def _reviewed(request: HttpRequest, session: Session) -> HttpResponse:
    """Marks it and goes to the next one of the queue, or back to the queues after the last."""
    form = FilterForm(request.GET, is_shown=False)
    review: Review = actions.mark_reviewed(user=request.user, session=session)
    in_queue = queues.reviews(form.reviews(), form.queue, user=request.user)
    following = queries.next_in(review, in_queue)
    if following is None:
        messages.success(request, _("That was the last conversation in this queue."))
        back = f"{reverse('staff:sessions')}?{narrowing(request.GET)}"
        return HttpResponseRedirect(back, status=303)
    return HttpResponseRedirect(address(following.session, request), status=303)


def address(session: Session, request: HttpRequest, **more: str) -> str:
    """Where a conversation stands among those the address narrows to; `more` is `show`, `task`."""
    query = narrowing(request.GET, **more)
    own = reverse("staff:session", args=[session.pk])
    return f"{own}?{query}" if query else own


@require_GET
@allowed("review")
@asks_why
def replay(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The session as it stood at one of its messages (`?at=`, counted from 1)."""
    session = queries.session_for_staff(session_id, request.user)
    audit.read(user=request.user, session=session, kind=Access.Kind.REPLAY)
    return page(request, session, at=whole(request.GET.get("at")) or 1)


PAGE_SIZE: Final = 50


@require_GET
@allowed("review")
def session_list(request: HttpRequest) -> HttpResponse:
    queues.refresh()
    form = FilterForm(request.GET)
    private = _private(request, form.value("q"))
    if private is not None:
        return redirect("staff:session", session_id=private)
    narrowed = form.reviews()
    reviews = queues.reviews(narrowed, form.queue, user=request.user)
    page = Paginator(reviews, PAGE_SIZE).get_page(number(request))
    tabs = [
        (count, narrowing(request.GET, queue=count.queue.name))
        for count in queues.counts(narrowed, form.queue, user=request.user)
    ]
    context = {
        "form": form,
        "page": page,
        "rows": queries.rows_of(list(page.object_list)),
        "tabs": tabs,
        "current": next((entry for entry, _query in tabs if entry.is_current), None),
        "kept_query": narrowing(request.GET),
        "is_narrowed": narrowing(request.GET, queue="") != "",
        "queue": form.queue,
        "campaign": key(form.value("group")),
    }
    return render(request, "staff/sessions.html", context)


def _private(request: HttpRequest, words: str) -> uuid.UUID | None:
    """The private conversation whose whole id was searched for, by somebody who may open it."""
    session_id = key(words)
    if session_id is None or not roles.may(request.user, "conversations"):
        return None
    try:
        session = queries.existing_session(session_id)
    except NotFound:
        return None
    return session.pk if is_private(session) else None


def number(request: HttpRequest) -> int:
    return whole(request.GET.get("page")) or 1


@require_GET
@allowed("audit")
def log(request: HttpRequest) -> HttpResponse:
    form = LogForm(request.GET)
    page, entries = audit.log_page(form.rows(), page=number(request))
    context = {"form": form, "page": page, "entries": entries}
    return render(request, "staff/log.html", context)
