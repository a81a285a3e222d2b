"""Which processes make up the product, and whether they are ready."""

from __future__ import annotations

import http.client
import json
import sys
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

TIMEOUT_S: Final = 5
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1"}  # noqa: S104


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
