"""How many answers stream at once, beside Chainlit on the same scripted model in the same run.

Chainlit comes twice: plain, which stores nothing, and with its SQLAlchemy layer on the product's
own PostgreSQL, which stores what is said as Futura does.

Everything is on this machine: model, product, readers. A number of streams is held when 95 of 100
of their tokens reach the open page within 200 ms of the model's sending them; all are begun in one
moment. The machine may be at other work: each number is tried a few times and the quietest counts.
The model says 150 tokens at 50 a second, about what hosted models do; a slow one says 20 a second:

    BURSTS=20,40 ROUNDS=1 pytest tests/bench -m bench -k streams -s
    DELAY_MS=50 PIECES=40 pytest tests/bench -m bench -k streams -s
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator

import psycopg
import pytest

from futura.embedded import addresses
from tests.bench import bursts
from tests.bench.bursts import Burst
from tests.bench.chainlit.process import TABLES, ChainlitProcess, running_chainlit
from tests.bench.model import ModelProcess
from tests.bench.product import MeasuredStack, show

pytestmark = pytest.mark.bench
PIECES = int(os.environ.get("PIECES", "150"))
DELAY_MS = float(os.environ.get("DELAY_MS", "20"))
LADDER = "5,10,20,30,40,60,80,100,120,150,180,240"
BURSTS = tuple(int(size) for size in os.environ.get("BURSTS", LADDER).split(","))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
SLACK = 2  # sizes that one goes on trying after one was not held

Play = Callable[[int], Awaitable[Burst]]


@pytest.fixture(scope="module")
def chainlit(model: ModelProcess) -> Iterator[ChainlitProcess]:
    """Chainlit on the module's model."""
    with running_chainlit(model.base_url) as running:
        yield running


@pytest.fixture(scope="module")
def storing(model: ModelProcess, measured: MeasuredStack) -> Iterator[ChainlitProcess]:
    """The same, with what is said in a database beside the product's."""
    ours = addresses.database_url(measured.folder)
    with psycopg.connect(ours, autocommit=True) as connection:
        connection.execute("CREATE DATABASE chainlit")
    database = ours.replace("/futura?", "/chainlit?")
    with psycopg.connect(database) as connection:
        connection.execute(TABLES.read_text())
    with running_chainlit(model.base_url, database) as running:
        yield running
        with psycopg.connect(database) as connection:
            whole = connection.execute("SELECT count(*) FROM steps WHERE length(output) > 100")
            assert whole.fetchone() != (0,), "nothing was stored"


class Climber:
    """One side of the comparison on its way up the ladder."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self.best: dict[int, Burst] = {}

    @property
    def held(self) -> int:
        """The largest number it held."""
        return max((size for size, burst in self.best.items() if burst.is_held), default=0)

    @property
    def is_spent(self) -> bool:
        """Whether the last sizes were all too many."""
        last = list(self.best.values())[-SLACK:]
        return len(last) == SLACK and not any(burst.is_held for burst in last)

    async def play(self, size: int) -> None:
        """One round; the better one of a size is kept."""
        burst = await self._play(size)
        assert burst.whole == size
        known = self.best.get(size)
        if known is None or burst.token_p95 < known.token_p95:
            self.best[size] = burst


def table(climbers: dict[str, Climber]) -> str:
    """What all came to, in milliseconds."""
    lines = ["", " " * 8 + "".join(f"{name + ', token':>22}{'first':>16}" for name in climbers)]
    lines.append(f"{'streams':8}" + f"{'p50    p95':>22}{'p50    p95':>16}" * len(climbers))
    for size in BURSTS:
        line = f"{size:7} "
        for climber in climbers.values():
            burst = climber.best.get(size)
            token = f"{burst.token_p50:6.0f} {burst.token_p95:6.0f}" if burst else "-"
            first = f"{burst.first_p50:6.0f} {burst.first_p95:6.0f}" if burst else "-"
            line += f"{token:>22}{first:>16}"
        lines.append(line)
    lines.append("held    " + "".join(f"{climber.held:22}{'':16}" for climber in climbers.values()))
    return "\n".join(lines)


async def test_three_times_the_streams_of_a_storing_chainlit_are_held(
    measured: MeasuredStack,
    model: ModelProcess,
    chainlit: ChainlitProcess,
    storing: ChainlitProcess,
) -> None:
    ours = Climber(lambda size: bursts.of_pages(measured, size, PIECES))
    plain = Climber(lambda size: bursts.of_chainlit(chainlit, size, PIECES))
    stored = Climber(lambda size: bursts.of_chainlit(storing, size, PIECES))
    climbers = {"Futura": ours, "Chainlit": plain, "storing": stored}
    for warm in (3, 10):
        await bursts.of_pages(measured, warm, PIECES)
        await bursts.of_chainlit(chainlit, warm, PIECES)
        await bursts.of_chainlit(storing, warm, PIECES)
    for size in BURSTS:
        climbing = [climber for climber in (plain, stored, ours) if not climber.is_spent]
        for _ in range(ROUNDS):
            for climber in climbing:
                await climber.play(size)
        print(table(climbers).splitlines()[BURSTS.index(size) + 3], flush=True)  # noqa: T201
    print(table(climbers), flush=True)  # noqa: T201
    shared = [size for size in BURSTS if size in ours.best and plain.held >= size]
    show(
        streams="held at a p95 token delay under 200 ms",
        futura=ours.held,
        chainlit=plain.held,
        chainlit_storing=stored.held,
        first_p95_futura=[ours.best[size].first_p95 for size in shared],
        first_p95_chainlit=[plain.best[size].first_p95 for size in shared],
        first_p95_chainlit_storing=[
            stored.best[size].first_p95 for size in shared if size in stored.best
        ],
    )
    assert ours.held >= 3 * stored.held
