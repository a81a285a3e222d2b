"""Fetches a release from an http(s) address into a file, within limits of size and time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import httpx2

from futura.progress import Reporter
from onet.loading.catalogue import CannotLoad

MAX_BYTES: Final = 512 * 1024 * 1024
SILENCE_S: Final = 30
"""The server may be silent for so long."""
DEADLINE_S: Final = 20 * 60
HEADERS: Final = {"User-Agent": "futura-onet-load", "Accept-Encoding": "identity"}


def download(address: str, target: Path, reporter: Reporter, *, max_bytes: int = MAX_BYTES) -> Path:
    """The file behind the address, written to `target`; raises CannotLoad with the reason."""
    host = "the server"
    try:
        host = httpx2.URL(address).host or host
        with httpx2.stream(
            "GET", address, headers=HEADERS, timeout=SILENCE_S, follow_redirects=True
        ) as answer:
            _check(answer, host)
            _copy(answer, target, host, reporter, max_bytes)
    except httpx2.TimeoutException as error:
        raise CannotLoad(f"{host} did not answer within {SILENCE_S} seconds. Try again.") from error
    except httpx2.RemoteProtocolError as error:
        raise CannotLoad(f"The download from {host} broke off early. Try again.") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        reason = str(error).rstrip(".")
        raise CannotLoad(f"The download from {host} failed: {reason}. Try again.") from error
    return target


def _check(answer: httpx2.Response, host: str) -> None:
    if not answer.is_success:
        raise CannotLoad(
            f"{host} answered with {answer.status_code} {answer.reason_phrase}. Check the address; "
            "it must be that of the zip file itself."
        )
    if answer.headers.get("Content-Type", "").startswith("text/html"):
        raise CannotLoad(
            f"{host} answered with a web page instead of a zip file. Give the address of the "
            "zip file itself."
        )


def _copy(
    answer: httpx2.Response, target: Path, host: str, reporter: Reporter, max_bytes: int
) -> None:
    announced = int(answer.headers.get("Content-Length") or 0)
    reporter.step("Downloading", total=announced or None)
    ends_at = time.monotonic() + DEADLINE_S
    received = 0
    with target.open("wb") as file:
        for chunk in answer.iter_raw():
            received += len(chunk)
            if max(received, announced) > max_bytes:
                raise CannotLoad(
                    f"The file at {host} is larger than {max_bytes // 1024**2} MB; an O*NET "
                    "release has about 15 MB. Check the address."
                )
            if time.monotonic() > ends_at:
                raise CannotLoad(f"The download from {host} took longer than 20 minutes.")
            file.write(chunk)
            reporter.advance(len(chunk))
