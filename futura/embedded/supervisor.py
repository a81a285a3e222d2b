"""Child processes of `manage.py up`: started together, again when one dies, ended together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from futura.embedded.folder import Trouble
from futura.embedded.privileges import dying_with_parent
from futura.embedded.restarts import Restarts, ending_of, last_notice, restart_notice

STOP_TIMEOUT_S: Final = 10.0
GRACE_S: Final = 4.0  # for answers and requests at work: who presses Ctrl-C waits for the end
_POLL_S: Final = 0.05
_COLOURS: Final = (36, 35, 32, 33, 34, 31)


@dataclass(frozen=True)
class Program:
    """One child: the name before its lines, its command, and a socket that it is handed."""

    name: str
    command: Sequence[str]
    socket_fd: int | None = None


class Lines:
    """Writes whole lines of several threads, each with its speaker's name, onto one stream."""

    def __init__(self, stream: TextIO, *, width: int) -> None:
        self._stream = stream
        self._width = width
        self._lock = threading.Lock()
        self._colours: dict[str, int] = {}
        self._is_terminal = stream.isatty()

    def write(self, name: str, text: str) -> None:
        """One line; a terminal that was closed meanwhile is no reason to fail."""
        label = f"{name:<{self._width}} |"
        if self._is_terminal:
            colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
            label = f"\x1b[{colour}m{label}\x1b[0m"
        with self._lock:
            try:
                self._stream.write(f"{label} {text}\n")
                self._stream.flush()
            except (OSError, ValueError):
                return


class Supervisor:
    """Starts programs, starts those that end by themselves again, stops them all."""

    def __init__(self, lines: Lines, environment: Mapping[str, str], folder: str) -> None:
        self._lines = lines
        # many processes on few cores: small products of matrices are faster on one thread each
        quiet = {"OPENBLAS_NUM_THREADS": "1"}
        self._environment = {**quiet, **os.environ, **environment, "PYTHONUNBUFFERED": "1"}
        self._folder = folder
        self._programs: dict[str, Program] = {}
        self._running: dict[str, subprocess.Popen[str]] = {}
        self._readers: list[threading.Thread] = []
        self._restarts = Restarts()
        self._due: dict[str, float] = {}  # when a child that ended is to be started again

    def start(self, program: Program) -> None:
        """Starts a child; call from the main thread (the kernel ties the child to the thread)."""
        self._programs[program.name] = program
        process = subprocess.Popen(  # noqa: S603 (our own programs)
            program.command,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            pass_fds=() if program.socket_fd is None else (program.socket_fd,),
            preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 (two system calls)
        )
        self._running[program.name] = process
        reader = threading.Thread(
            target=self._read, args=(program.name, process), name=f"log of {program.name}"
        )
        reader.daemon = True
        reader.start()
        self._readers = [*(thread for thread in self._readers if thread.is_alive()), reader]

    def _read(self, name: str, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None  # noqa: S101 (a pipe was asked for)
        with process.stdout as output:
            for line in output:
                if line.strip():
                    self._lines.write(name, line.rstrip())

    def tend(self) -> None:
        """Starts children that ended again, after a pause; call it often, from the main thread.

        Raises Trouble with the name and the reason when one has ended too often.
        """
        for name, process in list(self._running.items()):
            if (code := process.poll()) is not None:
                del self._running[name]
                self._plan_restart(name, ending_of(code))
        for name, due_at in list(self._due.items()):
            if due_at <= time.monotonic():
                del self._due[name]
                self.start(self._programs[name])

    def _plan_restart(self, name: str, reason: str) -> None:
        pause_s = self._restarts.pause_after_death(name)
        if pause_s is None:
            raise Trouble(last_notice(name, reason))
        self._due[name] = time.monotonic() + pause_s
        self._lines.write(name, restart_notice(name, reason, pause_s))

    def stop(self) -> None:
        """Asks all children to end, and ends by force those that take too long."""
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_TIMEOUT_S
        while self._alive() and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        self.kill()

    def kill(self) -> None:
        """Ends by force whatever still runs, children's children included."""
        self._signal(signal.SIGKILL)
        for process in self._running.values():
            process.wait()
        for reader in self._readers:
            reader.join(1.0)

    def _alive(self) -> list[subprocess.Popen[str]]:
        return [process for process in self._running.values() if process.poll() is None]

    def _signal(self, number: signal.Signals) -> None:
        for process in self._alive():
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                continue


def product_programs(
    *, host: str, port: int, beat_file: str, socket_fd: int | None = None
) -> list[Program]:
    """The product's processes: pages, two workers for answers, one for jobs, and the clock.

    With `socket_fd`, a socket that already listens, pages are served from it: what arrives while
    the web process is started again waits in it, and is not refused.
    """
    # on one's own machine root is as good as any user, and Celery need not warn four times
    as_root = ("-W", "ignore:You're running the worker with superuser privileges")
    celery = (sys.executable, *as_root, "-m", "celery", "--quiet", "-A", "futura")
    worker = ("-P", "threads", "-l", "INFO", "--without-gossip", "--without-mingle")
    answers = ("worker", "-Q", "turns", "-c", "64", *worker)
    place = ("-b", host, "-p", str(port)) if socket_fd is None else ("--fd", str(socket_fd))
    web = (sys.executable, "-m", "futura.serving", "-v", "0", *place, "futura.asgi:application")
    return [
        Program("web", web, socket_fd),
        Program("turns-1", (*celery, *answers, "-n", "turns-1@%h")),
        Program("turns-2", (*celery, *answers, "-n", "turns-2@%h")),
        Program("jobs", (*celery, "worker", "-Q", "jobs", "-c", "8", *worker, "-n", "jobs@%h")),
        Program("beat", (*celery, "beat", "-l", "INFO", "-s", beat_file, "--pidfile=")),
    ]
