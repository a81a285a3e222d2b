"""Asks a forge's API for a README, which is one call where a clone is the whole repository.

Only GitHub's form of the API is known. Where it does not answer, git is asked.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Final
from urllib.parse import quote, urlsplit

from projects.portfolio.preprocess.fetching import CannotFetch, fetch
from projects.portfolio.preprocess.git import NAMES, Readme, truncated
from projects.portfolio.preprocess.reach import Reach

HOST: Final = "github.com"
API_URL: Final = "https://api.github.com"
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")


def api_of(address: str) -> str:
    """The API of the forge at which a repository lies; empty where none is known."""
    return API_URL if urlsplit(address).hostname == HOST else ""


def readme_of(
    address: str, api_url: str, reach: Reach, *, branch: str = "", token: str = ""
) -> Readme | None:
    """The README at the root of a repository; None where the API has none for us.

    Raises PreprocessError out of reach. The token goes to the API's own host only.
    """
    path = urlsplit(address).path.strip("/").removesuffix(".git")
    if not api_url or path.count("/") != 1:
        return None
    base = f"{api_url.rstrip('/')}/repos/{quote(path)}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    ref = f"?ref={quote(branch, safe='')}" if branch else ""
    try:
        told = json.loads(fetch(f"{base}/readme{ref}", reach, headers=headers))
        commit = fetch(
            f"{base}/commits/{quote(branch or 'HEAD', safe='')}",
            reach,
            headers={**headers, "Accept": "application/vnd.github.sha"},
        ).strip()
        content = base64.b64decode(told["content"])
        name = str(told["path"])
    except (CannotFetch, ValueError, KeyError, TypeError):
        return None
    text, is_truncated = truncated(content)
    if name.lower() not in NAMES or not text.strip() or not _COMMIT.fullmatch(commit):
        return None
    return Readme(text, name, commit, address, is_truncated)
