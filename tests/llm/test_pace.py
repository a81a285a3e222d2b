"""How a process with many open streams reads them: in strides that end well before they show."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from futura.llm import transport
from futura.llm.transport import FREE, LONGEST_S, Paced


async def test_few_streams_are_read_at_once_and_many_in_strides():
    strides = []
    async with AsyncExitStack() as streams:
        for _ in range(4 * FREE):
            one = await streams.enter_async_context(Paced())
            strides.append(transport.stride_s())
        assert strides[:FREE] == [0.0] * FREE
        assert strides == sorted(strides)
        assert strides[-1] == LONGEST_S
        await asyncio.sleep(2 * transport.AT_ONCE_S)
        begun = asyncio.get_running_loop().time()
        await one.rest()
        rested_s = asyncio.get_running_loop().time() - begun
        assert rested_s > LONGEST_S / 2
        begun = asyncio.get_running_loop().time()
        await one.rest()  # what had gathered meanwhile is read without another pause
        assert asyncio.get_running_loop().time() - begun < rested_s
    assert transport.stride_s() == 0.0
