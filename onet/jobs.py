"""Celery shells of the catalogue: building an embedding space."""

from __future__ import annotations

import logging
from typing import Final

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from futura.celery import periodic
from futura.errors import FuturaError
from futura.progress import Reporter
from onet.embeddings import LEXICAL, build_space, prepare_space
from onet.models import EmbeddingSpace, Release
from onet.search.index import statement_index
from onet.titles.index import title_index

log = logging.getLogger(__name__)


ALIVE_S: Final = 300
"""A build that has not moved for so long is taken for dead."""


class _Alive(Reporter):
    """Keeps the claim on a build while it moves."""

    def __init__(self, claim: str) -> None:
        self._claim = claim

    def advance(self, count: int = 1) -> None:
        del count
        cache.touch(self._claim, ALIVE_S)


@shared_task(name="onet.build_space")
def build_space_job(space_id: int) -> None:
    """Builds one space unless another job is at it; what went wrong stands on its row."""
    claim = f"onet-space-{space_id}"
    if not cache.add(claim, 1, ALIVE_S):
        return
    try:
        build_space(space_id, reporter=_Alive(claim))
    except EmbeddingSpace.DoesNotExist:
        log.info("space %s is gone", space_id)
    except FuturaError as error:
        log.warning("space %s not built: %s", space_id, error)
    finally:
        cache.delete(claim)


def prepare_search_job() -> None:
    """Builds the text indexes of the active release and asks for the wanted space.

    Beat calls it: a newly loaded release, another FUTURA_EMBEDDINGS and a build that was cut off
    are seen to within minutes. Nothing to do costs two queries.
    """
    release = Release.objects.filter(is_active=True).first()
    if release is None:
        return
    title_index(release)
    statement_index(release)
    try:
        space = prepare_space(release, settings.EMBEDDINGS or LEXICAL)
    except FuturaError as error:
        log.warning("FUTURA_EMBEDDINGS: %s", error)
        return
    if not space.is_active:
        build_space_job.delay(space.pk)


periodic({"onet.prepare_search": (prepare_search_job, 60.0)})
