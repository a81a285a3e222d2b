"""The product's own processes for the length of one command, over the data that are there."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import IO, Final

from django.conf import settings

from futura.embedded.folder import Trouble
from futura.embedded.privileges import dying_with_parent
from futura.embedded.programs import readiness

READY_TIMEOUT_S: Final = 120.0


@contextlib.contextmanager
def serving_product() -> Iterator[str]:
    """The address of a `manage.py up` that ends with the block; rates are not limited there.

    Raises Trouble when it does not get ready, for example since one runs on this folder already.
    """
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
