"""The product's own processes for the length of one command, over the data that are there."""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from futura.embedded import supervisor
from futura.embedded.folder import Trouble

READY_TIMEOUT_S: Final = 120.0
NEEDED: Final = ("web", "turns-1", "jobs")


@contextmanager
def serving_product() -> Iterator[str]:
    """The address of web and workers that end with the block; rates are not limited there.

    Raises Trouble when they do not get ready.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        output = io.StringIO()
        children = supervisor.Supervisor(
            supervisor.Lines(output, width=8),
            {
                "FUTURA_DATA_DIR": str(settings.DATA_DIR),
                "FUTURA_PORT": str(port),
                "FUTURA_URL": f"http://localhost:{port}",
                "FUTURA_RATE_LIMITS": "false",
                "FUTURA_STATIC_MANIFEST": "false",
            },
            str(settings.BASE_DIR),
        )
        programs = supervisor.product_programs(
            host="127.0.0.1", port=port, beat_file="", socket_fd=listener.fileno()
        )
        try:
            for program in programs:
                if program.name in NEEDED:
                    children.start(program)
            _await_ready(children, port, output)
            yield f"http://localhost:{port}"
        finally:
            children.stop()


def _await_ready(children: supervisor.Supervisor, port: int, output: io.StringIO) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not is_ready(f"http://localhost:{port}"):
        children.tend()
        if time.monotonic() > deadline:
            raise Trouble(f"The product did not get ready: {output.getvalue()[-2000:]}")
        time.sleep(0.1)


def is_ready(url: str) -> bool:
    """Whether the product at an address says that it is ready."""
    place = urlsplit(url)
    web = http.client.HTTPConnection("127.0.0.1", place.port or 80, timeout=5)
    try:
        web.request("GET", "/readyz", headers={"Host": place.netloc})
        return web.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        web.close()
