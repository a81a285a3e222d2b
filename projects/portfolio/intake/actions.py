"""Takes what an owner gives to be read; jobs read it. Nothing that was typed or sent is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio.intake import extract
from projects.portfolio.intake.apply import remove_rows
from projects.portfolio.intake.failures import PreprocessError
from projects.portfolio.intake.git import BRANCH
from projects.portfolio.intake.repositories import addresses_in, name_of, page_address
from projects.portfolio.intake.run import wait
from projects.portfolio.models import Entry, Portfolio, Source

T = TypeVar("T")
Kind = Source.Kind
PLACE_CHARS: Final = 200
SOURCES: Final = 400
"""Of one portfolio, with those that took the place of others."""


def give(
    *,
    portfolio: Portfolio,
    kind: Source.Kind,
    text: str = "",
    address: str = "",
    files: Sequence[Any] = (),
) -> list[Source]:
    """Resumes or profiles: files that were sent, all or none of them; or one, at a web address or
    as text.

    Raises BadInput.
    """
    sources = [_from_file(Source(portfolio=portfolio, kind=kind), file) for file in files]
    if not sources:
        source = Source(portfolio=portfolio, kind=kind)
        if address:
            source.place = _address(address, page_address)
        else:
            source.text = _tidied(text, _("Paste the text, or choose a file."))
        sources = [source]
    with _more(portfolio, len(sources)):
        return [wait(source) for source in sources]


def _from_file(source: Source, file: Any) -> Source:
    """A PDF, a Word document or plain text, told by what is in it. Raises BadInput."""
    source.place = " ".join(storable(file.name).split())[-PLACE_CHARS:] or _("a file")
    content: bytes = file.read(extract.LARGEST_BYTES + 1)
    if len(content) > extract.LARGEST_BYTES:
        refusal = _("This file is larger than %(n)d MB.") % {"n": extract.LARGEST_BYTES // 10**6}
        raise BadInput(f"{source.place}: {refusal}", field="file")
    if extract.is_pdf(content) or extract.is_docx(content):
        source.upload = content
        return source
    source.text = _text_in(content)
    if not source.text:
        refusal = _(
            "This file is not a PDF, a Word document (.docx) or plain text. Save it as a "
            "PDF, or paste its text."
        )
        raise BadInput(f"{source.place}: {refusal}", field="file")
    return source


def _text_in(content: bytes) -> str:
    """A file's words when it is a text; empty for everything else."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    strange = sum(not (letter.isprintable() or letter.isspace()) for letter in text)
    if strange > len(text) / 100 or len(text) > extract.CHARS:
        return ""
    return storable(text).replace("\r\n", "\n").strip()


def give_projects(
    *, portfolio: Portfolio, text: str = "", address: str = "", wish: Mapping[str, Any]
) -> list[Source]:
    """Repositories or pages of projects, one on each line, each a source that is read again where
    it is there already; or the README of a repository that nobody else can see.

    `wish`: the name of the entry, a branch, companies. Raises BadInput.
    """
    if not BRANCH.fullmatch(wish.get("branch") or "main"):
        raise BadInput(_("This is not a valid branch name."), field="branch")
    if places := _address(address, addresses_in):
        if len(places) > 1 and wish.get("name"):
            raise BadInput(_("A title can be given for one project only."), field="name")
        with _more(portfolio, len(places)):
            return [_repository(portfolio, place, wish) for place in places]
    content = _tidied(text, _("Enter an address, or paste the README."))
    first = next((line.lstrip("# ") for line in content.splitlines() if line.strip()), "")
    doc_id = slugify(wish.get("name") or first)[:60].strip("-_") or "project"
    with _more(portfolio):
        return [_named(Source(portfolio=portfolio, kind=Kind.README, text=content), doc_id, wish)]


def _repository(portfolio: Portfolio, place: str, wish: Mapping[str, Any]) -> Source:
    """The source of this address, new or again, waiting. Within a transaction."""
    same = Source.objects.filter(portfolio=portfolio, kind=Kind.README, place=place)
    new = Source(portfolio=portfolio, kind=Kind.README, place=place)
    return _named(same.exclude(given_at=None).first() or new, name_of(place), wish)


def _named(source: Source, doc_id: str, wish: Mapping[str, Any]) -> Source:
    """A source of an entry, waiting, with a free id for the entry where it has none."""
    source.doc_id = source.doc_id or _free_doc_id(source.portfolio, doc_id)
    source.wish = {name: value for name, value in wish.items() if value}
    return wait(source)


def _free_doc_id(portfolio: Portfolio, project_id: str) -> str:
    """An id that no other source is read under, and no entry has that was made by hand."""
    sources = Source.objects.filter(portfolio=portfolio, kind=Kind.README)
    taken = set(sources.exclude(given_at=None).values_list("doc_id", flat=True))
    by_hand = Entry.objects.filter(portfolio=portfolio, deleted_at=None, source=None)
    taken |= set(by_hand.values_list("doc_id", flat=True))
    doc_id, number = project_id[:100], 1
    while doc_id in taken:
        number += 1
        doc_id = f"{project_id[:90]}-{number}"
    return doc_id


def _tidied(text: str, refusal: str) -> str:
    content = storable(text).replace("\r\n", "\n").strip()
    if not content:
        raise BadInput(refusal, field="text")
    return content


def _address(typed: str, read: Callable[[str], T]) -> T:
    try:
        return read(typed)
    except PreprocessError as error:
        raise BadInput(error.reason, field="address") from error


@contextmanager
def _more(portfolio: Portfolio, count: int = 1) -> Iterator[None]:
    """A transaction. Raises BadInput where a portfolio would have too many sources."""
    with transaction.atomic():
        given = Source.objects.filter(portfolio=portfolio).exclude(given_at=None).count()
        if given + count > SOURCES:
            refusal = _("There are already %(n)d sources. Delete some first.")
            raise BadInput(refusal % {"n": given})
        yield


def read_again(*, source: Source, is_by_rules: bool = False) -> Source:
    """Reads it once more, where it lies now. What a person put right stays."""
    with transaction.atomic():
        return wait(source, is_by_rules=is_by_rules)


def change_text(*, source: Source, text: str) -> Source:
    """Another text, which is read. Raises BadInput for none."""
    content = _tidied(text, _("This field is required."))
    with transaction.atomic():
        source.text, source.upload = content, None
        return wait(source)


def remove_source(
    *, source: Source, actor: Actor, with_rows: bool = False
) -> OperationBatch | None:
    """Forgets a source and its text; with what was read from it where that is wanted."""
    with transaction.atomic():
        batch = remove_rows(source, actor) if with_rows else None
        source.delete()
    return batch
