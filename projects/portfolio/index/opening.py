"""The active index of a portfolio, kept in each process until another build is active."""

from __future__ import annotations

import logging
import threading
import uuid
from collections import OrderedDict
from typing import Final

import numpy as np

from futura.errors import FuturaError
from onet.lexical.postings import Floats
from projects.portfolio.documents import Doc
from projects.portfolio.index.building import QUESTIONS, encoder_of
from projects.portfolio.index.searching import Encode, Index
from projects.portfolio.models import Document, DocumentVector, IndexBuild, Portfolio

log = logging.getLogger(__name__)

KEPT: Final = 32
"""Portfolios whose index stays in the memory of a process."""
_open: OrderedDict[uuid.UUID, Index] = OrderedDict()
_lock = threading.Lock()


def index_for(portfolio: Portfolio) -> Index | None:
    """The index that questions go to; None before the first build. One query while it is kept."""
    while True:
        build = IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
        if build is None:
            return None
        with _lock:
            found = _open.get(build.pk)
            if found is not None:
                _open.move_to_end(build.pk)
                return found
        made = _read(build)
        if IndexBuild.objects.filter(pk=build.pk).exists():
            break  # else another took its place while its documents were read
    with _lock:
        _open[build.pk] = made
        while len(_open) > KEPT:
            _open.popitem(last=False)
    return made


def _read(build: IndexBuild) -> Index:
    docs = [
        Doc(
            corpus=row.corpus,
            facet=row.facet,
            doc_id=row.doc_id,
            title=row.title,
            text=row.text,
            keywords=row.keywords,
            started=row.started,
            ended=row.ended,
            is_current=row.is_current,
            is_employment=row.is_employment,
            linked=tuple(row.linked),
        )
        for row in Document.objects.filter(build=build)
    ]
    return Index(docs, _vectors(build), _encoder(build), build.space)


def _vectors(build: IndexBuild) -> dict[tuple[str, str], Floats] | None:
    rows = DocumentVector.objects.filter(document__build=build).values_list(
        "document__corpus", "document__doc_id", "vector"
    )
    found = {
        (corpus, doc_id): np.asarray(vector, dtype=np.float32) for corpus, doc_id, vector in rows
    }
    return found or None


def _encoder(build: IndexBuild) -> Encode | None:
    try:
        return encoder_of(build.space, stage=QUESTIONS)
    except FuturaError as error:
        log.warning("space %s is not usable here: %s", build.space, error)
        return None
