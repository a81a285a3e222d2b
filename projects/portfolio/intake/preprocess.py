"""The command's run: reads everything, plans it as the check page does, stores it whole or not.

What an owner confirms on the check page an administrator confirms by running the command.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Kind
from futura.progress import Quiet, Reporter
from projects.portfolio import contact_review
from projects.portfolio.documents import Doc, documents_of
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake import extract, git
from projects.portfolio.intake.apply import write
from projects.portfolio.intake.basic.profile import voice_in
from projects.portfolio.intake.config import Config
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.failures import Code, PreprocessError, Skipped, embedded
from projects.portfolio.intake.fetch import COMMAND
from projects.portfolio.intake.metrics import Metrics
from projects.portfolio.intake.plan import (
    ENTITIES,
    Plan,
    Reading,
    add_persona,
    company_key,
    plan,
)
from projects.portfolio.intake.reading import Reader, contacts_of
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

    drafts: Sequence[Draft]
    plan: Plan
    persona: Mapping[str, Any] | None
    docs: list[Doc]
    vectors: Vectors


@dataclass
class Run:
    """Reads one portfolio. `folder` is what paths of the configuration are relative to."""

    config: Config
    folder: Path
    is_by_rules: bool = False
    skip_failures: bool = False
    reporter: Reporter = field(default_factory=Quiet)
    tell: Callable[[str], None] = lambda _: None
    id: uuid.UUID = field(default_factory=uuid.uuid4)

    def __post_init__(self) -> None:
        self.reader = Reader(
            portfolio=Portfolio(**self.config.owner.model_dump()),
            policy=COMMAND,
            is_by_rules=self.is_by_rules,
            run_id=self.id,
            retries=self.config.retries,
            model=self.config.models.enrichment_model,
        )
        self.has_model = self.reader.has_model
        space = building.space_of(self.config.models.embedding_model, is_configured=self.has_model)
        label = self.config.metrics.run_label
        self.metrics = Metrics(self.id, label, self.reader.method.value, space)
        self.sources: list[Source] = []
        self.voice: list[str] = []

    def read(self, portfolio: Portfolio | None) -> Result:
        """Everything, checked, with vectors; nothing is stored. Raises PreprocessError."""
        repos = self._repositories()
        given = Source.objects.filter(portfolio=portfolio) if portfolio else Source.objects.none()
        replaced = set(given.values_list("pk", flat=True))
        self.reporter.step("Reading repositories", total=len(repos))
        readings = [Reading(*self._entry(repo), replaced) for repo in repos]
        readings += [Reading(*self._resume(), replaced), Reading(*self._profile(), replaced)]
        drafts = [draft for reading in readings for draft in reading.drafts]
        _check(drafts)
        self._tell_companies(drafts, repos)
        result = plan(
            portfolio,
            readings,
            companies={repo.project_id: repo.linked_to_companies for repo in repos},
            owner=self.config.owner.model_dump(),
        )
        persona = self._persona(portfolio, result)
        cleared = contact_review.cleared(portfolio.pk) if portfolio else frozenset()
        docs = documents_of(result.rows, result.links, cleared=cleared)
        vectors = self._vectors(docs)
        _check_vectors(portfolio, docs, vectors)
        return Result(drafts, result, persona, docs, vectors)

    # Reading -------------------------------------------------------------------------------------
    def _repositories(self) -> list[RepoConfig]:
        github = self.config.github
        self.reporter.step("Reading the list of repositories")
        place = github.portfolio_repo_config_gist_url or github.repo_list_path
        with self.metrics.item("list", place):
            listed = read_list(github, self.folder, self._token())
        source = self._source(Source.Kind.REPOSITORY_LIST, place)
        source.method = Source.Method.PERSON
        included = [repo for repo in listed if repo.is_read]
        return self._at_most(self.config.options.max_projects, included, "projects", "list")

    def _token(self) -> str:
        name = self.config.github.github_access_token_env_var
        return os.environ.get(name, "") if name else ""

    def _at_most(self, most: int, items: Sequence[T], what: str, item: str) -> list[T]:
        if len(items) > most:
            message = f"only the first {most} {what} of {len(items)} are read."
            self.reader.warn(Code.TOO_MANY, item, message)
        return list(items[:most])

    def _entry(self, repo: RepoConfig) -> tuple[uuid.UUID, list[Draft]]:
        github = self.config.github
        place = place_of(repo, github, self.folder)
        source = self._source(Source.Kind.README, place)
        source.doc_id = repo.project_id
        source.wish = {"name": repo.display_name, "branch": repo.branch or github.branch}
        is_at_forge = place.startswith(github.clone_base)
        self.reader.token = self._token() if is_at_forge else ""
        is_own_api = is_at_forge and github.api_url != git.API_URL
        self.reader.api_url, self.reader.path = github.api_url if is_own_api else "", ""
        drafts = self._read("projects", repo.project_id, source)
        if self.reader.path:
            source.place = f"{place}#{self.reader.path}"[:500]
        self.reporter.advance()
        return source.pk, drafts

    def _resume(self) -> tuple[uuid.UUID, list[Draft]]:
        self.reporter.step("Reading the resume")
        name = self.config.resume.path
        source = self._source(Source.Kind.RESUME, Path(name).name)
        try:
            with (self.folder / name).open("rb") as file:
                source.upload = file.read(extract.LARGEST_BYTES + 1)
        except OSError as error:
            message = f"the resume {name} cannot be read ({error.strerror})."
            raise PreprocessError(Code.PDF_UNREADABLE, message) from error
        drafts = self._read("resume", name, source)
        for draft in (draft for draft in drafts if draft.missing):
            lines = " / ".join(source.text[draft.start : draft.end].splitlines())
            self.reader.warn(Code.RESUME_UNREAD, "resume", f"not read: {lines}")
        complete = [draft for draft in drafts if not draft.missing and draft.kind != "profile"]
        most = self.config.options.max_resume_entries
        return source.pk, self._at_most(most, complete, "entries", "resume")

    def _profile(self) -> tuple[uuid.UUID, list[Draft]]:
        self.reporter.step("Reading the profile")
        name = self.config.profile.profile_markdown_path
        source = self._source(Source.Kind.PROFILE, Path(name).name)
        source.text = self._markdown(name)
        drafts = self._read("profile", name, source)
        for draft in drafts:
            draft.values["private_contact"] = contacts_of(source)
        examples = voice_in(source.text)
        if path := self.config.profile.voice_examples_path:
            examples = [*read_examples(self.folder / path), *examples]
        self.voice = list(dict.fromkeys(examples))
        return source.pk, drafts

    def _markdown(self, name: str) -> str:
        try:
            file = self.folder / name
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

    def _tell_companies(self, drafts: Iterable[Draft], repos: Sequence[RepoConfig]) -> None:
        """Names of companies for the list of repositories; one that nobody worked at is told."""
        companies: set[str] = set()
        heading = _("Found experiences (use these exact company names in linkedToCompanies):")
        for draft in drafts:
            if draft.kind not in {"position", "volunteering"}:
                continue
            if not companies:
                self.tell(heading)
            told = draft.values
            companies.add(company_key(told["company"]))
            end = _("present") if told.get("is_current") else told.get("ended") or "?"
            span = f"({told.get('started') or '?'} to {end})"
            self.tell(f'   • "{told["company"]}" — {told.get("title", "")} {span}')
        for repo in repos:
            for company in repo.linked_to_companies:
                if company_key(company) not in companies:
                    message = f"no experience was found for the company “{company}”."
                    self.reader.warn(Code.COMPANY_NOT_FOUND, repo.project_id, message)

    def _persona(self, portfolio: Portfolio | None, result: Plan) -> Mapping[str, Any] | None:
        self.reporter.step("Finding the voice")
        source = self._source(Source.Kind.CORPUS, "profile, resume and projects")
        persona = self._item(
            "persona",
            "persona",
            source,
            lambda: self.reader.persona(source, result.rows, self.voice),
        )
        if persona is not None:
            add_persona(result, portfolio, persona, source.pk)
        return persona

    def _vectors(self, docs: Sequence[Doc]) -> Vectors:
        self.reporter.step("Embedding", total=len(docs))
        space, llm = self.metrics.space, self.reader.llm
        with self.metrics.item("embeddings", space):
            try:
                return embedded(lambda: building.embed(docs, space, llm), self.config.retries)
            except ValueError as error:
                raise PreprocessError(Code.INCOMPLETE_EMBEDDINGS, f"{error}.") from error

    # Keeping account -----------------------------------------------------------------------------
    def _read(self, stage: str, name: str, source: Source) -> list[Draft]:
        return self._item(stage, name, source, lambda: self.reader.read(source)) or []

    def _item(self, stage: str, name: str, source: Source, read: Callable[[], T]) -> T | None:
        """One item, measured; None where it is passed over. Raises PreprocessError."""
        with self.metrics.item(stage, name) as item:
            try:
                result: T | None = read()
            except PreprocessError as error:
                may_be = self.skip_failures and error.failure in MAY_BE_SKIPPED
                if not isinstance(error, Skipped) and not may_be:
                    raise
                result, item["skipped"] = None, error.failure.value
                source.outcome, source.upload = Source.Outcome.SKIPPED, None
                source.code, source.note = error.failure, error.reason
                self.reader.warn(error.failure, name, error.reason)
        source.model = self.metrics.items[-1]["model"][:120]
        return result

    def _source(self, kind: Source.Kind, place: str) -> Source:
        """Notes what is read from where."""
        source = Source(kind=kind, place=place[:500], method=self.reader.method)
        self.sources.append(source)
        return source


# Checks ------------------------------------------------------------------------------------------
def _check(drafts: Sequence[Draft]) -> None:
    """All three corpora are there (spec 3, 3.6.4). Raises PreprocessError."""
    kinds = {draft.kind for draft in drafts}
    if "entry" not in kinds:
        message = "no projects were found. Add repositories to the list."
        raise PreprocessError(Code.NO_PROJECTS, message)
    if not kinds - {"entry", "profile"}:
        message = "no records were found in the resume. It needs headings such as “Experience”."
        raise PreprocessError(Code.NO_RESUME, message)
    if "profile" not in kinds:
        message = "a profile is required. Write one in the file that is named."
        raise PreprocessError(Code.PROFILE_REQUIRED, message)


def _check_vectors(portfolio: Portfolio | None, docs: Sequence[Doc], vectors: Vectors) -> None:
    """Every document has its vector, of the size its space had before. Raises PreprocessError."""
    if absent := building.missing(docs, vectors):
        message = f"{len(absent)} documents have no vector, such as {absent[0]}."
        raise PreprocessError(Code.INCOMPLETE_EMBEDDINGS, message)
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
        for source in run.sources:
            source.portfolio, source.run = portfolio, row
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
        label=run.metrics.label,
        status=status,
        metrics=run.metrics.as_json(
            run.reader.warnings, status=status.value, error=more.get("error", "")
        ),
        started_at=run.metrics.started_at,
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
