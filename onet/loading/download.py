"""Fetches a release from an http(s) address into a file, within limits of size and time."""

from __future__ import annotations

import http.client
import time
from pathlib import Path
from typing import IO, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

from futura.progress import Reporter
from onet.loading.catalogue import CannotLoad

MAX_BYTES: Final = 512 * 1024 * 1024
SILENCE_S: Final = 30
"""The server may be silent for so long."""
DEADLINE_S: Final = 20 * 60
CHUNK_BYTES: Final = 64 * 1024


def download(address: str, target: Path, reporter: Reporter, *, max_bytes: int = MAX_BYTES) -> Path:
    """The file behind the address, written to `target`; raises CannotLoad with the reason."""
    host = urlsplit(address).hostname or "the server"
    try:
        request = Request(address, headers={"User-Agent": "futura-onet-load"})  # noqa: S310
        with _opener().open(request, timeout=SILENCE_S) as answer, target.open("wb") as file:
            _copy(answer, file, host, reporter, max_bytes)
    except HTTPError as error:
        with error:
            raise CannotLoad(
                f"{host} answered with {error.code} {error.reason}. Check the address; it must be "
                "that of the zip file itself."
            ) from error
    except TimeoutError as error:
        raise CannotLoad(f"{host} did not answer within {SILENCE_S} seconds. Try again.") from error
    except (URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise CannotLoad(f"The download from {host} failed: {reason}. Try again.") from error
    return target


def _opener() -> OpenerDirector:
    """Speaks http and https and nothing else, redirects included."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler,
        HTTPHandler,
        HTTPSHandler,
        HTTPRedirectHandler,
        HTTPDefaultErrorHandler,
        HTTPErrorProcessor,
        UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


def _copy(
    answer: http.client.HTTPResponse,
    file: IO[bytes],
    host: str,
    reporter: Reporter,
    max_bytes: int,
) -> None:
    kind = answer.headers.get_content_type()
    if kind == "text/html":
        raise CannotLoad(
            f"{host} answered with a web page instead of a zip file. Give the address of the "
            "zip file itself."
        )
    announced = int(answer.headers.get("Content-Length") or 0)
    reporter.step("Downloading", total=announced or None)
    ends_at = time.monotonic() + DEADLINE_S
    received = 0
    while chunk := answer.read(CHUNK_BYTES):
        received += len(chunk)
        if max(received, announced) > max_bytes:
            raise CannotLoad(
                f"The file at {host} is larger than {max_bytes // 1024**2} MB; an O*NET release "
                "has about 15 MB. Check the address."
            )
        if time.monotonic() > ends_at:
            raise CannotLoad(f"The download from {host} took longer than 20 minutes. Try again.")
        file.write(chunk)
        reporter.advance(len(chunk))
    if received < announced:
        raise CannotLoad(f"The download from {host} broke off early. Try again.")
