"""What an owner does with drafts before they are stored: correct, fuse, split, add, confirm."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict
from futura.text import locate
from projects.portfolio.intake.apply import apply, counts_of
from projects.portfolio.intake.basic.headings import Line, lines_of
from projects.portfolio.intake.basic.resume import redrafted
from projects.portfolio.intake.drafts import KINDS, Draft, as_json, finished, from_json
from projects.portfolio.intake.reading import contacts_of
from projects.portfolio.intake.run import VOICED, ask_for_voice
from projects.portfolio.models import Portfolio, Source


@contextmanager
def changing(source_id: uuid.UUID) -> Iterator[Check]:
    """The drafts of a source, locked, and stored afterwards. Raises Conflict without any."""
    with transaction.atomic():
        to_check = Source.objects.filter(pk=source_id, outcome=Source.Outcome.CHECK)
        source = to_check.select_for_update().first()
        if source is None:
            raise Conflict(_("There is nothing left to check."))
        check = Check(source.text, from_json(source.drafts))
        yield check
        source.drafts = as_json(finished(check.drafts))
        source.save(update_fields=["drafts"])


@dataclass
class Check:
    """The drafts of one source while they are being changed."""

    text: str
    drafts: list[Draft]

    def correct(self, key: str, kind: str, values: Mapping[str, Any]) -> None:
        """Other values for a draft, which are its owner's from then on; or another kind, as which
        its lines are read once more."""
        draft = self._draft(key)
        if kind != draft.kind and kind in KINDS:
            again = redrafted(kind, self._lines(draft.start, draft.end))
            again.kind, again.key = kind, draft.key
            again.start, again.end = draft.start, draft.end
            self.drafts[self.drafts.index(draft)] = again
            return
        changed = {
            name: value
            for name, value in values.items()
            if (draft.values.get(name) or "") != (value or "")
        }
        draft.values |= changed
        draft.corrected = sorted({*draft.corrected, *changed})
        draft.unsure = [name for name in draft.unsure if not draft.values.get(name)]

    def remove(self, key: str) -> None:
        """Leaves a draft out."""
        self.drafts.remove(self._draft(key))

    def fuse(self, key: str) -> None:
        """Makes one of a draft and the one above it. Raises BadInput for the first."""
        draft = self._draft(key)
        at = self.drafts.index(draft)
        if at == 0:
            raise BadInput(_("There is no previous record."))
        above = self.drafts[at - 1]
        for name, value in draft.values.items():
            if isinstance(value, list):
                above.values[name] = [*above.values.get(name, []), *value]
            elif not above.values.get(name):
                above.values[name] = value
        if not above.kind:
            above.kind, above.doc_id = draft.kind, draft.doc_id
        if draft.end:
            above.start = min(above.start, draft.start) if above.end else draft.start
            above.end = max(above.end, draft.end)
        is_known = {**above.values, "kind": above.kind}
        above.unsure = [name for name in above.unsure if not is_known.get(name)]
        self.drafts.remove(draft)

    def split(self, key: str, at: int) -> None:
        """Makes two of a draft, the second from the line that begins at this place of the source.

        Raises BadInput for a place that is no line of it but the first.
        """
        draft = self._draft(key)
        lines = [line for line in self._lines(draft.start, draft.end) if line.text]
        places = [line.start for line in lines]
        if at not in places[1:]:
            raise BadInput(_("Select the line where the second record starts."))
        cut = places.index(at)
        parts = [redrafted(draft.kind, lines[:cut]), redrafted(draft.kind, lines[cut:])]
        for part in parts:
            part.kind = draft.kind
        parts[0].key = draft.key
        place = self.drafts.index(draft)
        self.drafts[place : place + 1] = parts

    def add(self, kind: str, quote: str) -> str:
        """A draft of this kind from words of the source, or an empty one; its key.

        Raises BadInput.
        """
        if kind not in KINDS:
            raise BadInput(_("Select the kind of record."), field="kind")
        draft = Draft(kind)
        if quote.strip():
            place = locate(quote, self.text)
            if place is None:
                raise BadInput(_("This text is not in the source."), field="quote")
            draft = redrafted(kind, self._lines(*place))
            draft.kind = kind
        below = (i for i, other in enumerate(self.drafts) if other.start > draft.start)
        at = next(below, len(self.drafts)) if draft.end else len(self.drafts)
        self.drafts.insert(at, draft)
        return draft.key

    def _draft(self, key: str) -> Draft:
        """One of them. Raises Conflict when it is not there any more."""
        draft = next((draft for draft in self.drafts if draft.key == key), None)
        if draft is None:
            raise Conflict(_("This record no longer exists. Reload the page."))
        return draft

    def _lines(self, start: int, end: int) -> list[Line]:
        return [line for line in lines_of(self.text) if line.start < end and line.end > start]


def confirm(
    *,
    portfolio: Portfolio,
    source_ids: Collection[uuid.UUID],
    actor: Actor,
    leave_out: bool = False,
) -> OperationBatch | None:
    """Stores every draft of these sources as one batch, or nothing.

    What is incomplete is left out where that is wanted. Raises BadInput while a draft lacks
    something, Conflict when a source waits for nothing or others change the rows.
    """
    with transaction.atomic():
        to_check = Source.objects.filter(portfolio=portfolio, outcome=Source.Outcome.CHECK)
        sources = list(to_check.filter(pk__in=source_ids).select_for_update().order_by("given_at"))
        if not sources or len(sources) < len(set(source_ids)):
            raise Conflict(_("There is nothing left to check."))
        read = {source: _complete(source, leave_out=leave_out) for source in sources}
        batch, result = apply(read, actor)
        for source in sources:
            counts = counts_of(result, source)
            counts["left_out"] += source.told.get("left_out", 0)
            source.drafts, source.told = [], {**source.told, **counts}
            source.outcome, source.read_at = Source.Outcome.READ, timezone.now()
            source.save(update_fields=["drafts", "outcome", "read_at", "told"])
        if any(source.kind in VOICED for source in sources):
            ask_for_voice(portfolio)
        return batch


def _complete(source: Source, *, leave_out: bool) -> list[Draft]:
    """The drafts that can be stored. Raises BadInput where others are not to be left out."""
    drafts = finished(from_json(source.drafts))
    complete = [draft for draft in drafts if not draft.missing]
    if len(complete) < len(drafts) and not leave_out:
        raise BadInput(_("Some records are incomplete. Complete them or remove them."))
    for draft in complete:
        if draft.kind == "profile":
            draft.values["private_contact"] = contacts_of(source)
    return complete
