"""What an open page costs the web process while nothing happens in it, beside Chainlit's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.bench.chainlit.process import ChainlitPage, ChainlitProcess, running_chainlit
from tests.bench.model import ModelProcess
from tests.bench.pages import Page
from tests.bench.product import MeasuredStack, cpu_s, show
from tests.bench.sockets import WebSocket

pytestmark = pytest.mark.bench
PIECES = 2
DELAY_MS = 5
WARM_UP = 50
STEPS = (0, 100, 200, 300)
QUIET_S = 10.0


@pytest.fixture(scope="module")
def chainlit(model: ModelProcess) -> Iterator[ChainlitProcess]:
    """Chainlit on the module's model."""
    with running_chainlit(model.base_url) as running:
        yield running


def resident_kb(pid: int) -> int:
    """What a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


async def slope(pid: int, open_one: Callable[[], Awaitable[WebSocket]]) -> dict[str, float]:
    """Kilobytes per open page over some hundreds, and the process's idle work with them all."""
    for page in [await open_one() for _ in range(WARM_UP)]:
        await page.close()
    pages: list[WebSocket] = []
    held = []
    for step in STEPS:
        while len(pages) < step:
            pages.append(await open_one())
        await asyncio.sleep(0.5)
        held.append(resident_kb(pid))
    before = cpu_s(pid)
    await asyncio.sleep(QUIET_S)
    idle = (cpu_s(pid) - before) / QUIET_S
    for page in pages:
        await page.close()
    per_page, base = np.polyfit(STEPS, held, 1)
    return {
        "kb_per_open_page": round(float(per_page), 1),
        "base_mb": round(float(base) / 1024, 1),
        "idle_share_of_a_core": round(idle, 3),
    }


async def test_memory_per_open_session(measured: MeasuredStack, chainlit: ChainlitProcess) -> None:
    people = iter(measured.people(WARM_UP + max(STEPS)))

    async def open_ours() -> WebSocket:
        return await Page.open(measured.port, **next(people))

    async def open_theirs() -> WebSocket:
        return await ChainlitPage.open(chainlit.port)

    ours = await slope(measured.pid("web"), open_ours)
    theirs = await slope(chainlit.pid, open_theirs)
    show(open_sessions=max(STEPS), futura=ours, chainlit=theirs)
    assert ours["kb_per_open_page"] > 0
