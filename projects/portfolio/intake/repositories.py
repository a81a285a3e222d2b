"""The list of repositories: which are read, under which id, and which companies they belong to."""

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
from projects.portfolio.intake.fetch import LARGEST_BYTES, CannotFetch, UrlPolicy, fetch

GIST_HOST: Final = "gist.github.com"
REPOSITORIES: Final = 2_000


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


def read_list(github: GitHub, folder: Path, policy: UrlPolicy, token: str = "") -> list[RepoConfig]:
    """The list from its file or its address. Raises PreprocessError."""
    if github.repo_list_path:
        return parsed(_from_file(folder / github.repo_list_path, policy))
    return parsed(_from_address(github, policy, token))


def _from_file(file: Path, policy: UrlPolicy) -> str:
    policy.check_path(str(file))
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise PreprocessError(Code.GIST_INVALID, f"{file.name} is far too large for a list.")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PreprocessError(
            Code.GIST_UNAVAILABLE, f"the list of repositories {file} cannot be read ({error})."
        ) from error


def _from_address(github: GitHub, policy: UrlPolicy, token: str) -> str:
    url = github.portfolio_repo_config_gist_url
    parts = urlsplit(url)
    if parts.hostname == GIST_HOST:
        url = f"{github.api_url.rstrip('/')}/gists/{parts.path.rstrip('/').rpartition('/')[2]}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        text = fetch(url, policy, headers=headers)
        return _of_gist(text, policy)
    except CannotFetch as error:
        raise PreprocessError(
            Code.GIST_UNAVAILABLE,
            f"the list of repositories cannot be fetched: {error} Check the address and run it "
            "again.",
            retry_helps=True,
        ) from error


def _of_gist(text: str, policy: UrlPolicy) -> str:
    """The list within what a gist's API tells; the text itself when it is no gist."""
    try:
        told = json.loads(text)
    except ValueError:
        return text
    files = told.get("files") if isinstance(told, dict) else None
    if not isinstance(files, dict):
        return text
    named = sorted(files.items(), key=lambda item: (not item[0].endswith(".json"), item[0]))
    for __, file in named:
        if not isinstance(file, dict):
            continue
        if file.get("truncated") and file.get("raw_url"):
            return fetch(str(file["raw_url"]), policy)
        return str(file.get("content") or "")
    return ""


def parsed(text: str) -> list[RepoConfig]:
    """A list as JSON. Raises PreprocessError that names every wrong line."""
    try:
        told: Any = json.loads(text)
        found = _LIST.validate_python(told)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in one['loc']) or 'list'}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        )
        raise PreprocessError(Code.GIST_INVALID, f"the list of repositories: {faults}.") from error
    except (ValueError, RecursionError) as error:
        raise PreprocessError(
            Code.GIST_INVALID, f"the list of repositories is no JSON ({error})."
        ) from error
    if len(found) > REPOSITORIES:
        raise PreprocessError(Code.GIST_INVALID, f"more than {REPOSITORIES:,} repositories.")
    ids = [one.project_id for one in found]
    if twice := sorted({one for one in ids if ids.count(one) > 1}):
        raise PreprocessError(
            Code.GIST_INVALID, f"the projectId {', '.join(twice)} stands there more than once."
        )
    return found


def place_of(repo: RepoConfig, github: GitHub, folder: Path) -> str:
    """Where git finds it: an address, or a folder relative to the configuration."""
    name = repo.repo
    if name.startswith(("https://", "http://")):
        return name
    if name.startswith((".", "/", "~")):
        return str((folder / Path(name).expanduser()).resolve())
    base = github.clone_base.rstrip("/")
    if base.startswith(("https://", "http://")):
        return f"{base}/{name}"
    return str((folder / base / name).resolve())


def page_of(place: str) -> str | None:
    """The repository's page, where it has one."""
    return place.removesuffix(".git") if place.startswith(("https://", "http://")) else None


CLONE_BASE: Final = "https://github.com"
MOST: Final = 100
ADDRESS_CHARS: Final = 400
_SHORT: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}")
_PARTS_OF_A_PAGE: Final = re.compile(r"/(?:tree|blob|issues|pulls?|wiki|releases|-)(?:/.*)?$")
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/|$)")


def address_of(told: str) -> str:
    """Where git finds it, as https. Raises PreprocessError for what is no address of anything."""
    text = told.strip().rstrip("/")
    if _SHORT.fullmatch(text):
        return f"{CLONE_BASE}/{text.removesuffix('.git')}"
    parts = urlsplit(page_address(text))
    if len(parts.path) < 2:
        raise _no_address(told, _("no address of a repository. Write https://… or owner/name."))
    plain = parts._replace(query="", fragment="", path=_PARTS_OF_A_PAGE.sub("", parts.path))
    return plain.geturl().removesuffix(".git")


def page_address(told: str) -> str:
    """A web address as https, without the place on its page. Raises PreprocessError."""
    text = told.strip()
    if "://" not in text and _HOST.match(text):
        text = f"https://{text}"
    if text.startswith("http://"):
        text = f"https://{text.removeprefix('http://')}"
    try:
        parts = urlsplit(text)
        is_one = parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        is_one = False
    if not is_one or len(text) > ADDRESS_CHARS or any(ord(letter) <= 32 for letter in text):
        raise _no_address(told, _("no address of a repository or a page. Write https://…"))
    return parts._replace(fragment="").geturl()


def _no_address(told: str, why: str) -> PreprocessError:
    shown = _("“%(told)s” is %(why)s") % {"told": told.strip()[:80], "why": why}
    return PreprocessError(Code.ADDRESS_REFUSED, shown)


def name_of(address: str) -> str:
    """The last part of an address, as an id: `https://…/mara/kiln` is `kiln`."""
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return slugify(last)[:80].strip("-_") or "project"


def listed(text: str) -> list[RepoConfig]:
    """A list: JSON as in the spec, or a repository on each line. Raises PreprocessError."""
    if text.lstrip()[:1] == "[":
        return parsed(text)
    found: dict[str, RepoConfig] = {}
    for line in text.splitlines():
        bare = re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", line).strip().rstrip(",;")
        if bare:
            address = address_of(bare)
            found.setdefault(address, RepoConfig(repo=address, project_id=name_of(address)))
    if len(found) > MOST:
        raise PreprocessError(
            Code.GIST_INVALID, _("At most %(n)d repositories at once, please.") % {"n": MOST}
        )
    return list(found.values())
