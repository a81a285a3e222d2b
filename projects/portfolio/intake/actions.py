"""Takes what an owner gives to be read; jobs read it. Nothing that was typed or sent is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from chat.operations.changes import Actor
from chat.operations.models import OperationBatch
from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio.intake import apply as applying
from projects.portfolio.intake import pdf
from projects.portfolio.intake.docx import is_docx
from projects.portfolio.intake.failures import PreprocessError
from projects.portfolio.intake.git import BRANCH
from projects.portfolio.intake.repositories import RepoConfig, address_of, listed, name_of
from projects.portfolio.intake.run import free_doc_id, wait, wait_for_repository
from projects.portfolio.intake.voice import exchanges_in
from projects.portfolio.models import Portfolio, Source

Kind, Outcome = Source.Kind, Source.Outcome
PLACE_CHARS: Final = 200
SOURCES: Final = 400
"""Of one portfolio, with those that took the place of others."""


def give_text(*, portfolio: Portfolio, kind: Source.Kind, text: str) -> Source:
    """A resume, a profile or voice examples as text. Raises BadInput."""
    told = storable(text).replace("\r\n", "\n").strip()
    if not told:
        raise BadInput(_("Paste the text, or choose a file."), field="text")
    if kind == Kind.VOICE and (fault := exchanges_in(told).fault):
        raise BadInput(fault, field="text")
    with transaction.atomic():
        _refuse_too_many(portfolio)
        return wait(Source(portfolio=portfolio, kind=kind, text=told))


def give_file(*, portfolio: Portfolio, kind: Source.Kind, name: str, content: bytes) -> Source:
    """The same as a file: a PDF, a Word document or plain text, told by what is in it.

    Raises BadInput.
    """
    place = " ".join(storable(name).split())[-PLACE_CHARS:] or _("a file")
    if len(content) > pdf.LARGEST_BYTES:
        told = _("This file is larger than %(n)d MB.") % {"n": pdf.LARGEST_BYTES // 10**6}
        raise BadInput(told, field="file")
    if content.lstrip()[:5].startswith(b"%PDF") or is_docx(content):
        with transaction.atomic():
            _refuse_too_many(portfolio)
            return wait(Source(portfolio=portfolio, kind=kind, place=place, upload=content))
    text = _plain(content)
    if text is None:
        raise BadInput(
            _(
                "This is neither a PDF nor a Word document (.docx) nor plain text. "
                "Save it as a PDF, or paste its words."
            ),
            field="file",
        )
    with transaction.atomic():
        _refuse_too_many(portfolio)
        return wait(Source(portfolio=portfolio, kind=kind, place=place, text=text))


def _plain(content: bytes) -> str | None:
    """A file's words when it is a text; None for everything else."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    strange = sum(not (one.isprintable() or one.isspace()) for one in text)
    if not text.strip() or strange > len(text) / 100 or len(text) > pdf.CHARS:
        return None
    return storable(text).replace("\r\n", "\n").strip()


def give_repository(
    *,
    portfolio: Portfolio,
    address: str,
    name: str = "",
    branch: str = "",
    companies: Sequence[str] = (),
) -> Source:
    """A repository by its address; one that is there already is read again. Raises BadInput."""
    place = _address(address, "address")
    if branch and not BRANCH.fullmatch(branch):
        raise BadInput(_("This is no name of a branch."), field="branch")
    repo = RepoConfig(repo=place, project_id=name_of(place))
    wish = {"name": name, "branch": branch, "companies": list(companies)}
    with transaction.atomic():
        _refuse_too_many(portfolio)
        return wait_for_repository(portfolio, place, repo, wish)


def give_readme(
    *, portfolio: Portfolio, text: str, name: str = "", companies: Sequence[str] = ()
) -> Source:
    """The README of a repository that nobody else can see. Raises BadInput."""
    told = storable(text).replace("\r\n", "\n").strip()
    if not told:
        raise BadInput(_("Write an address, or paste the README."), field="text")
    first = next((line.lstrip("# ") for line in told.splitlines() if line.strip()), "")
    wanted = slugify(name or first)[:60].strip("-_") or "project"
    wish = {"name": name, "companies": list(companies)}
    with transaction.atomic():
        _refuse_too_many(portfolio)
        source = Source(portfolio=portfolio, kind=Kind.README, text=told)
        source.doc_id = free_doc_id(portfolio, wanted)
        source.wish = {key: value for key, value in wish.items() if value}
        return wait(source)


def give_list(*, portfolio: Portfolio, text: str = "", address: str = "") -> Source:
    """A list of repositories: lines, JSON, or the address of JSON. Raises BadInput."""
    told = storable(text).replace("\r\n", "\n").strip()
    if address:
        place = _address(address, "address")
    elif told:
        place = ""
        try:
            listed(told)
        except PreprocessError as error:
            raise BadInput(error.reason, field="text") from error
    else:
        raise BadInput(_("Write the repositories, or the address of a list."), field="text")
    with transaction.atomic():
        _refuse_too_many(portfolio)
        source = Source(portfolio=portfolio, kind=Kind.REPOSITORY_LIST, place=place, text=told)
        return wait(source)


def _address(told: str, field: str) -> str:
    try:
        return address_of(told)
    except PreprocessError as error:
        raise BadInput(error.reason, field=field) from error


def _refuse_too_many(portfolio: Portfolio) -> None:
    if Source.objects.filter(portfolio=portfolio).exclude(given_at=None).count() >= SOURCES:
        told = _("There are %(n)d sources already. Take away what is not needed any more.")
        raise BadInput(told % {"n": SOURCES})


def read_again(*, source: Source, is_by_rules: bool = False) -> Source:
    """Reads it once more, where it lies now. What a person put right stays."""
    with transaction.atomic():
        return wait(source, is_by_rules=is_by_rules)


def change_text(*, source: Source, text: str) -> Source:
    """Another text, which is read. Raises BadInput for none."""
    told = storable(text).replace("\r\n", "\n").strip()
    if not told:
        raise BadInput(_("This cannot be empty."), field="text")
    if source.kind == Kind.VOICE and (fault := exchanges_in(told).fault):
        raise BadInput(fault, field="text")
    with transaction.atomic():
        source.text, source.upload = told, None
        return wait(source)


def remove_source(
    *, source: Source, actor: Actor, with_rows: bool = False
) -> OperationBatch | None:
    """Forgets a source and its text; with what was read from it where that is wanted."""
    with transaction.atomic():
        batch = applying.remove_rows(source, actor) if with_rows else None
        source.delete()
    return batch
