"""Collects static files, and serves them in the ASGI process without holding a thread."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise for an asynchronous chain: its own class is synchronous only (6.12)."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        result = (
            self.find_file(request.path_info)
            if self.autorefresh
            else self.files.get(request.path_info)
        )
        if result is None:
            return self.get_response(request)
        response = self.serve(result, request)
        return _whole(response) if iscoroutinefunction(self) else response


async def _whole(response: Any) -> HttpResponseBase:
    """The file in one piece: a stream of blocking reads has no place in an event loop."""
    with closing(response):
        body = b"".join(response.streaming_content)
    whole = HttpResponse(body, status=response.status_code)
    del whole["Content-Type"]
    for name, value in response.items():
        whole[name] = value
    return whole


def collect() -> None:
    """Collects the files, unless those collected are of the very same sources."""
    stamp = settings.DATA_DIR / "static.sources"
    sources = _sources()
    is_there = (settings.STATIC_ROOT / "staticfiles.json").exists()
    if is_there and stamp.exists() and stamp.read_text(encoding="ascii") == sources:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(sources, encoding="ascii")


def _sources() -> str:
    """A digest of the names, sizes and times of all files that would be collected."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
