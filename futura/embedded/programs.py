"""Which processes make up the product, whether they are ready; a product for one command."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final
from urllib.parse import urlsplit

from futura.embedded.folder import Trouble
from futura.embedded.processes import dying_with_parent

TIMEOUT_S: Final = 5
READY_TIMEOUT_S: Final = 120.0
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104


@dataclass(frozen=True)
class Program:
    """One process: the name before its lines, and a module to run with its arguments."""

    name: str
    module: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", self.module, *self.arguments]


def product_programs(
    *, host: str, port: int, clock_file: str = "", socket_fd: int | None = None
) -> list[Program]:
    """The product's processes: pages, two workers for answers, and one for jobs and the clock.

    With `socket_fd`, a socket that already listens, pages are served from it: what arrives while
    the web process is started again waits in it, and is not refused. `clock_file` keeps when each
    periodic job ran; without one nothing runs by the clock.
    """
    place = ("-b", host, "-p", str(port)) if socket_fd is None else ("--fd", str(socket_fd))
    worker = ("--quiet", "-A", "futura", "worker", "-P", "threads", "-l", "INFO")
    alone = ("--without-gossip", "--without-mingle")
    clock = ("--clock", clock_file) if clock_file else ()
    return [
        Program("web", "futura.serving", ("-v", "0", *place, "futura.asgi:application")),
        *(
            Program(
                name, "celery", (*worker, *alone, "-Q", "turns", "-c", "64", "-n", f"{name}@%h")
            )
            for name in ("turns-1", "turns-2")
        ),
        Program(
            "jobs", "celery", (*worker, *alone, "-Q", "jobs", "-c", "8", "-n", "jobs@%h", *clock)
        ),
    ]


def readiness(host: str, port: int, site: str) -> tuple[bool, dict[str, Any]]:
    """Whether /readyz says yes, and its parts by name; {} while nothing answers.

    `site` is the address that the process is served under.
    """
    web = http.client.HTTPConnection(LOOPBACK.get(host, host), port, timeout=TIMEOUT_S)
    try:
        web.request("GET", "/readyz", headers={"Host": urlsplit(site).netloc})
        response = web.getresponse()
        return response.status == http.HTTPStatus.OK, json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return False, {}
    finally:
        web.close()


@contextlib.contextmanager
def serving_product() -> Iterator[str]:
    """The address of a `manage.py up` that ends with the block; rates are not limited there.

    Raises Trouble when it does not get ready, for example since one runs on this folder already.
    """
    from django.conf import settings  # `up` reads this module before it loads Django

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    site = f"http://localhost:{port}"
    environment = {
        **os.environ,
        "FUTURA_URL": site,
        "FUTURA_RATE_LIMITS": "false",
        "FUTURA_STATIC_MANIFEST": "false",
    }
    up = (sys.executable, "manage.py", "up", "--port", str(port))
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 (ourselves)
            [*up, "--data-dir", str(settings.DATA_DIR)],
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=dying_with_parent(signal.SIGTERM),  # noqa: PLW1509 (two system calls)
        )
        try:
            _await_ready(process, port, site, output)
            yield site
        finally:
            process.terminate()
            process.wait()


def _await_ready(process: subprocess.Popen[bytes], port: int, site: str, output: IO[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not readiness("127.0.0.1", port, site)[0]:
        if process.poll() is not None or time.monotonic() > deadline:
            output.seek(0)
            words = output.read().decode(errors="replace")[-2000:]
            raise Trouble(f"The product did not get ready: {words}")
        time.sleep(0.1)
