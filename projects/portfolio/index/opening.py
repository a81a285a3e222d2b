"""The active index of a portfolio, kept in each process until another build is active."""

from __future__ import annotations

import logging
import threading
import uuid
from collections import OrderedDict
from typing import Final

from futura.errors import FuturaError
from projects.portfolio.index.building import QUESTIONS, documents_in, encoder_of, vectors_in
from projects.portfolio.index.searching import Encode, Index
from projects.portfolio.models import IndexBuild, Portfolio

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
            if build.pk in _open:
                _open.move_to_end(build.pk)
                return _open[build.pk]
        index = Index(documents_in(build), vectors_in(build), _encoder(build), build.space)
        if IndexBuild.objects.filter(pk=build.pk).exists():
            break  # else another took its place while its documents were read
    with _lock:
        _open[build.pk] = index
        while len(_open) > KEPT:
            _open.popitem(last=False)
    return index


def _encoder(build: IndexBuild) -> Encode | None:
    try:
        return encoder_of(build.space, stage=QUESTIONS)
    except FuturaError as error:
        log.warning("space %s is not usable here: %s", build.space, error)
        return None
