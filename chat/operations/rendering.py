"""The panel of changes as pages and sockets show it; all of it read from PostgreSQL.

For the page of a conversation whose presenter has `has_operations`:

    context = {**rendering.panel_context(request, session), ...}

    {% include "chat/operations/_tabs.html" %}    first in `.workspace`: the tabs of a phone
    {% include "chat/operations/_panel.html" %}   the panel, second in `.split`
    {% include "chat/operations/_scripts.html" %} in the head, after htmx

The engine keeps it up to date through the conversation's socket (view "chat"). Other pages that
shall show the panel follow with `chat.render.follow_context(session, view="operations")`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

from chat.models import Run, Session
from chat.operations import cards, labels, notifications, queries
from chat.operations.models import Operation, OperationBatch, Policy
from chat.operations.registry import all_operables
from chat.presenters import Presenter, Rendered, presenter_for

VIEW: Final = "operations"  # of the page that shows nothing but the panel
PLACES: Final = 200  # of a kind that the list of all changes can be narrowed to
DOERS: Final = ("person", "agent", "program")
STATUSES: Final = ("pending", "completed", "failed", "rolled_back", "rejected")
POLICY_NEWS: Final = notifications.POLICY

Select = tuple[str, str, Sequence[tuple[str, object]]]
"""Its name in the address, its label, and the choices with what they are called."""


def chosen_in(query: Mapping[str, str]) -> dict[str, str]:
    """What an address narrows a list to; what is none of the choices narrows nothing."""
    choices = {"type": Operation.Type.values, "status": STATUSES, "entity": all_operables()}
    return {name: query[name] for name, values in choices.items() if query.get(name) in values}


def panel_context(request: HttpRequest, session: Session) -> dict[str, Any]:
    """What the templates of the panel need: a constant number of queries."""
    chosen, after = chosen_in(request.GET), request.GET.get("after", "")
    page = queries.panel_of(session.pk, Q(**chosen), after=after)
    return {
        "request": request,
        "operations": {
            **_listed(page, chosen),
            "narrowed": chosen,
            "is_later_page": bool(after),
            "filters": filters(chosen),
            **_heads(session),
        },
    }


def _listed(page: queries.Page, chosen: Mapping[str, str]) -> dict[str, Any]:
    """The changes of a page, and the query of the address where the list goes on."""
    earlier = urlencode({**chosen, "after": page.next_key}) if page.next_key else ""
    return {"groups": cards.groups(page.gestures), "earlier": earlier}


def filters(chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    kinds = [(kind.value, labels.DONE_WORDS[kind]) for kind in Operation.Type]
    states = [(status, labels.STATES[Operation.Status(status)]) for status in STATUSES]
    rows = (("type", _("Action"), kinds), ("status", _("State"), states), _kinds())
    return _selects(rows, chosen)


def _kinds() -> Select:
    return "entity", _("Type"), [(name, labels.capital_noun(name)) for name in all_operables()]


def _selects(rows: Iterable[Select], query: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"name": name, "label": label, "choices": choices, "chosen": query.get(name, "")}
        for name, label, choices in rows
    ]


def log_filters(
    owner_ids: Sequence[uuid.UUID], query: Mapping[str, str]
) -> tuple[Q, list[dict[str, Any]], list[str]]:
    """What all changes of these owners are narrowed to, the selects, and the choices in words.

    What is none of the choices narrows nothing. A query for each kind of place.
    """
    rows: list[Select] = []
    for name, entity_type in all_operables().items():
        if entity_type.is_place:
            own = entity_type.model._default_manager.filter(owner_id__in=owner_ids, deleted_at=None)
            latest = own.order_by("-updated_at")[:PLACES]
            rows.append((name, labels.capital_noun(name), [(str(row.pk), row) for row in latest]))
    doers = [(doer, capfirst(str(labels.WHO[doer]))) for doer in DOERS]
    rows += [_kinds(), ("who", _("Changed by"), doers)]
    narrowed, words, chosen = Q(), list[str](), dict[str, str]()
    for name, label, choices in rows:
        choice = dict(choices).get(query.get(name, ""))
        if choice is not None:
            chosen[name] = value = query[name]
            words.append(f"{label}: {choice}")
            fields = {"entity": Q(entity=value), "who": Q(batch__actor=value)}
            narrowed &= fields[name] if name in fields else queries.within(name, uuid.UUID(value))
    return narrowed, _selects(rows, chosen), words


def _heads(session: Session) -> dict[str, Any]:
    presenter = presenter_for(session.kind)
    return {
        "session": session,
        "page_url": presenter.page_url(session),
        "waiting": queries.waiting_count(session.pk),
        "policy": session.policy,
        "reviews_first": session.policy == Policy.REVIEW,
        "changes_things": presenter.changes_things,
        "has_policy": presenter.has_policy,
    }


def fragments(session: Session, ids: Sequence[str]) -> list[Rendered]:
    batches = OperationBatch.objects.filter(
        session=session.pk, pk__in=[pk for pk in ids if pk != POLICY_NEWS], undoes__isnull=True
    )
    groups = cards.groups(queries.page_of(batches, limit=len(ids)).gestures)
    common = _heads(session)
    changed = [
        Rendered(
            "chat/operations/_gesture.html", {"group": group, "operations": common, "oob": True}
        )
        for group in groups
    ]
    heads = {"operations": common, "oob": True, "news": _news(groups)}
    return [*changed, Rendered("chat/operations/_heads.html", heads)]


def snapshot(session: Session) -> list[Rendered]:
    page = queries.panel_of(session.pk)
    displayed = {
        **_listed(page, {}),
        **_heads(session),
    }
    context = {"operations": displayed, "oob": True, "news": ""}
    return [
        Rendered("chat/operations/_list.html", context),
        Rendered("chat/operations/_heads.html", context),
    ]


def toast(text: str, level: str) -> Rendered:
    return Rendered("chat/operations/_toast.html", {"text": text, "kind": level})


def _news(groups: Sequence[cards.Group]) -> str:
    """What a screen reader is told: the newest change, or how many."""
    displayed = [card for group in groups for card in group.cards]
    if len(displayed) > 1:
        return ngettext("%(n)d change", "%(n)d changes", len(displayed)) % {"n": len(displayed)}
    return f"{displayed[0].headline}: {displayed[0].title}" if displayed else ""


def written(run: Run) -> list[str]:
    """What an answer had changed before it broke off, for `Presenter.written`."""
    batches = OperationBatch.objects.filter(run=run).order_by("created_at", "pk")
    done = Q(status=Operation.Status.COMPLETED)
    gestures = queries.gestures_of(list(batches), done, each=50)
    return [
        f"{card.headline}: {card.title}" if card.title else card.headline
        for group in cards.groups(gestures)
        for card in group.cards
    ]


class ChangingPresenter(Presenter):
    """A presenter of a kind of session whose turns go through the ledger."""

    has_operations = True

    def written(self, run: Run, *, session: Session) -> Sequence[str]:  # noqa: ARG002
        """What a broken-off turn has already changed."""
        return written(run)

    def deletion(self, session: Session) -> str:  # noqa: ARG002
        """Deleting a conversation leaves what came of it."""
        return _("The changes made in it and their history remain.")
