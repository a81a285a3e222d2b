"""One run: reads everything, checks it, then stores it whole or not at all."""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from django.utils import timezone

from futura.llm.client import Llm
from futura.progress import Quiet, Reporter
from projects.portfolio import undecided
from projects.portfolio.corpus import (
    Corpus,
    ExperienceRecord,
    PersonaSummary,
    ProjectDoc,
    ResumeDoc,
    months_between,
)
from projects.portfolio.documents import Doc, documents_of
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake import git, linking, model, pdf, understanding, validation
from projects.portfolio.intake import git as forge
from projects.portfolio.intake import prompts as resume_prompts
from projects.portfolio.intake import sandbox as apart
from projects.portfolio.intake import source_prompts as prompts
from projects.portfolio.intake.basic import profile as profiles
from projects.portfolio.intake.config import Config
from projects.portfolio.intake.drafts import record_of
from projects.portfolio.intake.failures import Code, PreprocessError, Skipped, Warned, embedded
from projects.portfolio.intake.fetch import Reach
from projects.portfolio.intake.measure import Measure
from projects.portfolio.intake.plan import Origin, Plan, plan
from projects.portfolio.intake.repositories import RepoConfig, page_of, place_of, read_list
from projects.portfolio.intake.voice import read_examples
from projects.portfolio.models import Portfolio, Source

T = TypeVar("T")

PROFILE_BYTES: Final = 200_000
# failures of one item that `--skip-failures` passes over
MAY_BE_SKIPPED: Final = frozenset(
    {Code.LLM_RATE_LIMIT, Code.LLM_TIMEOUT, Code.LLM_INVALID_RESPONSE, Code.LLM_UNAVAILABLE}
)


@dataclass
class Found:
    """What a run has read and made, before it is stored."""

    corpus: Corpus
    repos: list[RepoConfig]
    sources: list[Source]
    plan: Plan
    docs: list[Doc]
    vectors: Vectors


