"""Reads the README at the root of a repository: by GitHub's API, which is one call, else by git.

Nothing of a repository is ever run: a bare, shallow clone has no hooks, no filters, no links.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from projects.portfolio.intake.failures import Code, PreprocessError, Skipped
from projects.portfolio.intake.fetch import CannotFetch, UrlPolicy, fetch_text, is_address

CLONE_S: Final = 120
READ_S: Final = 20
LARGEST_README_BYTES: Final = 100_000
LARGEST_LISTING_BYTES: Final = 2_000_000
API_URL: Final = "https://api.github.com"
# the first that is there: Markdown before plain text
NAMES: Final = ("readme.md", "readme.mdx", "readme.markdown", "readme.rst", "readme.txt", "readme")
BRANCH: Final = re.compile(r"^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$")
_ENTRY: Final = re.compile(rb"100(?:644|755) blob ([0-9a-f]{40,64})\t(.+)", re.DOTALL)
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")
_STRICT: Final = {
    "core.hooksPath": os.devnull,
    "credential.helper": "",
    "protocol.ext.allow": "never",
    "transfer.fsckObjects": "false",
}
_ENVIRONMENT: Final = {
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_ALLOW_PROTOCOL": "file:http:https",
}


@dataclass(frozen=True)
class Readme:
    """A README as it was read."""

    text: str
    path: str
    commit: str
    is_truncated: bool = False

    @classmethod
    def of(cls, content: bytes, path: str, commit: str) -> Readme:
        """The first 100 kB as text."""
        is_cut = len(content) > LARGEST_README_BYTES
        text = content[:LARGEST_README_BYTES].decode("utf-8", "ignore" if is_cut else "replace")
        return cls(text.replace("\x00", ""), path, commit, is_cut)


def find_readme(
    address: str, policy: UrlPolicy, *, branch: str = "", token: str = "", api_url: str = ""
) -> Readme:
    """The root README by the forge's API where it has one, else by git; as `read_readme`."""
    if not api_url and urlsplit(address).hostname == "github.com":
        api_url = API_URL
    by_api = readme_of(address, api_url, policy, branch=branch, token=token)
    return by_api or read_readme(address, policy, branch=branch, token=token)


# By the forge ------------------------------------------------------------------------------------
def readme_of(
    address: str, api_url: str, policy: UrlPolicy, *, branch: str = "", token: str = ""
) -> Readme | None:
    """The README at the root of a repository; None where the API has none for us.

    Raises PreprocessError out of policy. The token goes to the API's own host only.
    """
    path = urlsplit(address).path.strip("/").removesuffix(".git")
    if not api_url or path.count("/") != 1:
        return None
    base = f"{api_url.rstrip('/')}/repos/{quote(path)}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    as_commit = {**headers, "Accept": "application/vnd.github.sha"}
    ref = quote(branch, safe="")
    try:
        answer = json.loads(
            fetch_text(f"{base}/readme{f'?ref={ref}' if ref else ''}", policy, headers=headers)
        )
        commit = fetch_text(f"{base}/commits/{ref or 'HEAD'}", policy, headers=as_commit).strip()
        readme = Readme.of(base64.b64decode(answer["content"]), str(answer["path"]), commit)
    except (CannotFetch, ValueError, KeyError, TypeError):
        return None
    is_whole = readme.path.lower() in NAMES and readme.text.strip() and _COMMIT.fullmatch(commit)
    return readme if is_whole else None


