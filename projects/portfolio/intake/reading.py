"""Reads one source: fetches or takes out its text, then understands it, by a model or by rules.

Nothing is stored here; what comes out is what `applying` writes.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from futura.llm.client import Llm
from projects.portfolio.corpus import PersonaSummary, ProfileDoc, ProjectDoc, ResumeDoc
from projects.portfolio.intake import git, model, understanding
from projects.portfolio.intake import git as forge
from projects.portfolio.intake import prompts as resume_prompts
from projects.portfolio.intake import source_prompts as prompts
from projects.portfolio.intake.basic import profile as profiles
from projects.portfolio.intake.config import GitHub
from projects.portfolio.intake.corpus_of import corpus_of, owner_of
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.failures import Code, PreprocessError, Retries, Warned
from projects.portfolio.intake.fetch import PUBLIC, Reach
from projects.portfolio.intake.measure import Measure
from projects.portfolio.intake.repositories import RepoConfig, listed, page_of, read_list
from projects.portfolio.intake.sandbox import text_apart
from projects.portfolio.intake.understanding import Reader
from projects.portfolio.intake.voice import exchanges_in
from projects.portfolio.models import Source

RETRIES: Final = Retries(maxRetries=1, retryDelayMs=500, retryBackoffMultiplier=2)
NOTES: Final = 20
REACH: Reach = PUBLIC
"""Addresses that people type lead to the public internet only."""
VERSIONS: Final = {
    Source.Kind.RESUME: resume_prompts.VERSION,
    Source.Kind.PROFILE: prompts.PROFILE_VERSION,
    Source.Kind.README: prompts.README_VERSION,
    Source.Kind.CORPUS: prompts.PERSONA_VERSION,
}
Kind = Source.Kind


@dataclass
class Understood:
    """What a source says: one of these, by its kind.

    `drafts` wait to be checked; `corrected` names fields that a person has written, by id.
    """

    text: str = ""
    commit: str = ""
    records: Sequence[ResumeDoc] = ()
    drafts: Sequence[Draft] = ()
    corrected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    profile: ProfileDoc | None = None
    private_contact: Sequence[str] = ()
    project: ProjectDoc | None = None
    persona: PersonaSummary | None = None
    repositories: Sequence[RepoConfig] = ()
    examples: Sequence[str] = ()


@dataclass
class Reading:
    """One reading of one source; `at` hears of each step as it begins, `keep` of a file's text."""

    source: Source
    at: Callable[[Source.Step], None]
    keep: Callable[[str], None] = lambda _text: None
    run_id: uuid.UUID = field(default_factory=uuid.uuid4)

    def __post_init__(self) -> None:
        self.llm = Llm(run_id=self.run_id)
        needs_none = self.source.kind in {Kind.VOICE, Kind.REPOSITORY_LIST}
        self.has_model = self.llm.is_configured and not self.source.is_by_rules and not needs_none
        self.measure = Measure(self.run_id)
        self.reader = Reader(
            owner=owner_of(self.source.portfolio),
            retries=RETRIES,
            llm=self.llm,
            has_model=self.has_model,
            warn=self.measure.warn,
        )

    @property
    def method(self) -> Source.Method:
        """Who understands it."""
        if self.source.kind in {Kind.VOICE, Kind.REPOSITORY_LIST}:
            return Source.Method.PERSON
        return Source.Method.MODEL if self.has_model else Source.Method.RULES

    @property
    def version(self) -> str:
        """Of the prompt; empty without a model."""
        return VERSIONS.get(Kind(self.source.kind), "") if self.has_model else ""

    def told(self) -> dict[str, Any]:
        """What it cost, and what was left out."""
        items = self.measure.items
        found: dict[str, Any] = {
            "notes": [one.message for one in self.measure.warnings[:NOTES]],
            "calls": sum(one.calls for one in items),
        }
        known = [one.cost_usd for one in items if one.cost_usd is not None]
        return {**found, "cost_usd": round(sum(known), 6)} if known else found

    @property
    def model(self) -> str:
        """The model that answered last."""
        return next((one.model for one in reversed(self.measure.items) if one.model), "")

    def read(self) -> Understood:
        """Everything the source says. Raises PreprocessError, Skipped."""
        return _READERS[Kind(self.source.kind)](self)

    def understood(self, call: Callable[[], Any]) -> Any:
        """One step of understanding, measured."""
        self.at(Source.Step.UNDERSTAND)
        with self.measure.item(self.source.kind, self.source.place, method=self.method.value):
            return call()

    def text(self) -> str:
        """What was pasted, or stands in the file that was sent."""
        source = self.source
        if source.upload:
            self.at(Source.Step.FETCH)
            text = text_apart(bytes(source.upload), source.place)
            self.keep(text)
            return text
        return source.text


