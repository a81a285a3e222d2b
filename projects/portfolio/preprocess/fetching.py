"""Fetches a small text from a web address, within limits of size, time, redirects and reach."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx2

from projects.portfolio.preprocess.reach import Reach

LARGEST_BYTES: Final = 2_000_000
REDIRECTS: Final = 3
SILENCE_S: Final = 15.0
DEADLINE_S: Final = 60.0
MOVED: Final = frozenset({301, 302, 303, 307, 308})


class CannotFetch(Exception):
    """Nothing usable came; the message is for a person and holds no secret."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def fetch(url: str, reach: Reach, *, headers: Mapping[str, str] | None = None) -> str:
    """The text behind an address. Raises CannotFetch, and PreprocessError out of reach.

    `headers` go to the host of the address only, never to where it redirects.
    """
    first = _origin(url)
    ends_at = time.monotonic() + DEADLINE_S
    with httpx2.Client(
        timeout=SILENCE_S, follow_redirects=False, trust_env=not reach.is_public
    ) as client:
        for _ in range(REDIRECTS + 1):
            own = dict(headers or {}) if _origin(url) == first else {}
            found = _get(client, url, reach, own, ends_at)
            if isinstance(found, str):
                return found
            url = urljoin(url, found.decode("latin-1"))
    raise CannotFetch(f"{urlsplit(url).hostname} redirects too often.")


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _get(
    client: httpx2.Client, url: str, reach: Reach, headers: dict[str, str], ends_at: float
) -> str | bytes:
    """The text, or as bytes where it moved to."""
    place = reach.place(url)
    more = {"sni_hostname": place.host} if place.address else {}
    asked = {"User-Agent": "futura-portfolio", "Accept-Encoding": "identity", **headers}
    if place.address:
        asked["Host"] = place.host
    try:
        with client.stream("GET", place.pinned_url, headers=asked, extensions=more) as answer:
            if answer.status_code in MOVED:
                return answer.headers.get("location", "").encode("latin-1")
            if answer.status_code != 200:
                raise CannotFetch(
                    f"{place.host} answered with {answer.status_code}.", status=answer.status_code
                )
            return _read(answer, place.host, ends_at)
    except httpx2.TimeoutException as error:
        raise CannotFetch(f"{place.host} did not answer in time.") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise CannotFetch(f"{place.host} cannot be reached ({type(error).__name__}).") from error
    except UnicodeError as error:
        raise CannotFetch(f"What {place.host} sends is no text.") from error


def _read(answer: httpx2.Response, host: str, ends_at: float) -> str:
    content = bytearray()
    for chunk in answer.iter_bytes():
        content += chunk
        if len(content) > LARGEST_BYTES:
            raise CannotFetch(f"What {host} sends is larger than {LARGEST_BYTES // 1000:,} kB.")
        if time.monotonic() > ends_at:
            raise CannotFetch(f"{host} is too slow.")
    return content.decode("utf-8")
