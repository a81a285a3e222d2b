"""The files that say what to read: the configuration and the list of repositories."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from projects.portfolio.intake.failures import Code, PreprocessError, Retries
from projects.portfolio.intake.fetch import COMMAND, CannotFetch, fetch_text, is_address
from projects.portfolio.intake.git import API_URL

LARGEST_BYTES: Final = 1_000_000
GIST_HOST: Final = "gist.github.com"
WebAddress = Annotated[str, StringConstraints(pattern=r"^(https?://|$)")]


class _Part(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, extra="forbid", frozen=True, str_strip_whitespace=True
    )


class Owner(_Part):
    """Who the portfolio belongs to, by the fields of its row; `ownerId` is its address."""

    slug: str = Field(alias="ownerId", pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$", max_length=80)
    owner_name: str = Field(min_length=1, max_length=200)
    pronouns: str = Field("", alias="ownerPronouns", max_length=60)
    domain_label: str = Field(min_length=1, max_length=120)
    kind: Literal["individual", "team", "organization"] = Field("individual", alias="portfolioKind")


class GitHub(_Part):
    """Where the list of repositories stands: a gist (or any address of JSON), or a file."""

    portfolio_repo_config_gist_url: WebAddress = ""
    repo_list_path: str = ""
    github_access_token_env_var: str = Field("", pattern=r"^[A-Z_][A-Z0-9_]*$|^$")
    clone_base: str = "https://github.com"
    api_url: WebAddress = ""  # of the forge at `clone_base`, where that is not GitHub
    branch: str = Field("", pattern=r"^$|^[A-Za-z0-9_.][A-Za-z0-9_./-]*$", max_length=200)

    @model_validator(mode="after")
    def _one_list(self) -> Self:
        if bool(self.portfolio_repo_config_gist_url) == bool(self.repo_list_path):
            raise ValueError("give either portfolioRepoConfigGistUrl or repoListPath")
        return self


class Resume(_Part):
    pdf_path: str = ""
    filename: str = "resume.pdf"

    @property
    def path(self) -> str:
        """`pdfPath`, else `filename`, else resume.pdf."""
        return self.pdf_path or self.filename


class ProfileSource(_Part):
    """The profile as Markdown, and examples of the owner's voice as JSON where there are any."""

    profile_markdown_path: str = "data/chat/profile.md"
    voice_examples_path: str = ""


class Models(_Part):
    """Which models read and embed. Without a key the rules read and the lexical space embeds."""

    enrichment_model: str = ""
    embedding_model: str = ""


class Output(_Part):
    generated_dir: str = "generated"


class Metrics(_Part):
    write_metrics: bool = True
    run_label: str = Field("", max_length=80)


class Options(_Part):
    """Limits; an incremental build rebuilds everything all the same (spec 3, 3.6.5)."""

    incremental_build: bool = True
    max_projects: int = Field(200, ge=1, le=2_000)
    max_resume_entries: int = Field(500, ge=1, le=5_000)


class Config(_Part):
    """The whole file. Paths are relative to the file's folder."""

    owner: Owner
    github: GitHub
    resume: Resume = Resume()
    profile: ProfileSource = ProfileSource()
    models: Models = Models()
    output: Output = Output()
    metrics: Metrics = Metrics()
    options: Options = Options()
    retries: Retries = Retries()


class RepoConfig(BaseModel):
    """One line of the list. A repository is "owner/name", an address, or a folder."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    repo: Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
    project_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
    display_name: str = Field("", max_length=200)
    include: bool = True
    hide_from_chat: bool = False
    linked_to_companies: list[str] = Field(default_factory=list)
    branch: str = ""

    def place(self, clone_base: str, folder: Path) -> str:
        """Where git finds it: an address, or a folder relative to the configuration."""
        base = clone_base.rstrip("/")
        if is_address(self.repo):
            return self.repo
        if self.repo.startswith((".", "/", "~")):
            return str((folder / Path(self.repo).expanduser()).resolve())
        return (
            f"{base}/{self.repo}"
            if is_address(base)
            else str((folder / base / self.repo).resolve())
        )


_LIST: Final = TypeAdapter(Annotated[list[RepoConfig], Field(max_length=2_000)])


def read_text(file: Path, code: Code, what: str) -> str:
    """The text of a file. Raises PreprocessError with this code."""
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise ValueError("far too large")
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PreprocessError(code, f"{what} {file.name} cannot be read ({error}).") from error


def read_config(file: Path) -> Config:
    """The configuration in a file. Raises PreprocessError that names every wrong place."""
    try:
        content = yaml.safe_load(read_text(file, Code.CONFIG_INVALID, "the configuration"))
        return Config.model_validate(content)
    except (yaml.YAMLError, RecursionError) as error:
        why = f"it is no YAML: {' '.join(str(error).split())}"
    except ValidationError as error:
        why = _faults(error)
    raise PreprocessError(Code.CONFIG_INVALID, f"{file.name}: {why}.")


def read_list(github: GitHub, folder: Path, token: str = "") -> list[RepoConfig]:
    """The list of a configuration, from its file or its address. Raises PreprocessError."""
    if github.repo_list_path:
        file = folder / github.repo_list_path
        text = read_text(file, Code.GIST_UNAVAILABLE, "the list of repositories")
    else:
        text = _fetched(github, token)
    try:
        repositories = _LIST.validate_json(text)
    except ValidationError as error:
        message = f"the list of repositories: {_faults(error)}."
        raise PreprocessError(Code.GIST_INVALID, message) from error
    ids = Counter(repo.project_id for repo in repositories)
    if twice := [doc_id for doc_id, count in ids.items() if count > 1]:
        message = f"the projectId {', '.join(twice)} stands there more than once."
        raise PreprocessError(Code.GIST_INVALID, message)
    return repositories


def _fetched(github: GitHub, token: str) -> str:
    """What stands at an address; of a gist its first JSON file."""
    url = github.portfolio_repo_config_gist_url
    parts = urlsplit(url)
    is_gist = parts.hostname == GIST_HOST
    if is_gist:
        url = f"{(github.api_url or API_URL).rstrip('/')}/gists/{Path(parts.path).name}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        text = fetch_text(url, COMMAND, headers=headers)
        if not is_gist:
            return text
        files = json.loads(text)["files"]
        first = min(files, key=lambda name: (not name.endswith(".json"), name))
        return str(files[first]["content"])
    except (CannotFetch, ValueError, LookupError, TypeError) as error:
        raise PreprocessError(
            Code.GIST_UNAVAILABLE,
            f"the list of repositories cannot be fetched: {error} "
            "Check the address and run it again.",
            retry_helps=True,
        ) from error


def _faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_input=False)
    )