def _resume(reading: Reading) -> Understood:
    text = reading.text()
    drafts = reading.understood(lambda: model.drafts_of(reading.reader, text))
    if all(one.kind in {"", "profile"} for one in drafts):
        raise PreprocessError(
            Code.NO_RESUME,
            _(
                "no positions, schools or skills were found. Headings such as “Experience”, "
                "“Education” and “Skills” help, each on a line of its own."
            ),
        )
    return Understood(text=text, drafts=drafts)


def _profile(reading: Reading) -> Understood:
    text = reading.text()
    profile = reading.understood(lambda: understanding.profile(reading.reader, text))
    return Understood(text=text, profile=profile, private_contact=profiles.contacts_of(text))


def _readme(reading: Reading) -> Understood:
    source = reading.source
    text, commit, page = source.text, "", None
    if source.place.startswith("https://") or source.place.startswith("http://"):
        reading.at(Source.Step.FETCH)
        branch = str(source.wish.get("branch", ""))
        found = forge.readme_of(
            source.place, forge.api_of(source.place), REACH, branch=branch
        ) or git.read_readme(source.place, REACH, branch=branch)
        text, commit, page = found.text, found.commit, page_of(found.place)
        if found.is_truncated:
            told = _("The README is cut to its first 100 KB.")
            reading.measure.warn(Warned(Code.README_TRUNCATED, source.doc_id, told))
    if not text.strip():
        raise PreprocessError(Code.EMPTY_README, _("There is no README to read."))
    repo = RepoConfig(
        repo=source.place or "pasted",
        project_id=source.doc_id,
        display_name=str(source.wish.get("name", "")),
    )
    project = reading.understood(lambda: understanding.project(reading.reader, text, repo, page))
    return Understood(text=text, commit=commit, project=project)


def _voice(reading: Reading) -> Understood:
    found = exchanges_in(reading.source.text)
    if found.fault or not found.examples:
        raise PreprocessError(Code.VOICE_INVALID, found.fault or _("there is no example."))
    return Understood(text=reading.source.text, examples=found.examples)


def _repository_list(reading: Reading) -> Understood:
    source = reading.source
    if source.place.startswith("https://"):
        reading.at(Source.Step.FETCH)
        repositories = read_list(GitHub(portfolioRepoConfigGistUrl=source.place), Path(), REACH)
    else:
        repositories = listed(source.text)
    wanted = [one for one in repositories if one.is_read]
    if not wanted:
        raise PreprocessError(Code.NO_PROJECTS, _("the list names no repository to read."))
    return Understood(text=source.text, repositories=wanted)


def _persona(reading: Reading) -> Understood:
    portfolio = reading.source.portfolio
    corpus = corpus_of(portfolio)
    voice = voice_of(reading.source)
    persona = reading.understood(lambda: understanding.persona(reading.reader, corpus, voice))
    return Understood(persona=persona)


def voice_of(source: Source) -> list[str]:
    """The examples that the owner gave last, and those in the profile."""
    read = Source.objects.filter(
        portfolio_id=source.portfolio_id, outcome=Source.Outcome.READ
    ).order_by("-given_at", "-read_at")
    given = read.filter(kind=Kind.VOICE).first()
    profile = read.filter(kind=Kind.PROFILE).first()
    examples = [
        *(exchanges_in(given.text).examples if given else ()),
        *(profiles.voice_in(profile.text) if profile else ()),
    ]
    return list(dict.fromkeys(examples))


_READERS: Final[dict[Kind, Callable[[Reading], Understood]]] = {
    Kind.RESUME: _resume,
    Kind.PROFILE: _profile,
    Kind.README: _readme,
    Kind.VOICE: _voice,
    Kind.REPOSITORY_LIST: _repository_list,
    Kind.CORPUS: _persona,
}
