"""What the gateway adds to the bare SDK: first text of one call, and of many at once."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
import pytest
from django.db import connection
from openai import OpenAI

from futura.llm import loop
from futura.llm.client import ChatMessage, Llm

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]
PROMPT: list[ChatMessage] = [
    {"role": "system", "content": "You answer briefly."},
    {"role": "user", "content": "What do bakers do? " * 100},
]
CALLS = 150
AT_ONCE = 100


@pytest.fixture
def address(settings) -> Iterator[str]:
    """A scripted server in a process of its own, 5 ms a word."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.scripted", "--chunk-delay-ms", "5"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    settings.OPENAI_BASE_URL = process.stdout.readline().strip().partition("=")[2]
    settings.OPENAI_API_KEY = "sk-bench"
    yield settings.OPENAI_BASE_URL
    loop.shutdown()
    process.terminate()
    process.wait(10)
    process.stdout.close()


def first_text_ms(texts: Callable[[], Iterator[str]], started: float | None = None) -> float:
    """From the call (or a common start) to its first text; the rest is read as well."""
    started = started or time.perf_counter()
    stream = texts()
    next(stream)
    took_ms = (time.perf_counter() - started) * 1000
    for _ in stream:
        pass
    return took_ms


def bare(client: OpenAI) -> Callable[[], Iterator[str]]:
    """The SDK as its documentation shows it."""

    def texts() -> Iterator[str]:
        create = cast("Any", client.responses.create)
        headers = {"X-Futura-Stage": "response"}
        for event in create(model="gpt-4o", input=PROMPT, stream=True, extra_headers=headers):
            if event.type == "response.output_text.delta":
                yield event.delta

    return texts


def gateway() -> Iterator[str]:
    """The same through the gateway, its ledger row included."""
    return Llm().stream_text("response", PROMPT)


def figures(values: list[float]) -> dict[str, float]:
    return {
        "p50_ms": round(float(np.percentile(values, 50)), 1),
        "p95_ms": round(float(np.percentile(values, 95)), 1),
    }


def together(texts: Callable[[], Iterator[str]]) -> list[float]:
    """First texts of many calls that start at once, a thread each."""
    found: list[float] = []
    barrier = threading.Barrier(AT_ONCE)
    starts: list[float] = []

    def one() -> None:
        barrier.wait()
        starts.append(time.perf_counter())
        found.append(first_text_ms(texts, starts[0]))
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_first_text_through_the_gateway_and_without_it(address, capsys):
    with OpenAI(base_url=address, api_key="sk-bench", max_retries=0) as client:
        sdk = bare(client)
        pairs = [(first_text_ms(sdk), first_text_ms(gateway)) for _ in range(CALLS)][5:]
        alone = {"sdk": figures([a for a, _ in pairs]), "gateway": figures([b for _, b in pairs])}
        many = {"sdk": figures(together(sdk)), "gateway": figures(together(gateway))}
    with capsys.disabled():
        sys.stdout.write(json.dumps({"one_by_one": alone, f"{AT_ONCE}_at_once": many}) + "\n")
    assert len(pairs) == CALLS - 5
