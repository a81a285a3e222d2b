"""The command's run: reads everything, plans it as the check page does, stores it whole or not.

What an owner confirms on the check page an administrator confirms by running the command.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.operations.changes import Actor, Kind
from futura.progress import Reporter
from onet.embeddings import LEXICAL
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake import extract
from projects.portfolio.intake.basic.markdown import voice_in
from projects.portfolio.intake.config import Config, RepoConfig, read_list, read_text
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.failures import Code, PreprocessError, Skipped, answered
from projects.portfolio.intake.fetch import COMMAND
from projects.portfolio.intake.plan import (
    ENTITIES,
    Reading,
    company_key,
    plan,
    without_deleted,
    write,
)
from projects.portfolio.intake.reading import Reader, contacts_of, spent
from projects.portfolio.models import IndexBuild, IndexState, Portfolio, Source
from projects.portfolio.schema.fields import exchanges_in

T = TypeVar("T")

_SUMS: Final = ("calls", "inputTokens", "outputTokens", "costUsd")
REASON: Final = "portfolio_preprocess"
# failures of one item that `--skip-failures` passes over
MAY_BE_SKIPPED: Final = frozenset(
    {Code.LLM_RATE_LIMIT, Code.LLM_TIMEOUT, Code.LLM_INVALID_RESPONSE, Code.LLM_UNAVAILABLE}
)


@dataclass
class Run:
    """Reads one portfolio. `folder` is what paths of the configuration are relative to.

    After `read` it has `drafts`, their `plan`, the `persona`, documents with `vectors`, and the
    `links` from positions to projects (ids of both).
    """

    config: Config
    folder: Path
    skip_failures: bool = False
    reporter: Reporter = field(default_factory=Reporter)
    tell: Callable[[str], None] = lambda _: None
    id: uuid.UUID = field(default_factory=uuid.uuid4)

    def __post_init__(self) -> None:
        variable = self.config.github.github_access_token_env_var
        self.token = os.environ.get(variable, "") if variable else ""
        self.reader = Reader(
            portfolio=Portfolio(**self.config.owner.model_dump()),
            policy=COMMAND,
            run_id=self.id,
            retries=self.config.retries,
            model=self.config.models.enrichment_model,
            github=self.config.github,
            token=self.token,
        )
        self.space = building.space_of(self.config.models.embedding_model)
        self.sources: list[Source] = []
        self.items: list[dict[str, Any]] = []  # as the file of the measure has them
        self.started_at = timezone.now()
        self._last_call = 0
        self.output = self.folder / self.config.output.generated_dir

    def read(self, portfolio: Portfolio | None, owner_id: uuid.UUID) -> None:
        """Everything, checked, with vectors; nothing is stored.

        Raises PreprocessError, Conflict.
        """
        repos = self._repositories()
        self.reporter.step("Reading repositories", total=len(repos))
        read = [self._entry(repo) for repo in repos]
        read.append(self._resume())
        profile, voice = self._profile()
        read.append(profile)
        self.drafts = [draft for _source, own in read for draft in own]
        _check(self.drafts)
        self._tell_companies(repos)
        given = Source.objects.filter(portfolio=portfolio) if portfolio else Source.objects.none()
        replaced = set(given.values_list("pk", flat=True))
        self.plan = plan(
            portfolio,
            [Reading(key, without_deleted(portfolio, own), replaced) for key, own in read],
            companies={repo.project_id: repo.linked_to_companies for repo in repos},
            owner=self.config.owner.model_dump(),
        )
        with transaction.atomic():  # as it will stand, taken back at once
            stored = self.write(owner_id)
            _rows, self.links = building.rows_of(stored)
            self.docs = building.current_documents(stored)
            transaction.set_rollback(True)
        self.persona = self._persona(voice)
        self.vectors = self._vectors(portfolio)

    def write(self, owner_id: uuid.UUID) -> Portfolio:
        """The rows by operations. Raises Conflict when somebody changed them meanwhile."""
        title = _("Read the portfolio's sources")
        write(self.plan.changes, Actor(owner_id, Kind.SYSTEM), REASON, title)
        return Portfolio.objects.get(pk=self.plan.portfolio_id)

    # Reading -------------------------------------------------------------------------------------
    def _repositories(self) -> list[RepoConfig]:
        github = self.config.github
        self.reporter.step("Reading the list of repositories")
        place = github.portfolio_repo_config_gist_url or github.repo_list_path
        with self.measured("list", place):
            listed = read_list(github, self.folder, self.token)
        self._source(Source.Kind.REPOSITORY_LIST, place).method = Source.Method.PERSON
        included = [repo for repo in listed if repo.include and not repo.hide_from_chat]
        return self._at_most(self.config.options.max_projects, included, "projects", "list")

    def _at_most(self, most: int, items: Sequence[T], what: str, item: str) -> list[T]:
        if len(items) > most:
            message = f"only the first {most} {what} of {len(items)} are read."
            self.reader.warn(Code.TOO_MANY, item, message)
        return list(items[:most])

    def _entry(self, repo: RepoConfig) -> tuple[uuid.UUID, list[Draft]]:
        github = self.config.github
        source = self._source(Source.Kind.README, repo.place(github.clone_base, self.folder))
        source.doc_id = repo.project_id
        source.wish = {"name": repo.display_name, "branch": repo.branch or github.branch}
        drafts = self._read("projects", repo.project_id, source)
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

    def _profile(self) -> tuple[tuple[uuid.UUID, list[Draft]], list[str]]:
        """The profile, and the examples of the owner's voice."""
        self.reporter.step("Reading the profile")
        paths = self.config.profile
        name = paths.profile_markdown_path
        source = self._source(Source.Kind.PROFILE, Path(name).name)
        source.text = read_text(self.folder / name, Code.PROFILE_REQUIRED, "your profile")
        if not source.text.strip():
            raise PreprocessError(Code.PROFILE_REQUIRED, f"{name} is empty.")
        drafts = self._read("profile", name, source)
        for draft in drafts:
            draft.values["private_contact"] = contacts_of(source)
        examples = voice_in(source.text)
        if paths.voice_examples_path:
            examples = [*read_examples(self.folder / paths.voice_examples_path), *examples]
        return (source.pk, drafts), list(dict.fromkeys(examples))

    def _tell_companies(self, repos: Sequence[RepoConfig]) -> None:
        """Names of companies for the list of repositories; one that nobody worked at is told."""
        kinds = {"position", "volunteering"}
        positions = [draft.values for draft in self.drafts if draft.kind in kinds]
        if positions:
            self.tell(_("Found experiences (use these exact company names in linkedToCompanies):"))
        for values in positions:
            end = _("present") if values.get("is_current") else values.get("ended") or "?"
            span = f"({values.get('started') or '?'} to {end})"
            self.tell(f'   • "{values["company"]}" — {values.get("title", "")} {span}')
        companies = {company_key(values["company"]) for values in positions}
        for repo in repos:
            for company in repo.linked_to_companies:
                if company_key(company) not in companies:
                    message = f"no experience was found for the company “{company}”."
                    self.reader.warn(Code.COMPANY_NOT_FOUND, repo.project_id, message)

    def _persona(self, voice: Sequence[str]) -> Mapping[str, Any] | None:
        self.reporter.step("Finding the voice")
        source = self._source(Source.Kind.CORPUS, "profile, resume and projects")
        persona = self._item(
            "persona", "persona", source, lambda: self.reader.persona(source, self.docs, voice)
        )
        if persona is not None:
            self.plan.add_persona(persona, source.pk)
        return persona

    def _vectors(self, portfolio: Portfolio | None) -> Vectors:
        """Every document has its vector, of the size its space had before; or PreprocessError."""
        self.reporter.step("Embedding", total=len(self.docs))
        space, llm = self.space, self.reader.llm
        with self.measured("embeddings", space):
            try:
                vectors = answered(
                    _("Search vectors"),
                    lambda: building.embed(self.docs, space, llm),
                    self.config.retries,
                    "EMBED",
                )
            except ValueError as error:
                raise PreprocessError(Code.INCOMPLETE_EMBEDDINGS, f"{error}.") from error
        before = IndexBuild.objects.filter(portfolio=portfolio, is_active=True, space=space).first()
        if before and before.dimension and vectors.dimension not in {0, before.dimension}:
            raise PreprocessError(
                Code.EMBED_DIMENSION_MISMATCH,
                f"{space} gave vectors of {vectors.dimension} numbers, before it gave "
                f"{before.dimension}. Name another embedding model.",
            )
        return vectors

    # Keeping account -----------------------------------------------------------------------------
    def _read(self, stage: str, name: str, source: Source) -> list[Draft]:
        return self._item(stage, name, source, lambda: self.reader.read(source)) or []

    def _item(self, stage: str, name: str, source: Source, read: Callable[[], T]) -> T | None:
        """One item, measured; None where it is passed over. Raises PreprocessError."""
        result: T | None = None
        with self.measured(stage, name) as item:
            try:
                result = read()
            except PreprocessError as error:
                may_be = self.skip_failures and error.failure in MAY_BE_SKIPPED
                if not isinstance(error, Skipped) and not may_be:
                    raise
                item["skipped"] = error.failure.value
                source.outcome, source.upload = Source.Outcome.SKIPPED, None
                source.code, source.note = error.failure, error.reason
                self.reader.warn(error.failure, name, error.reason)
        source.model = self.items[-1]["model"][:120]
        return result

    def _source(self, kind: Source.Kind, place: str) -> Source:
        """Notes what is read from where."""
        source = Source(kind=kind, place=place[:500], method=self.reader.method)
        self.sources.append(source)
        return source

    @contextmanager
    def measured(self, stage: str, name: str) -> Iterator[dict[str, Any]]:
        """Measures what happens inside; also where it fails."""
        item = {"stage": stage, "name": name, "method": self.reader.method.value, "skipped": ""}
        began = time.perf_counter()
        try:
            yield item
        finally:
            calls = spent(self.id, self._last_call)
            self._last_call = calls.pop("last")
            self.items.append(item | calls | {"seconds": round(time.perf_counter() - began, 3)})

    def report(self, status: str, error: str = "") -> dict[str, Any]:
        """The measure of the run, as its file has it."""
        return {
            "runId": str(self.id),
            "runLabel": self.config.metrics.run_label,
            "status": status,
            "error": error,
            "method": self.reader.method.value,
            "embeddingSpace": self.space,
            "startedAt": self.started_at.isoformat(),
            "seconds": round((timezone.now() - self.started_at).total_seconds(), 3),
            "stages": self.by_stage(),
            "items": self.items,
            "warnings": [asdict(warned) for warned in self.reader.warnings],
        }

    def by_stage(self) -> list[dict[str, Any]]:
        """Sums, a line for each stage, in the order of the run; None where nobody knows."""
        stages = []
        for stage, group in groupby(self.items, key=lambda item: item["stage"]):
            items = list(group)
            sums: dict[str, Any] = {
                "stage": stage,
                "items": len(items),
                "skipped": sum(bool(item["skipped"]) for item in items),
                "seconds": round(sum(item["seconds"] for item in items), 3),
            }
            for name in _SUMS:
                values = [item[name] for item in items if item[name] is not None]
                sums[name] = sum(values) if values else None
            stages.append(sums)
        return stages

    def summary(self) -> list[str]:
        return [
            f"{stage['stage']}: {stage['items']} items, {stage['calls']} calls, "
            f"{stage['seconds']:.2f} s"
            + (f", {stage['costUsd']:.4f} USD" if stage["costUsd"] is not None else "")
            for stage in self.by_stage()
        ]


