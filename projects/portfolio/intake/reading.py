"""Reads one source: fetches or takes out its text, then understands it as drafts.

Nothing is stored here; what comes out waits to be checked.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from django.utils.translation import gettext as _

from futura.llm.client import Llm
from projects.portfolio.corpus import PersonaSummary
from projects.portfolio.intake import prompts
from projects.portfolio.intake.apply import rows_of
from projects.portfolio.intake.basic import profile as profiles
from projects.portfolio.intake.config import GitHub, Owner
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.failures import (
    Code,
    PreprocessError,
    Retries,
    Skipped,
    Warned,
)
from projects.portfolio.intake.fetch import PUBLIC, UrlPolicy
from projects.portfolio.intake.git import Readme, find_readme
from projects.portfolio.intake.measure import Measure
from projects.portfolio.intake.readers import Reader
from projects.portfolio.intake.repositories import (
    RepoConfig,
    listed,
    page_of,
    read_list,
)
from projects.portfolio.intake.sandbox import text_apart
from projects.portfolio.intake.voice import exchanges_in
from projects.portfolio.intake.webpage import read_page
from projects.portfolio.models import Portfolio, Source

RETRIES: Final = Retries(maxRetries=1, retryDelayMs=500, retryBackoffMultiplier=2)
POLICY: UrlPolicy = PUBLIC
"""Addresses that people type lead to the public internet only."""
VERSIONS: Final = {
    Source.Kind.RESUME: prompts.RESUME_VERSION,
    Source.Kind.PROFILE: prompts.PROFILE_VERSION,
    Source.Kind.README: prompts.README_VERSION,
    Source.Kind.CORPUS: prompts.PERSONA_VERSION,
}
T = TypeVar("T")
Kind, Outcome, Step = Source.Kind, Source.Outcome, Source.Step
_READ_BY_PERSON: Final = frozenset({Kind.VOICE, Kind.REPOSITORY_LIST})


@dataclass
class Result:
    """What a source says: drafts to be checked, or what is stored at once."""

    text: str = ""
    path: str = ""
    commit: str = ""
    drafts: Sequence[Draft] = ()
    counts: dict[str, Any] = field(default_factory=dict)
    persona: PersonaSummary | None = None
    repositories: Sequence[RepoConfig] = ()


@dataclass
class Reading:
    """One reading of one source; `at` hears of each step as it begins, `keep` of a file's text.

    `token` and `api_url` are of the forge at which a repository lies.
    """

    source: Source
    reader: Reader
    policy: UrlPolicy
    measure: Measure | None = None
    at: Callable[[Source.Step], None] = lambda _step: None
    keep: Callable[[str], None] = lambda _text: None
    token: str = ""
    api_url: str = ""

    def read(self) -> Result:
        """Everything the source says. Raises PreprocessError, Skipped."""
        return _READERS[Kind(self.source.kind)](self)

    @property
    def method(self) -> Source.Method:
        """Who understands it."""
        if self.source.kind in _READ_BY_PERSON:
            return Source.Method.PERSON
        return Source.Method.MODEL if self.reader.has_model else Source.Method.RULES

    def fields(self, result: Result) -> dict[str, Any]:
        """What was read, by the fields of the source."""
        text = result.text or self.source.text
        version = VERSIONS.get(Kind(self.source.kind), "") if self.reader.has_model else ""
        return {
            "text": text,
            "upload": None,
            "sha256": hashlib.sha256(text.encode()).hexdigest() if text else "",
            "commit": result.commit,
            "method": self.method,
            "prompt_version": version,
        }

    def understood(self, call: Callable[[], T]) -> T:
        """One step of understanding, measured."""
        self.at(Step.UNDERSTAND)
        if self.measure is None:
            return call()
        with self.measure.item(self.source.kind, self.source.place, method=self.method.value):
            return call()

    def text(self) -> str:
        """What was pasted, stands in the file that was sent, or on the page at the address."""
        source = self.source
        if source.upload:
            self.at(Step.FETCH)
            text = text_apart(bytes(source.upload), source.place)
            self.keep(text)
            return text
        if _is_address(source.place):
            self.at(Step.FETCH)
            return read_page(source.place, self.policy)
        return source.text


def reading_of(
    source: Source, at: Callable[[Source.Step], None], keep: Callable[[str], None]
) -> Reading:
    """The reading of what an owner gave on a page."""
    run_id = uuid.uuid4()
    llm, measure = Llm(run_id=run_id), Measure(run_id)
    reader = Reader(
        owner=owner_of(source.portfolio),
        retries=RETRIES,
        llm=llm,
        has_model=llm.is_configured and not source.is_by_rules,
        warn=measure.warn,
    )
    return Reading(source, reader, POLICY, measure, at, keep)


def owner_of(portfolio: Portfolio) -> Owner:
    """Who the portfolio belongs to, as readers know it."""
    return Owner.model_construct(
        owner_id=portfolio.slug,
        owner_name=portfolio.owner_name,
        owner_pronouns=portfolio.pronouns,
        domain_label=portfolio.domain_label,
        portfolio_kind=portfolio.kind,  # type: ignore[arg-type]
    )


def _is_address(place: str) -> bool:
    return place.startswith(("https://", "http://"))


def _resume(reading: Reading) -> Result:
    text = reading.text()
    drafts = reading.understood(lambda: reading.reader.resume(text))
    if all(one.kind in {"", "profile"} for one in drafts):
        raise PreprocessError(
            Code.NO_RESUME,
            _(
                "no positions, schools or skills were found. Headings such as “Experience”, "
                "“Education” and “Skills” help, each on a line of its own."
            ),
        )
    return Result(text, drafts=drafts)


def _profile(reading: Reading) -> Result:
    text = reading.text()
    return Result(text, drafts=reading.understood(lambda: reading.reader.profile(text)))


def _readme(reading: Reading) -> Result:
    source, readme = reading.source, Readme(reading.source.text, "", "", "")
    repository = page = ""
    if source.place:
        reading.at(Step.FETCH)
        branch = str(source.wish.get("branch", ""))
        try:
            readme = find_readme(
                source.place,
                reading.policy,
                branch=branch,
                token=reading.token,
                api_url=reading.api_url,
            )
            repository = page_of(readme.place) or ""
        except Skipped as skipped:
            page, readme = source.place, _page_or(skipped, source.place, reading.policy)
        if readme.is_truncated:
            message = _("The README is cut to its first 100 KB.")
            reading.reader.warn(Warned(Code.README_TRUNCATED, source.doc_id, message))
    if not readme.text.strip():
        raise PreprocessError(Code.EMPTY_README, _("There is no README to read."))
    name = str(source.wish.get("name", ""))
    drafts = reading.understood(
        lambda: reading.reader.entry(readme.text, source.doc_id, name=name, page=repository)
    )
    if page:
        drafts[0].values["live_url"] = page
    return Result(readme.text, readme.path, readme.commit, drafts)


def _page_or(skipped: Skipped, address: str, policy: UrlPolicy) -> Readme:
    """The page at an address where no repository is. Raises Skipped where neither is there."""
    if skipped.failure != Code.REPO_NOT_FOUND or not _is_address(address):
        raise skipped
    try:
        return Readme(read_page(address, policy), "", "", address)
    except PreprocessError as error:
        raise skipped from error


def _voice(reading: Reading) -> Result:
    exchanges = exchanges_in(reading.source.text)
    if exchanges.fault or not exchanges.examples:
        raise PreprocessError(Code.VOICE_INVALID, exchanges.fault or _("there is no example."))
    return Result(reading.source.text, counts={"examples": len(exchanges.examples)})


def _repository_list(reading: Reading) -> Result:
    source = reading.source
    if _is_address(source.place):
        reading.at(Step.FETCH)
        repositories = read_list(
            GitHub(portfolioRepoConfigGistUrl=source.place), Path(), reading.policy
        )
    else:
        repositories = listed(source.text)
    included = [one for one in repositories if one.is_read]
    if not included:
        raise PreprocessError(Code.NO_PROJECTS, _("the list names no repository to read."))
    return Result(source.text, counts={"repositories": len(included)}, repositories=included)


def _persona(reading: Reading) -> Result:
    rows, voice = rows_of(reading.source.portfolio), voice_of(reading.source)
    return Result(persona=reading.understood(lambda: reading.reader.persona(rows, voice)))


_READERS: Final[dict[Source.Kind, Callable[[Reading], Result]]] = {
    Kind.RESUME: _resume,
    Kind.PROFILE: _profile,
    Kind.README: _readme,
    Kind.VOICE: _voice,
    Kind.REPOSITORY_LIST: _repository_list,
    Kind.CORPUS: _persona,
}


def voice_of(source: Source) -> list[str]:
    """The examples that the owner gave last, and those in the profile."""
    read = Source.objects.filter(portfolio_id=source.portfolio_id, outcome=Outcome.READ)
    read = read.order_by("-given_at", "-read_at")
    given = read.filter(kind=Kind.VOICE).first()
    profile = read.filter(kind=Kind.PROFILE).first()
    examples = [
        *(exchanges_in(given.text).examples if given else ()),
        *(profiles.voice_in(profile.text) if profile else ()),
    ]
    return list(dict.fromkeys(examples))
