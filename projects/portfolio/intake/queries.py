"""Reads of sources: the door from an id to one, the list with how each stands."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from futura.errors import NotFound
from projects.portfolio.intake.drafts import Draft, from_json
from projects.portfolio.intake.failures import Code
from projects.portfolio.intake.plan import ENTITIES
from projects.portfolio.models import Portfolio, Source
from projects.portfolio.models.portfolio import Belonging

Kind, Outcome, Step = Source.Kind, Source.Outcome, Source.Step
OPEN: Final = (Outcome.WAITING, Outcome.READING)
ONE_AT_A_TIME: Final = frozenset({Kind.RESUME, Kind.PROFILE})
NAMES: Final[Mapping[str, str | Promise]] = {
    Kind.RESUME: gettext_lazy("Resume"),
    Kind.PROFILE: gettext_lazy("Profile"),
    Kind.README: gettext_lazy("Repository"),
    Kind.REPOSITORY_LIST: gettext_lazy("List of repositories"),
    Kind.CORPUS: gettext_lazy("Your voice"),
}
STEPS: Final[Mapping[str, str | Promise]] = {
    Step.FETCH: gettext_lazy("Taking out the text"),
    Step.UNDERSTAND: gettext_lazy("Understanding it"),
    Step.STORE: gettext_lazy("Writing it down"),
}
# what to do about a failure, beyond its reason
ADVICE: Final[Mapping[str, str | Promise]] = {
    Code.PDF_UNREADABLE: gettext_lazy("Save the PDF anew, or paste its text below."),
    Code.PDF_EMPTY: gettext_lazy("Paste its text, or export it from your word processor."),
    Code.REPO_NOT_FOUND: gettext_lazy(
        "Only repositories that everybody can see are read. Paste the README of another one."
    ),
    Code.EMPTY_README: gettext_lazy("Write a README there and read it again, or paste one."),
    Code.PAGE_UNAVAILABLE: gettext_lazy("Check the address, or paste the text of the page."),
    Code.ADDRESS_REFUSED: gettext_lazy("Only public addresses that begin with https:// are read."),
    Code.NO_RESUME: gettext_lazy("Put the headings into the text below and read it again."),
}
MADE: Final = {
    "portfolio_entry": (gettext_lazy("%(n)d entry"), gettext_lazy("%(n)d entries")),
    "portfolio_experience": (gettext_lazy("%(n)d position"), gettext_lazy("%(n)d positions")),
    "portfolio_education": (gettext_lazy("%(n)d school"), gettext_lazy("%(n)d schools")),
    "portfolio_award": (gettext_lazy("%(n)d award"), gettext_lazy("%(n)d awards")),
    "portfolio_credential": (
        gettext_lazy("%(n)d publication, certificate or language"),
        gettext_lazy("%(n)d publications, certificates and languages"),
    ),
    "portfolio_skill": (gettext_lazy("%(n)d skill"), gettext_lazy("%(n)d skills")),
    "portfolio_profile": (gettext_lazy("your profile"), gettext_lazy("your profile")),
    "portfolio_persona": (gettext_lazy("your voice"), gettext_lazy("your voice")),
}


@dataclass(frozen=True)
class Shown:
    """A source as its list shows it."""

    source: Source
    is_latest: bool = True

    @property
    def name(self) -> str:
        """What kind of thing it is."""
        return str(NAMES[self.source.kind])

    @property
    def place(self) -> str:
        """Where it lies, as people say it."""
        if self.source.kind == Kind.CORPUS:
            return _("from your profile, resume and examples")
        return self.source.place or _("pasted text")

    @property
    def short(self) -> str:
        """What it is, in a word or two: a repository by its name."""
        if self.source.kind == Kind.README:
            named = self.source.wish.get("name") or self.source.doc_id
            return _("README of %(name)s") % {"name": named}
        return self.name

    @property
    def is_open(self) -> bool:
        """It waits, or is being read."""
        return self.source.outcome in OPEN

    @property
    def is_to_check(self) -> bool:
        """Its records wait for their owner to confirm them."""
        return self.source.outcome == Outcome.CHECK

    @property
    def state(self) -> str:
        """What happens to it now; only of what is open."""
        if self.source.outcome == Outcome.WAITING:
            return _("Waiting for its turn")
        return str(STEPS.get(self.source.step, _("Beginning to read")))

    @property
    def by(self) -> str:
        """Who read it."""
        if self.source.method == Source.Method.MODEL:
            return _("read by %(model)s") % {"model": self.source.model or _("the model")}
        return _("read by rules") if self.source.method == Source.Method.RULES else ""

    @property
    def result(self) -> str:
        """What came of it, in a line."""
        counts: dict[str, Any] = self.source.told
        created = counts.get("made", {})
        parts = [_made(name, created[name]) for name in MADE if name in created]
        new = _("new: %(what)s") % {"what": ", ".join(parts)} if parts else ""
        rest = [
            words % {"n": counts[key]}
            for key, words in (
                ("changed", _("%(n)d changed")),
                ("gone", _("%(n)d gone")),
                ("same", _("%(n)d as before")),
                ("left_out", _("%(n)d that you deleted left out")),
            )
            if counts.get(key)
        ]
        return "; ".join(filter(None, [new, *rest]))

    @property
    def advice(self) -> str:
        """What helps against its failure."""
        return str(ADVICE.get(self.source.code, ""))

    @property
    def can_use_rules(self) -> bool:
        """Whether rules might read what the model did not."""
        code, method = self.source.code, self.source.method
        return method == Source.Method.MODEL and code.startswith("PREPROCESS_LLM")


@dataclass(frozen=True)
class Waiting:
    """A source whose drafts wait to be confirmed."""

    shown: Shown
    drafts: Sequence[Draft]

    @property
    def marks(self) -> int:
        """How many of its drafts lack something or are not sure."""
        return sum(bool(draft.missing or draft.unsure) for draft in self.drafts)


def _made(name: str, n: int) -> str:
    one, many = MADE[name]
    return str(one if n == 1 else many) % {"n": n}


def source_for(portfolio: Portfolio, source_id: uuid.UUID) -> Source:
    """A source of this very portfolio that its owner gave; NotFound for others."""
    own = Source.objects.filter(pk=source_id, portfolio=portfolio).exclude(given_at=None)
    shown = own.select_related("portfolio").first()
    if shown is None:
        raise NotFound
    return shown


def sources_of(portfolio: Portfolio) -> list[Shown]:
    """What the owner gave, the latest first; what the command read comes after. One query."""
    rows = (
        Source.objects.filter(portfolio=portfolio)
        .defer("text", "upload")
        .order_by(F("given_at").desc(nulls_last=True), "-read_at")
    )
    seen: set[str] = set()
    shown = []
    for row in rows:
        is_given_once = row.given_at is not None and row.kind in ONE_AT_A_TIME
        shown.append(Shown(row, not (is_given_once and row.kind in seen)))
        seen.add(row.kind)
    return shown


def to_check(portfolio: Portfolio) -> list[Waiting]:
    """What waits to be confirmed, in the order in which it was given. One query."""
    rows = Source.objects.filter(portfolio=portfolio, outcome=Outcome.CHECK)
    return [
        Waiting(Shown(row), from_json(row.drafts))
        for row in rows.defer("text", "upload").order_by("given_at")
    ]


def rows_from(source: Source) -> list[tuple[str, Belonging]]:
    """The living rows that were read from a source, each with the ledger's name of its kind."""
    return [
        (entity, row)
        for model, entity in ENTITIES.items()
        for row in model._default_manager.filter(
            source_id=source.pk, portfolio_id=source.portfolio_id, deleted_at=None
        )
    ]
