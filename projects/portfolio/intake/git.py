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
from projects.portfolio.intake.fetch import CannotFetch, UrlPolicy, fetch_text

CLONE_S: Final = 120
READ_S: Final = 20
LARGEST_README_BYTES: Final = 100_000
LARGEST_LISTING_BYTES: Final = 2_000_000
# the first that is there: Markdown before plain text
NAMES: Final = ("readme.md", "readme.mdx", "readme.markdown", "readme.rst", "readme.txt", "readme")
BRANCH: Final = re.compile(r"^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$")
_ENTRY: Final = re.compile(rb"100(?:644|755) blob ([0-9a-f]{40,64})\t(.+)", re.DOTALL)


@dataclass(frozen=True)
class Readme:
    """A README as it was read. `place` is its address or folder, without secrets."""

    text: str
    path: str
    commit: str
    place: str
    is_truncated: bool = False


def find_readme(
    address: str, policy: UrlPolicy, *, branch: str = "", token: str = "", api_url: str = ""
) -> Readme:
    """The root README by the forge's API where it has one, else by git; as `read_readme`."""
    return readme_of(
        address, api_url or api_of(address), policy, branch=branch, token=token
    ) or read_readme(address, policy, branch=branch, token=token)


def read_readme(where: str, policy: UrlPolicy, *, branch: str = "", token: str = "") -> Readme:
    """The root README of a repository at a folder or an http(s) address.

    Raises Skipped when there is no such repository or no README, PreprocessError when git is
    missing or the address may not be asked. The token goes to the address's own host only.
    """
    if branch and not BRANCH.fullmatch(branch):
        raise Skipped(
            Code.REPO_NOT_FOUND, _("“%(name)s” is no name of a branch.") % {"name": branch[:60]}
        )
    url, settings = _source(where, policy, token)
    with tempfile.TemporaryDirectory(prefix="futura-git-") as folder:
        _clone(url, Path(folder) / "bare", branch, settings, where)
        return _readme_in(Path(folder) / "bare", where)


def _source(where: str, policy: UrlPolicy, token: str) -> tuple[str, dict[str, str]]:
    """The address for git and the settings it needs."""
    if where.startswith(("http://", "https://")):
        place = policy.place(where)
        settings = {"http.followRedirects": "initial" if not (token or place.address) else "false"}
        if place.address:
            literal = f"[{place.address}]" if ":" in place.address else place.address
            settings["http.curloptResolve"] = f"{place.host}:443:{literal}"
            settings["http.proxy"] = ""
        if token:
            origin = where[: where.index("/", where.index("://") + 3) + 1]
            word = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            settings[f"http.{origin}.extraHeader"] = f"Authorization: Basic {word}"
        return where, settings
    policy.check_path(where)
    folder = Path(where).expanduser().resolve()
    if not folder.is_dir():
        message = _("There is no repository at %(place)s.") % {"place": where}
        raise Skipped(Code.REPO_NOT_FOUND, message)
    return folder.as_uri(), {"safe.directory": "*"}


def _clone(url: str, target: Path, branch: str, settings: dict[str, str], where: str) -> None:
    only = ["--branch", branch] if branch else []
    words = ["clone", "--bare", "--quiet", "--depth", "1", "--no-tags", "--single-branch", *only]
    if _git([*words, "--", url, str(target)], settings, timeout_s=CLONE_S) is None:
        place = where
        if branch:
            place = _("%(place)s (branch %(branch)s)") % {"place": where, "branch": branch}
        message = _("The repository %(place)s was not found, or is not open to us.")
        raise Skipped(Code.REPO_NOT_FOUND, message % {"place": place})


def _readme_in(bare: Path, where: str) -> Readme:
    place = ["-C", str(bare)]
    head = _git([*place, "rev-parse", "--verify", "HEAD"])
    listing = _git([*place, "ls-tree", "-z", "HEAD"])
    if head is None or listing is None:
        message = _("The repository %(place)s is empty.") % {"place": where}
        raise Skipped(Code.EMPTY_README, message)
    entries = filter(None, map(_ENTRY.fullmatch, listing[:LARGEST_LISTING_BYTES].split(b"\0")))
    paths = {entry[2].decode("utf-8", "replace"): entry[1].decode() for entry in entries}
    path = next((path for name in NAMES for path in paths if path.lower() == name), None)
    if path is None:
        message = _("The repository %(place)s has no README at its root.") % {"place": where}
        raise Skipped(Code.EMPTY_README, message)
    content = _git([*place, "cat-file", "blob", paths[path]]) or b""
    text, is_truncated = truncated(content)
    if not text.strip():
        message = _("The README of %(place)s is empty.") % {"place": where}
        raise Skipped(Code.EMPTY_README, message)
    return Readme(text, path, head.decode().strip(), where, is_truncated)


def truncated(content: bytes) -> tuple[str, bool]:
    """The first 100 kB as text, and whether there was more."""
    is_truncated = len(content) > LARGEST_README_BYTES
    text = content[:LARGEST_README_BYTES].decode("utf-8", "ignore" if is_truncated else "replace")
    return text.replace("\x00", ""), is_truncated


def _git(
    words: list[str], settings: Mapping[str, str] | None = None, *, timeout_s: float = READ_S
) -> bytes | None:
    """What git says, with nothing of this machine's settings; None when it failed or was slow.

    Settings go by the environment, so that no token stands in a list of processes.
    """
    strict = {
        "core.hooksPath": os.devnull,
        "credential.helper": "",
        "protocol.ext.allow": "never",
        "transfer.fsckObjects": "false",
        **(settings or {}),
    }
    environment = {
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_ALLOW_PROTOCOL": "file:http:https",
        "GIT_CONFIG_COUNT": str(len(strict)),
    }
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
        raise PreprocessError(
            Code.REPO_NOT_FOUND, _("git is not installed on this machine, and is needed.")
        ) from error
    return done.stdout if done.returncode == 0 else None


HOST: Final = "github.com"
API_URL: Final = "https://api.github.com"
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")


def api_of(address: str) -> str:
    """The API of the forge at which a repository lies; empty where none is known."""
    return API_URL if urlsplit(address).hostname == HOST else ""


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
    ref = f"?ref={quote(branch, safe='')}" if branch else ""
    try:
        answer = json.loads(fetch_text(f"{base}/readme{ref}", policy, headers=headers))
        commit = fetch_text(
            f"{base}/commits/{quote(branch or 'HEAD', safe='')}",
            policy,
            headers={**headers, "Accept": "application/vnd.github.sha"},
        ).strip()
        content = base64.b64decode(answer["content"])
        name = str(answer["path"])
    except (CannotFetch, ValueError, KeyError, TypeError):
        return None
    text, is_truncated = truncated(content)
    if name.lower() not in NAMES or not text.strip() or not _COMMIT.fullmatch(commit):
        return None
    return Readme(text, name, commit, address, is_truncated)
