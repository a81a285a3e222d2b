"""What goes with a portfolio for good, besides its rows: files, and what visitors talked about."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Final

from django.db import transaction

from chat.actions.sessions import erase
from chat.models import Session
from projects.portfolio.entries.pictures.storing import delete_files
from projects.portfolio.models import StoredImage
from projects.portfolio.visitors.retention import let_go

VISIT: Final = "portfolio_visit"


def forget(portfolio_ids: Sequence[uuid.UUID]) -> None:
    """Within the transaction that erases them; sources, texts and indexes go by themselves.

    Files go after the commit. Conversations of visitors quote the portfolio: they go, too.
    """
    for stored in StoredImage.objects.filter(portfolio_id__in=portfolio_ids):
        transaction.on_commit(partial(delete_files, stored))
    visits = Session.objects.filter(
        kind=VISIT, state__portfolio_id__in=[str(one) for one in portfolio_ids]
    )
    people = set()
    for session in visits:
        erase(session)
        people.add(session.participant_id)
    let_go(people)