def read_examples(file: Path) -> list[str]:
    """The examples in a file: JSON or text. Raises PreprocessError for a file of another form."""
    try:
        return exchanges_in(read_text(file, Code.VOICE_INVALID, "voice examples"))
    except ValueError as error:
        message = f"voice examples in {file.name}: {error}"
        raise PreprocessError(Code.VOICE_INVALID, message) from error


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


# Storing -----------------------------------------------------------------------------------------
def store(run: Run, owner_id: uuid.UUID) -> IndexBuild:
    """Rows, sources, index: all or nothing. Raises Conflict."""
    with transaction.atomic():
        portfolio = run.write(owner_id)
        for source in run.sources:
            source.portfolio = portfolio
        Source.objects.bulk_create(run.sources)
        build = building.store(portfolio, run.docs, run.vectors)
        # words alone are no choice: vectors may come with a model
        space = "" if run.space == LEXICAL else run.space
        IndexState.objects.update_or_create(portfolio=portfolio, defaults={"space": space})
        _forget_old_sources(portfolio, run.started_at)
    return build


def _forget_old_sources(portfolio: Portfolio, started_at: datetime) -> None:
    """Texts of earlier runs go, save those that a row still names, or that the owner gave."""
    named: set[Any] = set()
    for model in ENTITIES:
        rows = model._default_manager.filter(portfolio=portfolio).exclude(source=None)
        named |= set(rows.values_list("source_id", flat=True))
    old = Source.objects.filter(portfolio=portfolio, given_at=None, read_at__lt=started_at)
    old.exclude(pk__in=named).delete()
