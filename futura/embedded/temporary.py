"""The product's own processes for the length of one command, over the data that are there."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings

from futura.embedded import supervisor
from futura.embedded.folder import Trouble
from futura.embedded.readiness import readiness

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
    while not readiness("127.0.0.1", port, f"http://localhost:{port}")[0]:
        children.tend()
        if time.monotonic() > deadline:
            raise Trouble(f"The product did not get ready: {output.getvalue()[-2000:]}")
        time.sleep(0.1)