@dataclass
class Run:
    """Reads one portfolio. `folder` is what paths of the configuration are relative to."""

    config: Config
    folder: Path
    reach: Reach
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
        self.reader = understanding.Reader(
            owner=self.config.owner,
            retries=self.config.retries,
            llm=self.llm,
            has_model=self.has_model,
            model=self.config.models.enrichment_model,
            warn=self.measure.warn,
        )
        self.sources: list[Source] = []
        self.origin: dict[str, uuid.UUID] = {}

    def read(self, portfolio: Portfolio | None) -> Found:
        """Everything, checked, with vectors; nothing is stored. Raises PreprocessError."""
        corpus = Corpus()
        repos = self._repositories()
        corpus.projects = self._projects(repos)
        corpus.resume = self._resume()
        kept = {one.id for one in corpus.projects}
        linking.link(
            [one for one in repos if one.project_id in kept], corpus.experiences, self.measure.warn
        )
        for line in linking.listing(list(corpus.experiences)):
            self.tell(line)
        voice = self._profile(corpus)
        validation.check_corpora(corpus)
        corpus.persona = self._persona(corpus, voice)
        validation.check_links(corpus)
        found = plan(self.config.owner, portfolio, corpus, self._origin())
        cleared = undecided.cleared(portfolio.pk) if portfolio else frozenset()
        docs = documents_of(found.rows, found.links, cleared=cleared)
        vectors = self._vectors(docs)
        validation.check_vectors(portfolio, docs, vectors)
        return Found(corpus, repos, self.sources, found, docs, vectors)

    # Reading -------------------------------------------------------------------------------------
    def _repositories(self) -> list[RepoConfig]:
        github = self.config.github
        self.reporter.step("Reading the list of repositories")
        with self.measure.item(
            "list", github.portfolio_repo_config_gist_url or github.repo_list_path
        ):
            found = read_list(github, self.folder, self.reach, self._token())
        place = github.portfolio_repo_config_gist_url or github.repo_list_path
        self._read_from(Source.Kind.REPOSITORY_LIST, place, method=Source.Method.PERSON)
        wanted = [one for one in found if one.is_read]
        most = self.config.options.max_projects
        for one in wanted[most:]:
            self._skipped(one.project_id, Code.TOO_MANY, f"more than {most} projects.")
        return wanted[:most]

    def _token(self) -> str:
        name = self.config.github.github_access_token_env_var
        return os.environ.get(name, "") if name else ""

    def _projects(self, repos: Sequence[RepoConfig]) -> list[ProjectDoc]:
        self.reporter.step("Reading repositories", total=len(repos))
        found = []
        for repo in repos:
            project = self._item("projects", repo.project_id, lambda repo=repo: self._project(repo))  # type: ignore[misc]
            if project is not None:
                found.append(project)
            self.reporter.advance()
        return found

    def _project(self, repo: RepoConfig) -> ProjectDoc:
        place = place_of(repo, self.config.github, self.folder)
        branch = repo.branch or self.config.github.branch
        token = self._token() if place.startswith(self.config.github.clone_base) else ""
        github = self.config.github
        has_own_api = github.api_url != forge.API_URL and place.startswith(github.clone_base)
        api_url = github.api_url if has_own_api else forge.api_of(place)
        read = forge.readme_of(
            place, api_url, self.reach, branch=branch, token=token
        ) or git.read_readme(place, self.reach, branch=branch, token=token)
        if read.is_truncated:
            told = f"the README of {repo.repo} is cut to its first 100 KB."
            self.measure.warn(Warned(Code.README_TRUNCATED, repo.project_id, told))
        project = understanding.project(self.reader, read.text, repo, page_of(place))
        self.origin[repo.project_id] = self._read_from(
            Source.Kind.README,
            f"{place}#{read.path}",
            text=read.text,
            commit=read.commit,
            doc_id=repo.project_id,
            version=prompts.README_VERSION,
        )
        return project

    def _resume(self) -> list[ResumeDoc]:
        self.reporter.step("Reading the resume")
        name = self.config.resume.path
        text = apart.text_of(pdf.read_pdf(self._file(name)), Path(name).name)
        drafts = self._item("resume", name, lambda: model.drafts_of(self.reader, text)) or []
        for left in (one for one in drafts if one.missing):
            lines = " / ".join(text[left.start : left.end].splitlines())
            self.measure.warn(Warned(Code.RESUME_UNREAD, "resume", f"not read: {lines}"))
        records = [one for one in map(record_of, drafts) if one is not None]
        self.origin["resume"] = self._read_from(
            Source.Kind.RESUME, name, text=text, version=resume_prompts.VERSION
        )
        most = self.config.options.max_resume_entries
        for one in records[most:]:
            self._skipped(one.id, Code.TOO_MANY, f"more than {most} entries of the resume.")
        records = records[:most]
        today = timezone.localdate()
        for one in records:
            if isinstance(one, ExperienceRecord) and one.dates:
                one.months_of_experience = months_between(
                    one.dates.start, one.dates.end, today=today, is_current=one.is_current
                )
        return records

    def _profile(self, corpus: Corpus) -> list[str]:
        """Reads the profile into the corpus; gives back the examples of the owner's voice."""
        self.reporter.step("Reading the profile")
        name = self.config.profile.profile_markdown_path
        text = self._markdown(name)
        corpus.profile = self._item(
            "profile", name, lambda: understanding.profile(self.reader, text)
        )
        corpus.private_contact = profiles.contacts_of(text)
        self.origin["profile"] = self._read_from(
            Source.Kind.PROFILE, name, text=text, version=prompts.PROFILE_VERSION
        )
        examples = profiles.voice_in(text)
        if path := self.config.profile.voice_examples_path:
            examples = [*read_examples(self._file(path)), *examples]
            self._read_from(Source.Kind.VOICE, path, method=Source.Method.PERSON)
        return list(dict.fromkeys(examples))

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

    def _persona(self, corpus: Corpus, voice: Sequence[str]) -> PersonaSummary | None:
        self.reporter.step("Finding the voice")
        found = self._item(
            "persona", "persona", lambda: understanding.persona(self.reader, corpus, voice)
        )
        self.origin["persona"] = self._read_from(
            Source.Kind.CORPUS, "profile, resume and projects", version=prompts.PERSONA_VERSION
        )
        return found

    def _vectors(self, docs: Sequence[Doc]) -> Vectors:
        self.reporter.step("Embedding", total=len(docs))
        space = self.measure.space
        with self.measure.item("embeddings", space, method=self.method.value):
            try:
                return embedded(lambda: building.embed(docs, space, self.llm), self.config.retries)
            except ValueError as error:
                raise PreprocessError(Code.INCOMPLETE_EMBEDDINGS, f"{error}.") from error

    # Keeping account -----------------------------------------------------------------------------
    def _item(self, stage: str, name: str, read: Callable[[], T]) -> T | None:
        """One item, measured; None where it is passed over. Raises PreprocessError."""
        with self.measure.item(stage, name, method=self.method.value) as one:
            try:
                return read()
            except Skipped as skipped:
                one.skipped = skipped.failure
                self._skipped(name, skipped.failure, skipped.reason, stage=stage)
            except PreprocessError as error:
                if not self.skip_failures or error.failure not in MAY_BE_SKIPPED:
                    raise
                one.skipped = error.failure
                self._skipped(name, error.failure, error.reason, stage=stage)
        return None

    def _skipped(self, item: str, code: Code, why: str, *, stage: str = "projects") -> None:
        self.measure.warn(Warned(code, item, why))
        kinds = {"projects": Source.Kind.README, "resume": Source.Kind.RESUME}
        self.sources.append(
            Source(
                kind=kinds.get(stage, Source.Kind.PROFILE),
                place=item[:500],
                doc_id=item[:120],
                outcome=Source.Outcome.SKIPPED,
                method=self.method,
                code=code,
                note=why,
            )
        )

    def _read_from(
        self,
        kind: Source.Kind,
        place: str,
        *,
        text: str = "",
        commit: str = "",
        doc_id: str = "",
        version: str = "",
        method: Source.Method | None = None,
    ) -> uuid.UUID:
        """Notes a source; its id."""
        used = method or self.method
        is_model = used == Source.Method.MODEL
        source = Source(
            kind=kind,
            place=place[:500],
            text=text,
            sha256=hashlib.sha256(text.encode()).hexdigest() if text else "",
            commit=commit,
            doc_id=doc_id,
            method=used,
            model=(self.measure.items[-1].model if is_model and self.measure.items else ""),
            prompt_version=version if is_model else "",
        )
        self.sources.append(source)
        return source.pk

    def _origin(self) -> Origin:
        return Origin(
            by_doc=self.origin,
            resume=self.origin.get("resume"),
            profile=self.origin.get("profile"),
            persona=self.origin.get("persona"),
        )

    def _file(self, name: str) -> Path:
        self.reach.check_path(name)
        return self.folder / name
