"""The file that says what to read: its form, its defaults, and clear words for what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.alias_generators import to_camel

from projects.portfolio.intake.failures import Code, PreprocessError, Retries

LARGEST_BYTES: Final = 100_000


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

    portfolio_repo_config_gist_url: str = ""
    repo_list_path: str = ""
    github_access_token_env_var: str = Field("", pattern=r"^[A-Z_][A-Z0-9_]*$|^$")
    clone_base: str = "https://github.com"
    api_url: str = "https://api.github.com"
    branch: str = Field("", pattern=r"^$|^[A-Za-z0-9_.][A-Za-z0-9_./-]*$", max_length=200)

    @model_validator(mode="after")
    def _one_list(self) -> GitHub:
        if bool(self.portfolio_repo_config_gist_url) == bool(self.repo_list_path):
            raise ValueError("give either portfolioRepoConfigGistUrl or repoListPath")
        return self

    @field_validator("portfolio_repo_config_gist_url", "api_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and urlsplit(value).scheme not in {"https", "http"}:
            raise ValueError("must be an address that begins with https://")
        return value


class Resume(_Part):
    """The resume as a PDF."""

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
    """Where the written corpus goes."""

    generated_dir: str = "generated"


class Metrics(_Part):
    """Whether a file of metrics is written for each run, and what the run is called."""

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


def read_config(file: Path) -> Config:
    """The configuration in a file. Raises PreprocessError that names every wrong place."""
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise _invalid(file, "it is far too large for a configuration")
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid(file, f"it cannot be read ({error})") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise _invalid(file, f"it is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise _invalid(file, "it must hold owner, github, resume and profile")
    try:
        return Config.model_validate(content)
    except ValidationError as error:
        faults = (
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise _invalid(file, "; ".join(faults)) from error


def _invalid(file: Path, why: str) -> PreprocessError:
    return PreprocessError(Code.CONFIG_INVALID, f"{file.name}: {why}.")
