"""Repositories as people write them: “owner/name”, an address, a list of them, JSON."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from django.utils.text import slugify
from django.utils.translation import gettext as _

from projects.portfolio.preprocess.failures import Code, PreprocessError
from projects.portfolio.preprocess.repositories import RepoConfig, parsed

CLONE_BASE: Final = "https://github.com"
MOST: Final = 100
ADDRESS_CHARS: Final = 400
_SHORT: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}")
_PARTS_OF_A_PAGE: Final = re.compile(r"/(?:tree|blob|issues|pulls?|wiki|releases|-)(?:/.*)?$")
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+/\S+")


def address_of(told: str) -> str:
    """Where git finds it, as https. Raises PreprocessError for what is no repository's address."""
    text = told.strip().rstrip("/")
    if _SHORT.fullmatch(text):
        return f"{CLONE_BASE}/{text.removesuffix('.git')}"
    if "://" not in text and _HOST.fullmatch(text):
        text = f"https://{text}"
    if text.startswith("http://"):
        text = f"https://{text.removeprefix('http://')}"
    try:
        parts = urlsplit(text)
        is_one = parts.scheme == "https" and bool(parts.hostname) and len(parts.path) > 1
    except ValueError:
        is_one = False
    if not is_one or len(text) > ADDRESS_CHARS or any(ord(letter) <= 32 for letter in text):
        raise PreprocessError(
            Code.ADDRESS_REFUSED,
            _("“%(told)s” is no address of a repository. Write https://… or owner/name.")
            % {"told": told.strip()[:80]},
        )
    plain = parts._replace(query="", fragment="", path=_PARTS_OF_A_PAGE.sub("", parts.path))
    return plain.geturl().removesuffix(".git")


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
