"""Addresses of repositories and pages, and lists of them: as JSON, as lines, from a gist."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from django.utils.text import slugify
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from projects.portfolio.intake.config import GitHub
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.intake.fetch import COMMAND, LARGEST_BYTES, CannotFetch, fetch_text

GIST_HOST: Final = "gist.github.com"
CLONE_BASE: Final = "https://github.com"
REPOSITORIES: Final = 2_000
AT_ONCE: Final = 100
"""Addresses that a person gives."""
ADDRESS_CHARS: Final = 400
_SHORT: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}")
_PARTS_OF_A_PAGE: Final = re.compile(r"/(?:tree|blob|issues|pulls?|wiki|releases|-)(?:/.*)?$")
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/|$)")
_POINT: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")


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

    @property
    def is_read(self) -> bool:
        """Whether the chat knows it."""
        return self.include and not self.hide_from_chat


_LIST: Final = TypeAdapter(list[RepoConfig])


# Lists -------------------------------------------------------------------------------------------
def read_list(github: GitHub, folder: Path, token: str = "") -> list[RepoConfig]:
    """The list of a configuration, from its file or its address. Raises PreprocessError."""
    if github.repo_list_path:
        return parsed(_from_file(folder / github.repo_list_path))
    return parsed(_from_address(github, token))


def _from_file(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise PreprocessError(Code.GIST_INVALID, f"{file.name} is far too large for a list.")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PreprocessError(
            Code.GIST_UNAVAILABLE, f"the list of repositories {file} cannot be read ({error})."
        ) from error


def _from_address(github: GitHub, token: str) -> str:
    url = github.portfolio_repo_config_gist_url
    parts = urlsplit(url)
    if parts.hostname == GIST_HOST:
        url = f"{github.api_url.rstrip('/')}/gists/{parts.path.rstrip('/').rpartition('/')[2]}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        return _of_gist(fetch_text(url, COMMAND, headers=headers))
    except CannotFetch as error:
        message = f"the list of repositories cannot be fetched: {error}"
        raise PreprocessError(
            Code.GIST_UNAVAILABLE,
            f"{message} Check the address and run it again.",
            retry_helps=True,
        ) from error


def _of_gist(text: str) -> str:
    """The list within what a gist's API tells; the text itself when it is no gist."""
    try:
        answer = json.loads(text)
    except ValueError:
        return text
    files = answer.get("files") if isinstance(answer, dict) else None
    if not isinstance(files, dict):
        return text
    named = sorted(files.items(), key=lambda item: (not item[0].endswith(".json"), item[0]))
    for _name, file in named:
        if not isinstance(file, dict):
            continue
        if file.get("truncated") and file.get("raw_url"):
            return fetch_text(str(file["raw_url"]), COMMAND)
        return str(file.get("content") or "")
    return ""


def parsed(text: str) -> list[RepoConfig]:
    """A list as JSON. Raises PreprocessError that names every wrong line."""
    try:
        repositories = _LIST.validate_python(json.loads(text))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'list'}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise PreprocessError(Code.GIST_INVALID, f"the list of repositories: {faults}.") from error
    except (ValueError, RecursionError) as error:
        raise PreprocessError(
            Code.GIST_INVALID, f"the list of repositories is no JSON ({error})."
        ) from error
    if len(repositories) > REPOSITORIES:
        raise PreprocessError(Code.GIST_INVALID, f"more than {REPOSITORIES:,} repositories.")
    ids = [repo.project_id for repo in repositories]
    if twice := sorted({doc_id for doc_id in ids if ids.count(doc_id) > 1}):
        message = f"the projectId {', '.join(twice)} stands there more than once."
        raise PreprocessError(Code.GIST_INVALID, message)
    return repositories


# Addresses ---------------------------------------------------------------------------------------
def is_address(place: str) -> bool:
    """Whether a place is one of the web; others are files, folders or pasted texts."""
    return place.startswith(("https://", "http://"))


def place_of(repo: RepoConfig, github: GitHub, folder: Path) -> str:
    """Where git finds it: an address, or a folder relative to the configuration."""
    name, base = repo.repo, github.clone_base.rstrip("/")
    if is_address(name):
        return name
    if name.startswith((".", "/", "~")):
        return str((folder / Path(name).expanduser()).resolve())
    return f"{base}/{name}" if is_address(base) else str((folder / base / name).resolve())


def addresses_in(typed: str) -> list[str]:
    """The addresses that a person gives, one on each line. Raises PreprocessError."""
    lines = (_POINT.sub("", line).strip().rstrip(",;") for line in typed.splitlines())
    addresses = list(dict.fromkeys(address_of(line) for line in lines if line))
    if len(addresses) > AT_ONCE:
        message = _("At most %(n)d repositories at once.") % {"n": AT_ONCE}
        raise PreprocessError(Code.TOO_MANY, message)
    return addresses


def address_of(typed: str) -> str:
    """Where git finds it, as https. Raises PreprocessError for what is no address of anything."""
    text = typed.strip().rstrip("/")
    if _SHORT.fullmatch(text):
        return f"{CLONE_BASE}/{text.removesuffix('.git')}"
    parts = urlsplit(page_address(text))
    if len(parts.path) < 2:
        raise _no_address(
            typed, _("not the address of a repository. Enter https://… or owner/name.")
        )
    normalized = parts._replace(query="", path=_PARTS_OF_A_PAGE.sub("", parts.path))
    return normalized.geturl().removesuffix(".git")


def page_address(typed: str) -> str:
    """A web address as https, without the place on its page. Raises PreprocessError."""
    text = typed.strip()
    if "://" not in text and _HOST.match(text):
        text = f"https://{text}"
    if text.startswith("http://"):
        text = f"https://{text.removeprefix('http://')}"
    try:
        parts: Any = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    is_blank_free = not any(ord(letter) <= 32 for letter in text)
    if not (
        parts.scheme == "https" and parts.hostname and is_blank_free and len(text) <= ADDRESS_CHARS
    ):
        raise _no_address(typed, _("not the address of a repository or a page. Enter https://…"))
    return str(parts._replace(fragment="").geturl())


def _no_address(typed: str, why: str) -> PreprocessError:
    shown = _("“%(told)s” is %(why)s") % {"told": typed.strip()[:80], "why": why}
    return PreprocessError(Code.ADDRESS_REFUSED, shown)


def name_of(address: str) -> str:
    """The last part of an address, as an id: `https://…/mara/kiln` is `kiln`."""
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return slugify(last)[:80].strip("-_") or "project"
