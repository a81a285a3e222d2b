"""The command's run: reads everything, plans it as the check page does, stores it whole or not.

What an owner confirms on the check page an administrator confirms by running the command.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Kind
from futura.llm.client import Llm
from futura.progress import Quiet, Reporter
from projects.portfolio import undecided
from projects.portfolio.corpus import Corpus, PersonaSummary, months_between
from projects.portfolio.documents import Doc, documents_of
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake import git, pdf, prompts
from projects.portfolio.intake.apply import write
from projects.portfolio.intake.basic import profile as profiles
from projects.portfolio.intake.config import Config
from projects.portfolio.intake.drafts import Draft, corpus_of
from projects.portfolio.intake.failures import (
    Code,
    PreprocessError,
    Skipped,
    Warned,
    embedded,
)
from projects.portfolio.intake.fetch import UrlPolicy
from projects.portfolio.intake.measure import Measure
from projects.portfolio.intake.plan import (
    ENTITIES,
    Origin,
    Plan,
    add_persona,
    company_key,
    plan,
)
from projects.portfolio.intake.readers import Reader
from projects.portfolio.intake.reading import Reading
from projects.portfolio.intake.repositories import RepoConfig, place_of, read_list
from projects.portfolio.intake.voice import read_examples
from projects.portfolio.models import IndexBuild, Portfolio, PreprocessRun, Source

T = TypeVar("T")

REASON: Final = "portfolio_preprocess"
PROFILE_BYTES: Final = 200_000
# failures of one item that `--skip-failures` passes over
MAY_BE_SKIPPED: Final = frozenset(
    {Code.LLM_RATE_LIMIT, Code.LLM_TIMEOUT, Code.LLM_INVALID_RESPONSE, Code.LLM_UNAVAILABLE}
)


@dataclass
class Result:
    """What a run has read and planned, before it is stored."""

    corpus: Corpus
    plan: Plan
    docs: list[Doc]
    vectors: Vectors


@dataclass
class Run:
    """Reads one portfolio. `folder` is what paths of the configuration are relative to."""

    config: Config
    folder: Path
    policy: UrlPolicy
    is_by_rules: bool = False
    skip_failures: bool = False
    reporter: Reporter = field(default_factory=Quiet)
    tell: Callable[[str], None] = lambda _: None
    id: uuid.UUID = field(default_factory=uuid.uuid4)

    def __post_init__(self) -> None:
        self.llm = Llm(run_id=self.id)
        self.has_model = self.llm.is_configured and not self.is_by_rules
        self.method = Source.Method.MODEL if self.has_model else Source.Method.RULES
        space = building.space_of(self.config.models.embedding_model, is_configured=self.has_model)
        label = self.config.metrics.run_label
        self.measure = Measure(self.id, label, method=self.method.value, space=space)
        self.reader = Reader(
            owner=self.config.owner,
            retries=self.config.retries,
            llm=self.llm,
            has_model=self.has_model,
            model=self.config.models.enrichment_model,
            warn=self.measure.warn,
        )
        self.sources: list[Source] = []

    def read(self, portfolio: Portfolio | None) -> Result:
        """Everything, checked, with vectors; nothing is stored. Raises PreprocessError."""
        repos = self._repositories()
        drafts = [*self._entries(repos), *self._resume()]
        profile, private_contact, voice = self._profile()
        corpus = corpus_of([*drafts, *profile], self.config.owner.owner_name)
        corpus.private_contact = private_contact
        _check(corpus)
        self._complete(corpus)
        companies = self._companies(corpus, repos)
        given = Source.objects.filter(portfolio=portfolio) if portfolio else Source.objects.none()
        origin = Origin(
            by_doc={one.doc_id: one.pk for one in self.sources if one.doc_id},
            resume=self._of_kind(Source.Kind.RESUME),
            profile=self._of_kind(Source.Kind.PROFILE),
            replaced=set(given.values_list("pk", flat=True)),
            companies=companies,
        )
        result = plan(portfolio, corpus, origin, self.config.owner)
        for position in corpus.experiences:
            position.linked_projects = result.links.get(position.id, [])
        corpus.persona = self._persona(result.rows, voice)
        if corpus.persona is not None:
            origin = Origin(persona=self._of_kind(Source.Kind.CORPUS))
            add_persona(result, portfolio, corpus.persona, origin)
        cleared = undecided.cleared(portfolio.pk) if portfolio else frozenset()
        docs = documents_of(result.rows, result.links, cleared=cleared)
        vectors = self._vectors(docs)
        _check_vectors(portfolio, docs, vectors)
        return Result(corpus, result, docs, vectors)

    # Reading -------------------------------------------------------------------------------------
    def _repositories(self) -> list[RepoConfig]:
        github = self.config.github
        self.reporter.step("Reading the list of repositories")
        place = github.portfolio_repo_config_gist_url or github.repo_list_path
        with self.measure.item("list", place):
            listed = read_list(github, self.folder, self.policy, self._token())
        self._source(Source.Kind.REPOSITORY_LIST, place, method=Source.Method.PERSON)
        included = [one for one in listed if one.is_read]
        most = self.config.options.max_projects
        for one in included[most:]:
            message = f"more than {most} projects."
            self.measure.warn(Warned(Code.TOO_MANY, one.project_id, message))
        return included[:most]

    def _token(self) -> str:
        name = self.config.github.github_access_token_env_var
        return os.environ.get(name, "") if name else ""

    def _entries(self, repos: Sequence[RepoConfig]) -> list[Draft]:
        self.reporter.step("Reading repositories", total=len(repos))
        drafts: list[Draft] = []
        for repo in repos:
            drafts += self._entry(repo)
            self.reporter.advance()
        return drafts

    def _entry(self, repo: RepoConfig) -> list[Draft]:
        github = self.config.github
        place = place_of(repo, github, self.folder)
        source = self._source(Source.Kind.README, place, doc_id=repo.project_id)
        source.wish = {"name": repo.display_name, "branch": repo.branch or github.branch}
        reading = Reading(source, self.reader, self.policy)
        if place.startswith(github.clone_base):
            reading.token = self._token()
            reading.api_url = github.api_url if github.api_url != git.API_URL else ""
        return self._read("projects", repo.project_id, reading)

    def _resume(self) -> list[Draft]:
        self.reporter.step("Reading the resume")
        name = self.config.resume.path
        source = self._source(Source.Kind.RESUME, Path(name).name)
        source.upload = pdf.read_pdf(self._file(name))
        drafts = self._read("resume", name, Reading(source, self.reader, self.policy))
        for left in (one for one in drafts if one.missing):
            lines = " / ".join(source.text[left.start : left.end].splitlines())
            self.measure.warn(Warned(Code.RESUME_UNREAD, "resume", f"not read: {lines}"))
        most = self.config.options.max_resume_entries
        complete = [one for one in drafts if not one.missing and one.kind != "profile"]
        for one in complete[most:]:
            message = f"more than {most} entries of the resume."
            self.measure.warn(Warned(Code.TOO_MANY, one.doc_id, message))
        return complete[:most]

    def _profile(self) -> tuple[list[Draft], list[str], list[str]]:
        """The profile, how its owner could be reached, and the examples of their voice."""
        self.reporter.step("Reading the profile")
        name = self.config.profile.profile_markdown_path
        source = self._source(Source.Kind.PROFILE, Path(name).name)
        source.text = self._markdown(name)
        drafts = self._read("profile", name, Reading(source, self.reader, self.policy))
        examples = profiles.voice_in(source.text)
        if path := self.config.profile.voice_examples_path:
            examples = [*read_examples(self._file(path)), *examples]
            self._source(Source.Kind.VOICE, path, method=Source.Method.PERSON)
        return drafts, profiles.contacts_of(source.text), list(dict.fromkeys(examples))

    def _read(self, stage: str, name: str, reading: Reading) -> list[Draft]:
        """The drafts of a source, measured; none where it is passed over."""
        result = self._item(stage, name, reading.read, reading.source)
        if result is None:
            return []
        for field_name, value in reading.fields(result).items():
            setattr(reading.source, field_name, value)
        if self.has_model:
            reading.source.model = self.measure.items[-1].model[:120]
        if result.path:
            reading.source.place = f"{reading.source.place}#{result.path}"[:500]
        return list(result.drafts)

    def _markdown(self, name: str) -> str:
        try:
            file = self._file(name)
            if file.stat().st_size > PROFILE_BYTES:
                raise PreprocessError(Code.PROFILE_REQUIRED, f"{name} is far too large.")
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PreprocessError(
                Code.PROFILE_REQUIRED, f"write your profile in {name}; it is not there to be read."
            ) from error
        if not text.strip():
            raise PreprocessError(Code.PROFILE_REQUIRED, f"{name} is empty.")
        return text

    def _complete(self, corpus: Corpus) -> None:
        """Months of each position, and the names of companies for the list of repositories."""
        today = timezone.localdate()
        if any(corpus.experiences):
            self.tell(_("Found experiences (use these exact company names in linkedToCompanies):"))
        for one in corpus.experiences:
            start = (one.dates.start if one.dates else None) or "?"
            end = _("present") if one.is_current else (one.dates and one.dates.end) or "?"
            self.tell(f'   • "{one.company}" — {one.title} ({start} to {end})')
            if one.dates:
                one.months_of_experience = months_between(
                    one.dates.start, one.dates.end, today=today, is_current=one.is_current
                )

    def _companies(self, corpus: Corpus, repos: Sequence[RepoConfig]) -> dict[str, list[str]]:
        """The companies at which each project was made; one that nobody worked at is told."""
        companies = {company_key(one.company) for one in corpus.experiences}
        for repo in repos:
            for company in repo.linked_to_companies:
                if company_key(company) not in companies:
                    message = f"no experience was found for the company “{company}”."
                    self.measure.warn(Warned(Code.COMPANY_NOT_FOUND, repo.project_id, message))
        return {repo.project_id: repo.linked_to_companies for repo in repos}

    def _persona(self, rows: Sequence[Any], voice: Sequence[str]) -> PersonaSummary | None:
        self.reporter.step("Finding the voice")
        source = self._source(Source.Kind.CORPUS, "profile, resume and projects")
        source.prompt_version = prompts.PERSONA_VERSION if self.has_model else ""
        return self._item("persona", "persona", lambda: self.reader.persona(rows, voice), source)

    def _vectors(self, docs: Sequence[Doc]) -> Vectors:
        self.reporter.step("Embedding", total=len(docs))
        space = self.measure.space
        with self.measure.item("embeddings", space, method=self.method.value):
            try:
                return embedded(lambda: building.embed(docs, space, self.llm), self.config.retries)
            except ValueError as error:
                raise PreprocessError(Code.INCOMPLETE_EMBEDDINGS, f"{error}.") from error

    # Keeping account -----------------------------------------------------------------------------
    def _item(self, stage: str, name: str, read: Callable[[], T], source: Source) -> T | None:
        """One item, measured; None where it is passed over. Raises PreprocessError."""
        with self.measure.item(stage, name, method=self.method.value) as one:
            try:
                return read()
            except (Skipped, PreprocessError) as error:
                may_be = self.skip_failures and error.failure in MAY_BE_SKIPPED
                if not isinstance(error, Skipped) and not may_be:
                    raise
                one.skipped = error.failure
                source.outcome, source.upload = Source.Outcome.SKIPPED, None
                source.code, source.note = error.failure, error.reason
                self.measure.warn(Warned(error.failure, name, error.reason))
        return None

    def _source(self, kind: Source.Kind, place: str, **values: Any) -> Source:
        """Notes what is read from where."""
        source = Source(**{"kind": kind, "place": place[:500], "method": self.method, **values})
        self.sources.append(source)
        return source

    def _file(self, name: str) -> Path:
        self.policy.check_path(name)
        return self.folder / name

    def _of_kind(self, kind: Source.Kind) -> uuid.UUID | None:
        return next((one.pk for one in self.sources if one.kind == kind), None)


# Checks ------------------------------------------------------------------------------------------
def _check(corpus: Corpus) -> None:
    """All three corpora are there (spec 3, 3.6.4). Raises PreprocessError."""
    if not corpus.projects:
        raise PreprocessError(
            Code.NO_PROJECTS, "no projects were found. Add repositories to the list."
        )
    if not corpus.resume:
        raise PreprocessError(
            Code.NO_RESUME,
            "no records were found in the resume. It needs headings such as “Experience” and "
            "“Education”.",
        )
    if corpus.profile is None:
        raise PreprocessError(
            Code.PROFILE_REQUIRED, "a profile is required. Write one in the file that is named."
        )


def _check_vectors(portfolio: Portfolio | None, docs: Sequence[Doc], vectors: Vectors) -> None:
    """Every document has its vector, of the size its space had before. Raises PreprocessError."""
    if absent := building.missing(docs, vectors):
        raise PreprocessError(
            Code.INCOMPLETE_EMBEDDINGS,
            f"{len(absent)} documents have no vector, such as {absent[0]}.",
        )
    before = portfolio and IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
    is_same_space = before and before.space == vectors.space and before.dimension
    if before and is_same_space and vectors.dimension and before.dimension != vectors.dimension:
        raise PreprocessError(
            Code.EMBED_DIMENSION_MISMATCH,
            f"{vectors.space} gave vectors of {vectors.dimension} numbers, before it gave "
            f"{before.dimension}. Name another embedding model.",
        )


# Storing -----------------------------------------------------------------------------------------
def store(run: Run, result: Result, owner_id: uuid.UUID) -> IndexBuild:
    """Rows by operations, sources, index: all or nothing.

    Raises Conflict when somebody changed the portfolio meanwhile.
    """
    actor = Actor(owner_id, Kind.SYSTEM)
    with transaction.atomic():
        write(result.plan.changes, actor, REASON, _("Read the portfolio's sources"))
        portfolio = Portfolio.objects.get(pk=result.plan.portfolio_id)
        row = _row(run, portfolio, PreprocessRun.Status.COMPLETED)
        for one in run.sources:
            one.portfolio, one.run = portfolio, row
        Source.objects.bulk_create(run.sources)
        build = building.store(portfolio, result.docs, result.vectors)
        _forget_old_sources(portfolio, row)
    return build


def note_failure(run: Run, portfolio: Portfolio | None, *, code: str, error: str) -> None:
    """A failed run, for the owner to see; nothing where the portfolio is not there yet."""
    if portfolio is not None:
        _row(run, portfolio, PreprocessRun.Status.FAILED, code=code, error=error)


def _row(
    run: Run, portfolio: Portfolio, status: PreprocessRun.Status, **more: Any
) -> PreprocessRun:
    return PreprocessRun.objects.create(
        id=run.id,
        portfolio=portfolio,
        label=run.measure.label,
        status=status,
        metrics=run.measure.as_json(status=status.value, error=more.get("error", "")),
        started_at=run.measure.started_at,
        finished_at=timezone.now(),
        **more,
    )


def _forget_old_sources(portfolio: Portfolio, run: PreprocessRun) -> None:
    """Texts of earlier runs go, save those that a row still names, or that the owner gave."""
    named: set[Any] = set()
    for model in ENTITIES:
        rows = model._default_manager.filter(portfolio=portfolio).exclude(source=None)
        named |= set(rows.values_list("source_id", flat=True))
    old = Source.objects.filter(portfolio=portfolio, given_at=None).exclude(run=run)
    old.exclude(pk__in=named).delete()
