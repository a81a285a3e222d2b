"""Turns texts into vectors, by the name of a space: `openai:…`, `sentence-transformers:…`."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from futura.errors import BadInput, Unavailable
from futura.llm.client import Llm
from onet.lexical.postings import Floats

LEXICAL: Final = "lexical"
Encode = Callable[[Sequence[str]], Floats]
"""Texts in, `(n, d)` float32 of unit length out."""

_lock = threading.Lock()


def check_name(name: str) -> None:
    """Raises BadInput for a space that nothing here can make."""
    kind, _, model = name.partition(":")
    if name != LEXICAL and (kind not in {"openai", "sentence-transformers"} or not model):
        raise BadInput(
            f"“{name}” is no embedding space. Use lexical, openai:MODEL or "
            "sentence-transformers:MODEL (a name or a folder)."
        )


def encoder(name: str) -> Encode:
    """The encoder of a space. Raises Unavailable where its library is missing."""
    check_name(name)
    kind, _, model = name.partition(":")
    if kind == "openai":
        return lambda texts: Llm().embed(texts, model=model)
    return _local(model)


def _local(path: str) -> Encode:
    """A local model; one call at a time, since its tokenizer is not safe between threads."""
    with _lock:
        model = _local_model(path)

    def encode(texts: Sequence[str]) -> Floats:
        with _lock:
            found = model.encode(
                list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=64
            )
        return np.asarray(found, dtype=np.float32)

    return encode


@lru_cache(maxsize=2)
def _local_model(path: str) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise Unavailable(
            "Local embeddings need an extra: pip install 'futura[local-embeddings]'."
        ) from error
    try:
        return library.SentenceTransformer(path, device="cpu")
    except (OSError, ValueError) as error:
        raise Unavailable(f"The embedding model {path} cannot be opened: {error}") from error
