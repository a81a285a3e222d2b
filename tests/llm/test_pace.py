"""How a process with many open streams reads them: the more there are, the longer its strides."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from futura.llm import transport
from futura.llm.transport import LONGEST_S, REST_S, Paced


async def test_few_streams_are_read_in_short_strides_and_many_in_longer_ones():
    strides = []
    async with AsyncExitStack() as streams:
        for _ in range(60):
            stream = await streams.enter_async_context(Paced())
            strides.append(transport.stride_s())
        assert strides[0] < 1.5 * REST_S
        assert strides == sorted(strides)
        assert strides[-1] == LONGEST_S
        await asyncio.sleep(2 * transport.AT_ONCE_S)
        begun = asyncio.get_running_loop().time()
        await stream.rest()
        rested_s = asyncio.get_running_loop().time() - begun
        assert rested_s > LONGEST_S / 2
        begun = asyncio.get_running_loop().time()
        await stream.rest()  # what had gathered meanwhile is read without another pause
        assert asyncio.get_running_loop().time() - begun < rested_s
    assert transport.stride_s() == REST_S
