"""Calls that are not conversations: vectors of texts, words of a recording, moderation."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from futura.errors import ModelUnavailable
from futura.llm import calls, server
from futura.llm.calls import Plan
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.protocols.shapes import Answer, Endpoint, count, items, parsed, usage_of
from futura.llm.transport import FILE

log = logging.getLogger(__name__)

BATCH_TEXTS: Final = 256
BATCH_CHARS: Final = 200_000
PIECE_CHARS: Final = 8_000

_without_moderation: set[str] = set()


def _read_vectors(payload: bytes, answer: Answer) -> str:
    """The result is an array `(n, d)` of finite float32, in the order of the texts."""
    content = parsed(payload)
    rows = sorted(items(content.get("data")), key=lambda row: count(row.get("index")))
    try:
        with np.errstate(over="ignore"):
            vectors = np.array([row.get("embedding") for row in rows], dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise CallFailed(Outcome.MALFORMED, "no vectors") from error
    if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
        raise CallFailed(Outcome.MALFORMED, "no vectors")
    answer.result, answer.end = vectors, "completed"
    answer.model = str(content.get("model") or "")
    answer.usage = usage_of(content.get("usage"), "prompt", "completion")
    return ""


def _read_words(payload: bytes, answer: Answer) -> str:
    content = parsed(payload)
    answer.end, answer.model = "completed", str(content.get("model") or "")
    answer.usage = usage_of(content.get("usage"), "input", "output")
    return str(content.get("text") or "").strip()


def _read_verdicts(payload: bytes, answer: Answer) -> str:
    """The result is a verdict on each piece."""
    content = parsed(payload)
    verdicts = items(content.get("results"))
    if not verdicts or any(not isinstance(verdict.get("flagged"), bool) for verdict in verdicts):
        raise CallFailed(Outcome.MALFORMED, "no verdict")
    answer.model = str(content.get("model") or "")
    answer.result, answer.end = verdicts, "completed"
    return ""


EMBEDDINGS: Final = Endpoint(
    name="embeddings", path="/embeddings", read=_read_vectors, largest_bytes=100_000_000
)
TRANSCRIPTIONS: Final = Endpoint(
    name="transcriptions", path="/audio/transcriptions", read=_read_words
)
MODERATIONS: Final = Endpoint(name="moderations", path="/moderations", read=_read_verdicts)


def embed(plan: Plan, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Vectors `(len(texts), d)` float32, unit length; a zero vector stays zero."""
    parts = [_embed_batch(plan, batch) for batch in batches(texts)]
    if not parts:
        return np.zeros((0, 0), dtype=np.float32)
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


def transcribe(plan: Plan, audio: bytes, filename: str) -> str:
    answer = calls.send(plan, TRANSCRIPTIONS, {FILE: (filename, audio)})
    if not answer.text:
        raise CallFailed(Outcome.EMPTY).unavailable
    return answer.text


def moderate(plan: Plan, text: str) -> bool:
    """Whether the endpoint flags a text; a long one is sent in pieces, in one request.

    Raises ModelUnavailable when there is an endpoint that gives no usable answer. That a server
    has none is remembered for this process; nothing is sent to it again.
    """
    address = server.current().base_url
    if not text.strip() or address in _without_moderation:
        return False
    pieces = [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
    try:
        verdicts = calls.send(plan, MODERATIONS, {"input": pieces}).result
    except ModelUnavailable as error:
        if error.reason != Outcome.NOT_FOUND:
            raise
        _without_moderation.add(address)
        log.warning("this model server has no moderation: texts pass unchecked")
        return False
    if len(verdicts) < len(pieces):
        raise CallFailed(Outcome.MALFORMED, "a piece without its verdict").unavailable
    return any(verdict["flagged"] for verdict in verdicts)


def forget() -> None:
    _without_moderation.clear()


def _embed_batch(plan: Plan, batch: list[str]) -> npt.NDArray[np.float32]:
    body = {"input": batch, "encoding_format": "float"}
    vectors: npt.NDArray[np.float32] = calls.send(plan, EMBEDDINGS, body).result
    if len(vectors) != len(batch):
        raise CallFailed(Outcome.MALFORMED, "wrong number of vectors").unavailable
    return vectors
