"""What an owner does with sources: gives them to be read, corrects and confirms what was read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict
from futura.limits import storable
from futura.text import locate
from projects.portfolio.intake import extract
from projects.portfolio.intake.basic.resume import redrafted
from projects.portfolio.intake.basic.sections import Line, lines_of
from projects.portfolio.intake.drafts import KINDS, Draft, as_json, finished, from_json
from projects.portfolio.intake.fetch import address_of, name_of, page_address
from projects.portfolio.intake.plan import apply
from projects.portfolio.intake.reading import VOICED, ask_for_voice, contacts_of, wait
from projects.portfolio.models import Entry, Portfolio, Source
from projects.portfolio.schema.kinds import free

Kind = Source.Kind
PLACE_CHARS: Final = 200
SOURCES: Final = 400
"""Of one portfolio, with those that took the place of others."""


@transaction.atomic
def give(
    *,
    portfolio: Portfolio,
    kind: Source.Kind,
    text: str = "",
    address: str = "",
    file: Any = None,
    instead: uuid.UUID | None = None,
) -> Source:
    """A file that was sent, a web address or a text, to be read; a repository or a page about a
    project that was given before is read again. Raises BadInput.

    A source that could not be read makes room, when it is given `instead`.
    """
    if sum(map(bool, (file, address, text.strip()))) > 1:
        raise BadInput(_("Give a file, an address or a text, not several at once."))
    source = Source(portfolio=portfolio, kind=kind)
    is_project = kind == Kind.README
    if file:
        _put_file(source, file)
    elif address:
        source.place = address_of(address) if is_project else page_address(address)
    elif content := storable(text).replace("\r\n", "\n").strip():
        source.text = content
    else:
        file_refusal = _("Paste the text, or choose a file.")
        refusal = _("Enter an address, or paste the README.") if is_project else file_refusal
        raise BadInput(refusal, field="text")
    given = Source.objects.filter(portfolio=portfolio).exclude(given_at=None)
    before = given.filter(kind=kind, place=source.place).first() if is_project and address else None
    failed = given.filter(pk__in=[instead] if instead else (), outcome=Source.Outcome.FAILED)
    others = given.exclude(pk__in=failed.values("pk"))
    if before is None and others.count() >= SOURCES:
        refusal = _("There are already %(n)d sources. Delete some first.")
        raise BadInput(refusal % {"n": SOURCES})
    if before is None and is_project:
        source.doc_id = _project_id(source, others.filter(kind=kind))
    asked = before or source
    with transaction.atomic():
        failed.exclude(pk=asked.pk).delete()
        return wait(asked)


def _project_id(source: Source, given: QuerySet[Source]) -> str:
    """One that no other source is read under, and no entry has that was made by hand."""
    heading = next((line.lstrip("# ") for line in source.text.splitlines() if line.strip()), "")
    name = name_of(source.place) if source.place else slugify(heading)[:60].strip("-_")
    by_hand = Entry.objects.filter(portfolio=source.portfolio, deleted_at=None, source=None)
    taken = {row.doc_id for rows in (given, by_hand) for row in rows.only("doc_id")}
    return free(name or "project", taken)


def _put_file(source: Source, file: Any) -> None:
    """A PDF, a Word document or plain text, told by what is in it. Raises BadInput."""
    source.place = " ".join(storable(file.name).split())[-PLACE_CHARS:] or _("a file")
    content: bytes = file.read(extract.LARGEST_BYTES + 1)
    if len(content) > extract.LARGEST_BYTES:
        refusal = _("This file is larger than %(n)d MB.") % {"n": extract.LARGEST_BYTES // 10**6}
        raise BadInput(f"{source.place}: {refusal}", field="file")
    if extract.is_pdf(content) or extract.is_docx(content):
        source.upload = content
    elif text := _text_in(content):
        source.text = text
    else:
        refusal = _(
            "This file is not a PDF, a Word document (.docx) or plain text (UTF-8). Save it as a "
            "PDF, or paste its text."
        )
        raise BadInput(f"{source.place}: {refusal}", field="file")


def _text_in(content: bytes) -> str:
    """A file's words when it is a text in UTF-8; empty for everything else."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    if text.startswith("{\\rtf"):
        return ""
    strange = sum(not (letter.isprintable() or letter.isspace()) for letter in text)
    if strange > len(text) / 100 or len(text) > extract.CHARS:
        return ""
    return storable(text).replace("\r\n", "\n").strip()


