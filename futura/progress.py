"""The one progress bar of all commands: on standard error, silent when that is no terminal."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)


class Reporter:
    """What long work tells about itself; this one keeps it to itself, `ProgressBar` draws it."""

    def step(self, title: str, total: int | None = None) -> None:
        """Begins a step of `total` units (unknown when None) and completes the one before."""

    def advance(self, count: int = 1) -> None:
        """`count` more units of the present step are done."""


class ProgressBar(Reporter, AbstractContextManager["ProgressBar"]):
    """A bar that is redrawn in place and gone when the work is done.

    with ProgressBar() as bar:
        bar.step("Reading statements", total=18_796)
        bar.advance(500)
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        target = stream or sys.stderr
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=target),
            disable=not target.isatty(),
            transient=True,
        )
        self._task: TaskID | None = None

    def step(self, title: str, total: int | None = None) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(title, total=total)

    def advance(self, count: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, count)

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
