"""Calls that are not conversations: vectors of texts, words of a recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from futura.llm import calls
from futura.llm.ledger import Origin
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.retries import Plan
from futura.llm.transport import Exchange
from futura.llm.wires.parsing import count, items, mapping, parsed
from futura.llm.wires.shapes import LARGEST_ANSWER_BYTES, Answer, Endpoint, Usage

if TYPE_CHECKING:  # the SDK is loaded with the first call (futura/llm/loop.py)
    from openai import AsyncAPIResponse, AsyncOpenAI

BATCH_TEXTS = 256
BATCH_CHARS = 200_000


class Embeddings:
    """The door for vectors."""

    name = "embeddings"
    largest_bytes = 100_000_000

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        create = cast("Any", client.embeddings.with_streaming_response.create)
        return cast(
            "AbstractAsyncContextManager[AsyncAPIResponse[Any]]",
            create(**body, extra_headers=headers),
        )

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads the vectors, in the order of the texts."""
        found = parsed(payload)
        rows = sorted(items(found.get("data")), key=lambda row: count(row.get("index")))
        try:
            vectors = np.array([row.get("embedding") for row in rows], dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise CallFailed(Outcome.MALFORMED, "no vectors") from error
        answer.vectors, answer.end = vectors, "completed"
        _read_frame(found, answer, "prompt_tokens", "")


class Transcriptions:
    """The door for recordings."""

    name = "transcriptions"
    largest_bytes = LARGEST_ANSWER_BYTES

    def send(
        self, client: AsyncOpenAI, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AbstractAsyncContextManager[AsyncAPIResponse[Any]]:
        """Sends it; the body of the response has not been read yet."""
        create = cast("Any", client.audio.transcriptions.with_streaming_response.create)
        return cast(
            "AbstractAsyncContextManager[AsyncAPIResponse[Any]]",
            create(**body, extra_headers=headers),
        )

    def read_whole(self, payload: bytes, answer: Answer) -> None:
        """Reads the words."""
        found = parsed(payload)
        answer.text, answer.end = str(found.get("text") or "").strip(), "completed"
        _read_frame(found, answer, "input_tokens", "output_tokens")


def embed(
    plan: Plan, texts: Sequence[str], origin: Origin, *, dimensions: int | None
) -> npt.NDArray[np.float32]:
    """Vectors `(len(texts), d)` float32, unit length; a zero vector stays zero."""
    parts = [_embed_batch(plan, batch, origin, dimensions) for batch in batches(texts)]
    if not parts:
        return np.zeros((0, dimensions or 0), dtype=np.float32)
    if len({part.shape[1] for part in parts}) > 1:
        raise CallFailed(Outcome.MALFORMED, "vectors of several sizes").unavailable
    vectors = np.concatenate(parts)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in requests that servers accept."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARS):
            yield batch
            batch, size = [], 0
        batch.append(text or " ")  # servers refuse the empty string
        size += len(text)
    if batch:
        yield batch


def transcribe(plan: Plan, audio: bytes, filename: str, origin: Origin) -> str:
    """What was said in a recording."""
    answer = _send(plan, Transcriptions(), {"file": (filename, audio)}, origin)
    if not answer.text:
        raise CallFailed(Outcome.EMPTY).unavailable
    return answer.text


def _embed_batch(
    plan: Plan, batch: list[str], origin: Origin, dimensions: int | None
) -> npt.NDArray[np.float32]:
    body: dict[str, Any] = {"input": batch, "encoding_format": "float"}
    if dimensions is not None:
        body["dimensions"] = dimensions
    vectors = _send(plan, Embeddings(), body, origin).vectors
    if vectors is None or vectors.ndim != 2 or len(vectors) != len(batch):
        raise CallFailed(Outcome.MALFORMED, "wrong number of vectors").unavailable
    return vectors


def _send(plan: Plan, endpoint: Endpoint, body: Mapping[str, Any], origin: Origin) -> Answer:
    while True:
        request = {"model": plan.model, **body}
        exchange = Exchange(plan.stage, endpoint, request, plan.ends_at)
        try:
            return calls.send(exchange, plan, origin).answer
        except CallFailed as failure:
            plan.after(failure)


def _read_frame(found: Mapping[str, Any], answer: Answer, asked: str, written: str) -> None:
    answer.model = str(found.get("model") or "")
    usage = mapping(found.get("usage"))
    if asked in usage:
        answer.usage = Usage(count(usage.get(asked)), 0, count(usage.get(written)), 0)
