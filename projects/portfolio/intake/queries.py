"""Reads of sources: the door from an id to one, the list with how each stands."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from futura.rows import only
from projects.portfolio.intake.failures import Code
from projects.portfolio.models import Portfolio, Source

Kind, Outcome = Source.Kind, Source.Outcome
NAMES: Final[Mapping[str, str | Promise]] = {
    Kind.RESUME: gettext_lazy("Resume"),
    Kind.PROFILE: gettext_lazy("Profile"),
    Kind.README: gettext_lazy("Repository"),
    Kind.REPOSITORY_LIST: gettext_lazy("Repository list"),
    Kind.CORPUS: gettext_lazy("Your voice"),
}
# what to do about a failure, beyond its reason
ADVICE: Final[Mapping[str, str | Promise]] = {
    Code.REPO_NOT_FOUND: gettext_lazy(
        "Only public repositories can be read. Paste the README of a private one."
    ),
    Code.EMPTY_README: gettext_lazy(
        "Add a README to the repository and read it again, or paste one."
    ),
    Code.PAGE_UNAVAILABLE: gettext_lazy("Check the address, or paste the text of the page."),
    Code.ADDRESS_REFUSED: gettext_lazy("Check the address, or paste the text of the page."),
}


@dataclass(frozen=True)
class SourceRow:
    """A source as its list shows it."""

    source: Source

    @property
    def name(self) -> str:
        return str(NAMES[self.source.kind])

    @property
    def place(self) -> str:
        if self.source.kind == Kind.CORPUS:
            return _("from your profile, resume and examples")
        pasted = _("pasted text")
        if self.source.kind == Kind.README:  # of which there may be several
            pasted = f"{pasted}: {self.source.doc_id}"
        return self.source.place or pasted

    @property
    def is_open(self) -> bool:
        return self.source.outcome in {Outcome.WAITING, Outcome.READING}

    @property
    def by(self) -> str:
        if self.source.method == Source.Method.MODEL:
            return _("read by %(model)s") % {"model": self.source.model or _("a model")}
        return _("read without a model") if self.source.method == Source.Method.RULES else ""

    @property
    def advice(self) -> str:
        return str(ADVICE.get(self.source.code, ""))


def source_for(portfolio: Portfolio, source_id: uuid.UUID) -> Source:
    """A source of this very portfolio that its owner gave; NotFound for others."""
    own = Source.objects.filter(pk=source_id, portfolio=portfolio).exclude(given_at=None)
    return only(own.select_related("portfolio"))


def sources_of(portfolio: Portfolio) -> list[SourceRow]:
    """What the owner gave, the latest first; what the command read comes after. One query."""
    rows = Source.objects.filter(portfolio=portfolio).defer("text", "upload", "drafts")
    return [*map(SourceRow, rows.order_by(F("given_at").desc(nulls_last=True), "-read_at"))]
