"""How a process with many open answers reads them: the more there are, the longer its strides."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from futura.llm import transport
from futura.llm.transport import LONGEST_S, REST_S, Pace


async def test_few_streams_are_read_in_short_strides_and_many_in_longer_ones():
    strides = []
    with ExitStack() as streams:
        for _ in range(60):
            stream = streams.enter_context(Pace())
            await stream.rest(has_more=True)
            strides.append(transport.stride_s())
        assert strides[0] < 1.5 * REST_S
        assert strides == sorted(strides)
        assert strides[-1] == LONGEST_S
        begun = asyncio.get_running_loop().time()
        await stream.rest(has_more=False)
        rested_s = asyncio.get_running_loop().time() - begun
        assert rested_s > LONGEST_S / 2
        begun = asyncio.get_running_loop().time()
        await stream.rest(has_more=True)  # what had gathered is read without another pause
        assert asyncio.get_running_loop().time() - begun < rested_s
    assert transport.stride_s() == REST_S


async def test_who_has_no_word_yet_holds_the_others_up_more_than_who_is_reading():
    with Pace() as reading:
        await reading.rest(has_more=True)
        alone = transport.stride_s()
        with Pace() as waiting:
            while_it_waits = transport.stride_s()
            await waiting.rest(has_more=True)
            assert alone < transport.stride_s() < while_it_waits
        assert transport.stride_s() == alone
    assert transport.stride_s() == REST_S
