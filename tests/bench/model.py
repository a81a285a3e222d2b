"""A scripted model whose every piece of text carries its number and when it was sent.

`python -m tests.bench.model --pieces 40 --delay-ms 50` prints its address, then a line for every
client that hung up on it. A prompt that contains `stall` gets five pieces and then silence.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.scripted.connection import Connection
from tests.scripted.requests import ScriptedRequest
from tests.scripted.server import ScriptedServer
from tests.scripted.steps import Step
from tests.scripted.wires import Stream

PIECE = re.compile(r"<(\w+) (\d+) ([\d.]+)>|&lt;(\w+) (\d+) ([\d.]+)&gt;")
BEFORE_STALL = 5


@dataclass(frozen=True)
class Piece:
    """A piece as a client received it: whose turn, which one, when the model sent it."""

    turn: str
    number: int
    sent_at: float


def pieces_in(text: str) -> list[Piece]:
    """Every whole piece in a text or a page fragment."""
    found = (tuple(part for part in match if part) for match in PIECE.findall(text))
    return [Piece(turn, int(number), float(sent_at)) for turn, number, sent_at in found]


class MeteredServer(ScriptedServer):
    """Answers each request with pieces named after the first word of its prompt."""

    def __init__(self, *, pieces: int, delay_s: float) -> None:
        super().__init__(chunk_delay_s=delay_s)
        self._pieces = pieces

    def _step_for(self, request: ScriptedRequest) -> Step | None:
        words = request.last_user.split()
        answer = " ".join(words[:1] * self._pieces)
        if "stall" in words:
            return Step(answer, fault="stall", after=BEFORE_STALL)
        return Step(answer)

    async def _say(
        self, connection: Connection, stream: Stream, pieces: list[str], step: Step
    ) -> None:
        for number, word in enumerate(pieces):
            if number:
                await asyncio.sleep(self.chunk_delay_s)
            piece = f"<{word.strip()} {number} {time.monotonic():.6f}> "
            await connection.chunk(stream.piece(piece))

    def _note_hang_up(self) -> None:
        print(f"hung up at {time.monotonic():.6f}", flush=True)  # noqa: T201


class ModelProcess:
    """The model in a process of its own, so that its work is not the measured one's."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.pid = process.pid
        self.base_url = self._line().partition("=")[2]

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def hung_up_at(self) -> float:
        """When the next client hung up (`time.monotonic`, the same clock in every process)."""
        return float(self._line().rpartition(" ")[2])


@contextlib.contextmanager
def running_model(*, pieces: int, delay_ms: float) -> Iterator[ModelProcess]:
    """A model process that ends with the block."""
    numbers = ("--pieces", str(pieces), "--delay-ms", str(delay_ms))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.model", *numbers], stdout=subprocess.PIPE, text=True
    )
    try:
        yield ModelProcess(process)
    finally:
        process.terminate()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.model")
    parser.add_argument("--pieces", type=int, default=40)
    parser.add_argument("--delay-ms", type=float, default=50)
    given = parser.parse_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with MeteredServer(pieces=given.pieces, delay_s=given.delay_ms / 1000) as server:
        print(f"OPENAI_BASE_URL={server.base_url}", flush=True)  # noqa: T201
        stop.wait()


if __name__ == "__main__":
    main()
