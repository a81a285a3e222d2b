"""Forks the product's processes from one that has loaded Django, and forks again what ends.

Loading the product takes seconds and a hundred megabytes: forked, its processes share both. Only
a process with a single thread may fork, so everything here happens in one loop.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import runpy
import signal
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TextIO

from futura.embedded.processes import (
    Restarts,
    dying_with_parent,
    ending_of,
)
from futura.embedded.programs import Program

STOP_TIMEOUT_S: Final = 10.0
ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CHUNK: Final = 65_536
_fork: Final = multiprocessing.get_context("fork")


def forked(name: str, work: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Work in a child of its own session, which the kernel (Linux) ends when we are gone."""
    process = _fork.Process(
        target=_begin, args=(dying_with_parent(signal.SIGKILL), name, work, arguments), name=name
    )
    with _endings_held_back():
        process.start()
    return process


def _begin(
    tie_to_parent: Callable[[], None],
    name: str,
    work: Callable[..., None],
    arguments: tuple[Any, ...],
) -> None:
    os.setsid()
    tie_to_parent()
    for number in ENDINGS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    with contextlib.suppress(OSError):  # what `top` shows
        Path("/proc/self/comm").write_text(name, encoding="ascii")
    work(*arguments)


@contextlib.contextmanager
def _endings_held_back() -> Iterator[None]:
    """A signal for us must not find our handlers in the child."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)


def _run(program: Program, output: int) -> None:
    """The program in this process; what it says goes to `output`, line by line."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        os.dup2(output, number)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)
    sys.argv = [program.module, *program.arguments]
    runpy.run_module(program.module, run_name="__main__", alter_sys=True)


class Supervisor:
    """Starts programs, shows what they say, starts those that end again, stops them all."""

    def __init__(self, stream: TextIO, *, width: int) -> None:
        self._stream = stream
        self._width = width
        self._programs: dict[str, Program] = {}
        self._running: dict[str, BaseProcess] = {}
        self._outputs: dict[int, str] = {}  # who speaks on which pipe
        self._unfinished: dict[int, bytes] = {}  # the beginning of a line
        self._restarts = Restarts()
        self._due: dict[str, float] = {}  # when a child that ended is to be started again

    def start(self, program: Program) -> None:
        """Starts a child; call from the main thread (the kernel ties the child to the thread)."""
        self._programs[program.name] = program
        output, speaking = os.pipe()
        try:
            self._running[program.name] = forked(program.name, _run, program, speaking)
        finally:
            os.close(speaking)
        self._outputs[output] = program.name

    def tend(self, patience_s: float, *watched: Any) -> bool:
        """Waits until a child speaks or ends, or something watched can be read; then looks after.

        Returns whether something watched can be read. Raises Trouble with the name and the reason
        of a child that has ended too often.
        """
        is_news = self._listen(patience_s, *watched)
        for name, process in list(self._running.items()):
            if (code := process.exitcode) is not None:
                del self._running[name]
                pause_s, notice = self._restarts.after_death(name, ending_of(code))
                self._due[name] = time.monotonic() + pause_s
                self._write(name, notice)
        for name, due_at in list(self._due.items()):
            if due_at <= time.monotonic():
                del self._due[name]
                self.start(self._programs[name])
        return is_news

    def stop(self) -> None:
        """Asks all children to end, and ends by force those that take too long."""
        self._signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_TIMEOUT_S
        while self._alive() and time.monotonic() < deadline:
            self._listen(deadline - time.monotonic())
        self.kill()

    def kill(self) -> None:
        """Ends by force whatever still runs, children's children included."""
        self._signal(signal.SIGKILL)
        for process in self._running.values():
            process.join()
        self._listen(0)

    def _listen(self, patience_s: float, *watched: Any) -> bool:
        ends = [process.sentinel for process in self._alive()]
        pauses = [due_at - time.monotonic() for due_at in self._due.values()]
        ready = wait([*self._outputs, *ends, *watched], max(0.0, min([patience_s, *pauses])))
        for output in [item for item in ready if item in self._outputs]:
            self._read(output)
        return any(item in ready for item in watched)

    def _read(self, output: int) -> None:
        """What has come on a pipe; it is closed when nobody is left to speak."""
        received = os.read(output, _CHUNK)
        name = self._outputs[output]
        *lines, unfinished = (self._unfinished.pop(output, b"") + received).split(b"\n")
        if received:
            self._unfinished[output] = unfinished
        else:
            lines.append(unfinished)
            del self._outputs[output]
            os.close(output)
        for line in lines:
            if text := line.decode(errors="replace").rstrip():
                self._write(name, text)

    def _write(self, name: str, text: str) -> None:
        """One line; a terminal that was closed meanwhile is no reason to fail."""
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(f"{name:<{self._width}} | {text}\n")
            self._stream.flush()

    def _alive(self) -> list[BaseProcess]:
        return [process for process in self._running.values() if process.exitcode is None]

    def _signal(self, number: signal.Signals) -> None:
        for process in self._alive():
            with contextlib.suppress(ProcessLookupError):
                if process.pid is not None:
                    os.killpg(process.pid, number)