# By git ------------------------------------------------------------------------------------------
def read_readme(where: str, policy: UrlPolicy, *, branch: str = "", token: str = "") -> Readme:
    """The root README of a repository at a folder or an http(s) address.

    Raises Skipped when there is no such repository or no README, PreprocessError when git is
    missing or the address may not be asked. The token goes to the address's own host only.
    """
    if branch and not BRANCH.fullmatch(branch):
        values = {"name": branch[:60]}
        raise Skipped(Code.REPO_NOT_FOUND, _("“%(name)s” is no name of a branch.") % values)
    url, settings = _source(where, policy, token)
    only = ["--branch", branch] if branch else []
    with tempfile.TemporaryDirectory(prefix="futura-git-") as folder:
        bare = f"{folder}/bare"
        clone = ["clone", "--bare", "--quiet", "--depth", "1", "--no-tags", "--single-branch"]
        if _git([*clone, *only, "--", url, bare], settings, timeout_s=CLONE_S) is None:
            place = {"place": where, "branch": branch}
            if branch:
                place["place"] = _("%(place)s (branch %(branch)s)") % place
            message = _("The repository %(place)s was not found, or is not open to us.")
            raise Skipped(Code.REPO_NOT_FOUND, message % place)
        return _readme_in(bare, where)


def _source(where: str, policy: UrlPolicy, token: str) -> tuple[str, dict[str, str]]:
    """The address for git and the settings it needs."""
    if not is_address(where):
        policy.check_path(where)
        folder = Path(where).expanduser().resolve()
        if not folder.is_dir():
            message = _("There is no repository at %(place)s.") % {"place": where}
            raise Skipped(Code.REPO_NOT_FOUND, message)
        return folder.as_uri(), {"safe.directory": "*"}
    place = policy.place(where)
    settings = {"http.followRedirects": "initial" if not (token or place.address) else "false"}
    if place.address:
        settings["http.curloptResolve"] = f"{place.host}:443:{place.literal}"
        settings["http.proxy"] = ""
    if token:
        parts = urlsplit(where)
        word = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        header = f"http.{parts.scheme}://{parts.netloc}/.extraHeader"
        settings[header] = f"Authorization: Basic {word}"
    return where, settings


def _readme_in(bare: str, where: str) -> Readme:
    place = {"place": where}
    head = _git(["-C", bare, "rev-parse", "--verify", "HEAD"])
    listing = _git(["-C", bare, "ls-tree", "-z", "HEAD"])
    if head is None or listing is None:
        raise Skipped(Code.EMPTY_README, _("The repository %(place)s is empty.") % place)
    entries = filter(None, map(_ENTRY.fullmatch, listing[:LARGEST_LISTING_BYTES].split(b"\0")))
    paths = {entry[2].decode("utf-8", "replace"): entry[1].decode() for entry in entries}
    path = next((path for name in NAMES for path in paths if path.lower() == name), None)
    if path is None:
        message = _("The repository %(place)s has no README at its root.")
        raise Skipped(Code.EMPTY_README, message % place)
    content = _git(["-C", bare, "cat-file", "blob", paths[path]]) or b""
    readme = Readme.of(content, path, head.decode().strip())
    if not readme.text.strip():
        raise Skipped(Code.EMPTY_README, _("The README of %(place)s is empty.") % place)
    return readme


def _git(
    words: list[str], settings: Mapping[str, str] | None = None, *, timeout_s: float = READ_S
) -> bytes | None:
    """What git says, with nothing of this machine's settings; None when it failed or was slow.

    Settings go by the environment, so that no token stands in a list of processes.
    """
    strict = {**_STRICT, **(settings or {})}
    environment = {**_ENVIRONMENT, "GIT_CONFIG_COUNT": str(len(strict))}
    for place, (key, value) in enumerate(strict.items()):
        environment |= {f"GIT_CONFIG_KEY_{place}": key, f"GIT_CONFIG_VALUE_{place}": value}
    for name in {"PATH", "LANG", "TMPDIR"} & os.environ.keys():
        environment[name] = os.environ[name]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and every word is ours or behind "--"
            ["git", *words],  # noqa: S607
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        message = _("git is not installed on this machine, and is needed.")
        raise PreprocessError(Code.REPO_NOT_FOUND, message) from error
    return done.stdout if done.returncode == 0 else None
