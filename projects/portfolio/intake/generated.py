"""Writes the corpus as files in the spec's form; the database stays what counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from projects.portfolio.corpus import Corpus, Shape
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake.measure import write_whole
from projects.portfolio.models.indexes import SCHEMA_VERSION


def write(folder: Path, corpus: Corpus, vectors: Vectors, build_id: str) -> list[Path]:
    """The files of a finished run, in order. Raises OSError.

    The lexical space is computed from the documents when they are read: it has no vectors to
    write, and its files say so.
    """
    files: dict[str, Any] = {
        "projects.json": [_plain(one) for one in corpus.projects],
        "resume.json": [_plain(one) for one in corpus.resume],
        "profile.json": _plain(corpus.profile) if corpus.profile else None,
        "persona.json": _plain(corpus.persona) if corpus.persona else None,
        **{
            f"{source}-embeddings.json": {
                "meta": {
                    "schemaVersion": SCHEMA_VERSION,
                    "buildId": build_id,
                    "space": vectors.space,
                    "isComputed": not vectors.by_key,
                },
                "entries": [
                    {"id": doc_id, "vector": [round(float(one), 6) for one in vector]}
                    for (corpus_name, doc_id), vector in vectors.by_key.items()
                    if corpus_name == source
                ],
            }
            for source in ("projects", "resume")
        },
    }
    for name, content in files.items():
        write_whole(folder / name, content)
    return [folder / name for name in files]


def _plain(one: Shape) -> dict[str, Any]:
    return one.model_dump(mode="json", by_alias=True)