# Checking what was read --------------------------------------------------------------------------
@contextmanager
def changing(source_id: uuid.UUID) -> Iterator[Check]:
    """The drafts of a source, locked, and stored afterwards. Raises Conflict without any."""
    with transaction.atomic():
        source = _to_check(source_id)
        check = Check(source.text, from_json(source.drafts))
        yield check
        source.drafts = as_json(finished(check.drafts))
        source.save(update_fields=["drafts"])


@dataclass
class Check:
    text: str
    drafts: list[Draft]

    def correct(self, key: str, kind: str, values: Mapping[str, Any]) -> None:
        """Other values for a draft, which are its owner's from then on; or another kind, as which
        its lines are read once more."""
        place = self._place(key)
        draft = self.drafts[place]
        if kind != draft.kind and kind in KINDS:
            again = redrafted(kind, self._lines(draft.start, draft.end))
            self.drafts[place] = replace(again, key=key, start=draft.start, end=draft.end)
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
        del self.drafts[self._place(key)]

    def fuse(self, key: str) -> None:
        """Makes one of a draft and the one above it. Raises BadInput for the first."""
        place = self._place(key)
        if place == 0:
            raise BadInput(_("There is no previous record."))
        above, draft = self.drafts[place - 1], self.drafts.pop(place)
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

    def split(self, key: str, at: int) -> None:
        """Makes two of a draft, the second from the line that begins at this place of the source.

        Raises BadInput for a place that is no line of it but the first.
        """
        place = self._place(key)
        draft = self.drafts[place]
        lines = [line for line in self._lines(draft.start, draft.end) if line.text]
        places = [line.start for line in lines]
        if at not in places[1:]:
            raise BadInput(_("Select the line where the second record starts."))
        cut = places.index(at)
        parts = [redrafted(draft.kind, lines[:cut]), redrafted(draft.kind, lines[cut:])]
        parts[0].key = key
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
        below = (i for i, other in enumerate(self.drafts) if other.start > draft.start)
        at = next(below, len(self.drafts)) if draft.end else len(self.drafts)
        self.drafts.insert(at, draft)
        return draft.key

    def _place(self, key: str) -> int:
        """Of one of them. Raises Conflict when it is not there any more."""
        keys = [draft.key for draft in self.drafts]
        if key not in keys:
            raise Conflict(_("This record no longer exists. Reload the page."))
        return keys.index(key)

    def _lines(self, start: int, end: int) -> list[Line]:
        return [line for line in lines_of(self.text) if line.start < end and line.end > start]


@transaction.atomic
def confirm(
    *, source_id: uuid.UUID, actor: Actor, leave_out: bool = False, keeps: bool = False
) -> OperationBatch | None:
    """Stores every draft of a source as one batch, or nothing.

    What is incomplete is left out where that is wanted; what an earlier resume said alone stays
    where that is (`keeps`). Raises BadInput while a draft lacks something, Conflict when the source
    waits for nothing or others change the rows.
    """
    source = _to_check(source_id)
    batch = apply(source, _complete(source, leave_out=leave_out), actor, keeps=keeps)
    source.drafts, source.outcome, source.read_at = [], Source.Outcome.READ, timezone.now()
    source.save(update_fields=["drafts", "outcome", "read_at"])
    if source.kind in VOICED:
        ask_for_voice(source.portfolio)
    return batch


def _to_check(source_id: uuid.UUID) -> Source:
    """A source whose drafts wait, locked. Raises Conflict."""
    waiting = Source.objects.filter(pk=source_id, outcome=Source.Outcome.CHECK)
    source = waiting.select_for_update().first()
    if source is None:
        raise Conflict(_("There is nothing left to check."))
    return source


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
