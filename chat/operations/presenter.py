"""What conversations that change things have in common for those who look at them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from django.db.models import Count
from django.utils.translation import gettext, ngettext

from chat.models import Run, Session
from chat.operations import rendering
from chat.operations.models import Operation
from chat.presenters import Presenter


class ChangingPresenter(Presenter):
    """A presenter of a kind of session whose turns go through the ledger."""

    has_operations = True

    def written(self, run: Run, *, session: Session) -> Sequence[str]:
        """What a broken-off turn has already changed."""
        return rendering.written(run)

    def list_notes(self, session_ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, str]:
        """“12 changes”: one query."""
        done = Operation.objects.filter(
            batch__session__in=session_ids, status=Operation.Status.COMPLETED
        )
        counted = done.values_list("batch__session").annotate(n=Count("pk")).order_by()
        return {
            pk: ngettext("%(n)d change", "%(n)d changes", n) % {"n": n} for pk, n in counted if n
        }

    def deletion(self, session: Session) -> str:
        """Deleting a conversation leaves what came of it."""
        return gettext("The changes made in it and their history remain.")
