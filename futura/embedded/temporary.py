"""The product's own processes for the length of one command, over the data that are there."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from typing import IO, Final

from django.conf import settings

from futura.embedded.folder import Trouble
from futura.embedded.privileges import dying_with_parent
from futura.embedded.programs import product_programs, readiness

READY_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 15.0
NEEDED: Final = ("web", "turns-1", "jobs")


@contextlib.contextmanager
def serving_product() -> Iterator[str]:
    """The address of web and workers that end with the block; rates are not limited there.

    Raises Trouble when they do not get ready.
    """
    with socket.socket() as listener, tempfile.TemporaryFile() as output:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        environment = {
            **os.environ,
            "FUTURA_DATA_DIR": str(settings.DATA_DIR),
            "FUTURA_PORT": str(port),
            "FUTURA_URL": f"http://localhost:{port}",
            "FUTURA_RATE_LIMITS": "false",
            "FUTURA_STATIC_MANIFEST": "false",
        }
        running: list[subprocess.Popen[bytes]] = []
        try:
            named = product_programs(host="127.0.0.1", port=port, socket_fd=listener.fileno())
            for program in [item for item in named if item.name in NEEDED]:
                running.append(_started(program.command, environment, listener, output))  # noqa: PERF401
            _await_ready(running, port, output)
            yield f"http://localhost:{port}"
        finally:
            _end(running)


def _started(
    command: list[str], environment: Mapping[str, str], listener: socket.socket, output: IO[bytes]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (our own programs)
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=(listener.fileno(),),
        preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 (two system calls)
    )


def _await_ready(running: list[subprocess.Popen[bytes]], port: int, output: IO[bytes]) -> None:
    deadline = time.monotonic() + READY_TIMEOUT_S
    while not readiness("127.0.0.1", port, f"http://localhost:{port}")[0]:
        has_ended = any(process.poll() is not None for process in running)
        if has_ended or time.monotonic() > deadline:
            output.seek(0)
            words = output.read().decode(errors="replace")[-2000:]
            raise Trouble(f"The product did not get ready: {words}")
        time.sleep(0.1)


def _end(running: list[subprocess.Popen[bytes]]) -> None:
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
