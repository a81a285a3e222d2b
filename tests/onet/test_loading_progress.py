"""The progress bar of commands: drawn on a terminal, silent elsewhere."""

from __future__ import annotations

import io
import os
import pty
import select

from futura.progress import ProgressBar

WAIT_S = 10


def show(stream: io.TextIOBase) -> None:
    with ProgressBar(stream) as bar:  # type: ignore[arg-type]
        bar.advance()
        bar.step("Reading", total=10)
        bar.advance(4)
        bar.step("Writing")
        bar.advance()


def test_it_says_nothing_where_nobody_watches() -> None:
    stream = io.StringIO()
    show(stream)
    assert stream.getvalue() == ""


def test_it_draws_its_steps_on_a_terminal() -> None:
    master, slave = pty.openpty()
    try:
        with os.fdopen(slave, "w") as terminal:
            show(terminal)
            drawn = ""  # a terminal hands on what was written by and by
            while "Writing" not in drawn and select.select([master], [], [], WAIT_S)[0]:
                drawn += os.read(master, 65_536).decode(errors="ignore")
    finally:
        os.close(master)
    assert "Writing" in drawn
