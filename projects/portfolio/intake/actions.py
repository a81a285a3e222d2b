"""Takes what an owner gives to be read; jobs read it. Nothing that was typed or sent is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio.intake import pdf
from projects.portfolio.intake.apply import remove_rows
from projects.portfolio.intake.docx import is_docx
from projects.portfolio.intake.failures import PreprocessError
from projects.portfolio.intake.git import BRANCH
from projects.portfolio.intake.repositories import address_of, listed, name_of, page_address
from projects.portfolio.intake.run import free_doc_id, wait, wait_for_repository
from projects.portfolio.models import Portfolio, Source

Kind = Source.Kind
PLACE_CHARS: Final = 200
SOURCES: Final = 400
"""Of one portfolio, with those that took the place of others."""


def give_text(*, portfolio: Portfolio, kind: Source.Kind, text: str) -> Source:
    """A resume or a profile as text. Raises BadInput."""
    content = _tidied(text, _("Paste the text, or choose a file."))
    with _one_more(portfolio):
        return wait(Source(portfolio=portfolio, kind=kind, text=content))


def give_file(*, portfolio: Portfolio, kind: Source.Kind, name: str, content: bytes) -> Source:
    """The same as a file: a PDF, a Word document or plain text, told by what is in it.

    Raises BadInput.
    """
    place = " ".join(storable(name).split())[-PLACE_CHARS:] or _("a file")
    if len(content) > pdf.LARGEST_BYTES:
        refusal = _("This file is larger than %(n)d MB.") % {"n": pdf.LARGEST_BYTES // 10**6}
        raise BadInput(refusal, field="file")
    source = Source(portfolio=portfolio, kind=kind, place=place)
    if content.lstrip()[:5].startswith(b"%PDF") or is_docx(content):
        source.upload = content
    elif (text := _text_in(content)) is not None:
        source.text = text
    else:
        raise BadInput(
            _(
                "This is neither a PDF nor a Word document (.docx) nor plain text. "
                "Save it as a PDF, or paste its words."
            ),
            field="file",
        )
    with _one_more(portfolio):
        return wait(source)


def _text_in(content: bytes) -> str | None:
    """A file's words when it is a text; None for everything else."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    strange = sum(not (one.isprintable() or one.isspace()) for one in text)
    if not text.strip() or strange > len(text) / 100 or len(text) > pdf.CHARS:
        return None
    return storable(text).replace("\r\n", "\n").strip()


def give_page(*, portfolio: Portfolio, kind: Source.Kind, address: str) -> Source:
    """A resume or a profile that stands on a web page. Raises BadInput."""
    place = _address(address, page_address)
    with _one_more(portfolio):
        return wait(Source(portfolio=portfolio, kind=kind, place=place))


def give_repository(
    *,
    portfolio: Portfolio,
    address: str,
    name: str = "",
    branch: str = "",
    companies: Sequence[str] = (),
) -> Source:
    """A repository or the page of a project; one that is there already is read again.

    Raises BadInput.
    """
    place = _address(address, address_of)
    if branch and not BRANCH.fullmatch(branch):
        raise BadInput(_("This is no name of a branch."), field="branch")
    wish = {"name": name, "branch": branch, "companies": list(companies)}
    with _one_more(portfolio):
        return wait_for_repository(portfolio, place, name_of(place), wish)


def give_readme(
    *, portfolio: Portfolio, text: str, name: str = "", companies: Sequence[str] = ()
) -> Source:
    """The README of a repository that nobody else can see. Raises BadInput."""
    content = _tidied(text, _("Write an address, or paste the README."))
    first = next((line.lstrip("# ") for line in content.splitlines() if line.strip()), "")
    doc_id = slugify(name or first)[:60].strip("-_") or "project"
    wish = {"name": name, "companies": list(companies)}
    with _one_more(portfolio):
        source = Source(portfolio=portfolio, kind=Kind.README, text=content)
        source.doc_id = free_doc_id(portfolio, doc_id)
        source.wish = {key: value for key, value in wish.items() if value}
        return wait(source)


def give_list(*, portfolio: Portfolio, text: str = "", address: str = "") -> Source:
    """A list of repositories: lines, JSON, or the address of JSON. Raises BadInput."""
    if address:
        source = Source(place=_address(address, address_of))
    else:
        source = Source(text=_tidied(text, _("Write the repositories, or the address of a list.")))
        try:
            listed(source.text)
        except PreprocessError as error:
            raise BadInput(error.reason, field="text") from error
    source.portfolio, source.kind = portfolio, Kind.REPOSITORY_LIST
    with _one_more(portfolio):
        return wait(source)


def _tidied(text: str, refusal: str) -> str:
    content = storable(text).replace("\r\n", "\n").strip()
    if not content:
        raise BadInput(refusal, field="text")
    return content


def _address(typed: str, read: Callable[[str], str]) -> str:
    try:
        return read(typed)
    except PreprocessError as error:
        raise BadInput(error.reason, field="address") from error


@contextmanager
def _one_more(portfolio: Portfolio) -> Iterator[None]:
    """A transaction. Raises BadInput where a portfolio has too many sources."""
    with transaction.atomic():
        if Source.objects.filter(portfolio=portfolio).exclude(given_at=None).count() >= SOURCES:
            content = _("There are %(n)d sources already. Take away what is not needed any more.")
            raise BadInput(content % {"n": SOURCES})
        yield


def read_again(*, source: Source, is_by_rules: bool = False) -> Source:
    """Reads it once more, where it lies now. What a person put right stays."""
    with transaction.atomic():
        return wait(source, is_by_rules=is_by_rules)


def change_text(*, source: Source, text: str) -> Source:
    """Another text, which is read. Raises BadInput for none."""
    content = _tidied(text, _("This cannot be empty."))
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
