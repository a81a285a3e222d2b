"""How long visits are kept, and what stays when one goes: its numbers, never its words."""

from __future__ import annotations

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.db.models.functions import TruncMonth
from django.utils import timezone

from chat.actions.sessions import erase
from chat.models import OPEN, Message, Participant, Run, Session
from chat.operations.models import OperationBatch
from futura.llm.models import ModelCall
from projects.portfolio.models import Portfolio, VisitMonth
from projects.portfolio.visitors.contract import KIND

BATCH: Final = 500
NUMBERS: Final = ("questions", "calls", "unknown_calls", "cost_usd")


def purge_visits() -> int:
    """Erases visits in which nothing happened for `PORTFOLIO_VISIT_DAYS`; how many.

    Questions without an answer stay in the owner's inbox, costs by month; who owned nothing else
    goes, too. Zero days keep everything.
    """
    if not settings.PORTFOLIO_VISIT_DAYS:
        return 0
    before = timezone.now() - dt.timedelta(days=settings.PORTFOLIO_VISIT_DAYS)
    due = Session.objects.filter(kind=KIND, updated_at__lt=before)
    purged = 0
    for session_id in list(due.order_by("updated_at").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():  # one that goes on meanwhile stays
            still = due.select_for_update(skip_locked=True, of=("self",))
            session = still.filter(pk=session_id).first()
            if session is None or Run.objects.filter(session=session, status__in=OPEN).exists():
                continue
            erase(session)
            delete_unused([session.participant_id])
            purged += 1
    return purged


def delete_unused(participant_ids: Iterable[uuid.UUID]) -> None:
    """Deletes those among them who have no account and own nothing any more: whom no row names,
    nor a change by id alone.

    Within the transaction that erased what they had.
    """
    own = Participant.objects.filter(pk__in=set(participant_ids), user=None).order_by("pk")
    locked = own.select_for_update(skip_locked=True).values_list("pk", flat=True)
    unused = set(locked)
    changed = OperationBatch.objects.filter(owner_id__in=unused).values_list("owner_id", flat=True)
    named = [
        field.related_model._default_manager.filter(**{f"{field.field.name}__in": unused})
        .order_by()
        .values_list(field.field.name, flat=True)
        for field in Participant._meta.get_fields(include_hidden=True)
        if isinstance(field, ForeignObjectRel)
    ]
    Participant.objects.filter(pk__in=unused.difference(changed.union(*named))).delete()


def add_to_months(session: Session) -> None:
    """Adds what a visit cost to its portfolio's months. Within the transaction that erases it."""
    portfolio_id = session.state.get("portfolio_id")
    if not portfolio_id or not Portfolio.objects.filter(pk=portfolio_id).exists():
        return
    for month, numbers in numbers_of(Session.objects.filter(pk=session.pk)).items():
        own = {"portfolio_id": portfolio_id, "month": month.date()}
        VisitMonth.objects.get_or_create(**own)
        added = {name: F(name) + value for name, value in numbers.items()}
        VisitMonth.objects.filter(**own).update(**added)


def numbers_of(visits: QuerySet[Session]) -> dict[dt.datetime, dict[str, Any]]:
    """Questions, calls and cost of visits, by month, as VisitMonth has them. Two queries."""
    nothing = {"questions": 0, "calls": 0, "unknown_calls": 0, "cost_usd": Decimal(0)}
    months: dict[dt.datetime, dict[str, Any]] = defaultdict(lambda: {**nothing})
    messages = Message.objects.filter(
        session__in=visits, role=Message.Role.PERSON, superseded_at=None
    )
    by_month = messages.order_by().annotate(month=TruncMonth("created_at")).values_list("month")
    for month, count in by_month.annotate(n=Count("pk")):
        months[month]["questions"] = count
    calls = ModelCall.objects.filter(session_id__in=visits.values("pk"))
    spent = calls.order_by().annotate(month=TruncMonth("created_at")).values_list("month")
    costs = spent.annotate(
        n=Count("pk"), unknown=Count("pk", filter=Q(cost_usd=None)), cost=Sum("cost_usd")
    )
    for month, count, unknown, cost in costs:
        months[month] |= {"calls": count, "unknown_calls": unknown, "cost_usd": cost or Decimal(0)}
    return months
