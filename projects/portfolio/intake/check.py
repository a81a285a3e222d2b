"""What an owner does with drafts before they are stored: correct, fuse, split, add, confirm."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
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
from projects.portfolio.intake.apply import apply
from projects.portfolio.intake.basic import profile as basic_profile
from projects.portfolio.intake.basic import resume as basic_resume
from projects.portfolio.intake.basic.headings import Line, lines_of
from projects.portfolio.intake.drafts import (
    KINDS,
    Draft,
    as_json,
    corpus_of,
    from_json,
    identified,
)
from projects.portfolio.intake.run import VOICED, ask_for_voice
from projects.portfolio.models import Source


@dataclass
class Check:
    """The drafts of one source while they are being changed."""

    source: Source
    drafts: list[Draft]

    def draft(self, key: str) -> Draft:
        """One of them. Raises Conflict when it is not there any more."""
        source_row = next((one for one in self.drafts if one.key == key), None)
        if source_row is None:
            raise Conflict(_("This record is not there any more. Look at the page as it is now."))
        return source_row

    def before(self, draft: Draft) -> Draft | None:
        """The draft above it on the page."""
        at = self.drafts.index(draft)
        return self.drafts[at - 1] if at else None


@contextmanager
def changing(source_id: uuid.UUID) -> Iterator[Check]:
    """The drafts of a source, locked, and stored afterwards. Raises Conflict without any."""
    with transaction.atomic():
        source = Source.objects.select_for_update(of=("self",)).select_related("portfolio")
        source_row = source.filter(pk=source_id, outcome=Source.Outcome.CHECK).first()
        if source_row is None:
            raise Conflict(_("There is nothing to check any more."))
        check = Check(source_row, from_json(source_row.drafts))
        yield check
        source_row.drafts = as_json(check.drafts)
        source_row.save(update_fields=["drafts"])


def correct(*, source_id: uuid.UUID, key: str, kind: str, values: Mapping[str, Any]) -> None:
    """Other values for a draft, or another kind, which are its owner's from then on."""
    with changing(source_id) as check:
        draft = check.draft(key)
        if kind != draft.kind and kind in KINDS:
            _become(check, draft, kind)
            return
        changed = {name: one for name, one in values.items() if draft.values.get(name, "") != one}
        draft.values |= changed
        draft.corrected = sorted({*draft.corrected, *changed})
        draft.unsure = [name for name in draft.unsure if not draft.values.get(name)]


def _become(check: Check, draft: Draft, kind: str) -> None:
    """Reads its lines once more as another kind of record."""
    at = check.drafts.index(draft)
    again = basic_resume.redrafted(kind, _lines(check, draft.start, draft.end))
    again.kind, again.key = kind, draft.key
    again.start, again.end = draft.start, draft.end
    check.drafts[at] = again
    identified(check.drafts)


def _lines(check: Check, start: int, end: int) -> list[Line]:
    return [one for one in lines_of(check.source.text) if one.start < end and one.end > start]


def remove(*, source_id: uuid.UUID, key: str) -> None:
    """Leaves a draft out."""
    with changing(source_id) as check:
        check.drafts.remove(check.draft(key))


def fuse(*, source_id: uuid.UUID, key: str) -> None:
    """Makes one of a draft and the one above it. Raises BadInput for the first."""
    with changing(source_id) as check:
        draft = check.draft(key)
        above = check.before(draft)
        if above is None:
            raise BadInput(_("There is no record above this one."))
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
        above.unsure = [name for name in above.unsure if not above.values.get(name)]
        above.unsure = [name for name in above.unsure if name != "kind" or not above.kind]
        check.drafts.remove(draft)
        identified(check.drafts)


def split(*, source_id: uuid.UUID, key: str, at: int) -> None:
    """Makes two of a draft, the second from the line that begins at this place of the source.

    Raises BadInput for a place that is no line of it but the first.
    """
    with changing(source_id) as check:
        draft = check.draft(key)
        lines = [one for one in _lines(check, draft.start, draft.end) if one.text]
        places = [one.start for one in lines]
        if at not in places[1:]:
            raise BadInput(_("Choose the line with which the second record begins."))
        cut = places.index(at)
        parts = [
            basic_resume.redrafted(draft.kind, lines[:cut]),
            basic_resume.redrafted(draft.kind, lines[cut:]),
        ]
        for part in parts:
            part.kind = draft.kind
        parts[0].key = draft.key
        place = check.drafts.index(draft)
        check.drafts[place : place + 1] = parts
        identified(check.drafts)


def add(*, source_id: uuid.UUID, kind: str, quote: str) -> str:
    """A draft of this kind from words of the source, or an empty one; its key. Raises BadInput."""
    if kind not in KINDS:
        raise BadInput(_("Choose what it is."), field="kind")
    with changing(source_id) as check:
        draft = Draft(kind)
        if quote.strip():
            place = locate(quote, check.source.text)
            if place is None:
                raise BadInput(_("These words do not stand in the source."), field="quote")
            draft = basic_resume.redrafted(kind, _lines(check, *place))
            draft.kind = kind
        at = next(
            (i for i, one in enumerate(check.drafts) if draft.end and one.start > draft.start),
            len(check.drafts),
        )
        check.drafts.insert(at, draft)
        if quote.strip():
            identified(check.drafts)
        return draft.key


def confirm(
    *, source_id: uuid.UUID, actor: Actor, leave_out: bool = False
) -> OperationBatch | None:
    """Stores every draft, or nothing; what is incomplete is left out where that is wanted.

    Raises BadInput while a draft lacks something, Conflict when others change the rows.
    """
    with changing(source_id) as check:
        source = check.source
        complete = [one for one in identified(check.drafts) if not one.missing]
        if len(complete) < len(check.drafts) and not leave_out:
            raise BadInput(_("Some records lack something. Fill it in, or leave them out."))
        corpus = corpus_of(complete, source.portfolio.owner_name)
        corpus.private_contact = _contacts(source)
        corrected = {one.doc_id: one.corrected for one in complete if one.corrected}
        batch, counts = apply(source, corpus, corrected, actor)
        check.drafts = []
        source.outcome, source.read_at = Source.Outcome.READ, timezone.now()
        counts["left_out"] += source.told.get("left_out", 0)
        source.told = {**source.told, **counts}
        source.save(update_fields=["outcome", "read_at", "told"])
        if source.kind in VOICED:
            ask_for_voice(source.portfolio)
        return batch


def _contacts(source: Source) -> list[str]:
    """How somebody could be reached, which stays private; of a resume, what stands at its head."""
    if source.kind == Source.Kind.RESUME:
        return basic_resume.contacts_of(source.text)
    return basic_profile.contacts_of(source.text)
