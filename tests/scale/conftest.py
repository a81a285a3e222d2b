"""The product on several processes behind nginx, one for the module."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.conftest import chromium, open_page
from tests.scale.cluster import Cluster, missing
from tests.scripted import ScriptedServer

__all__ = ["chromium", "open_page"]


@pytest.fixture(scope="session")
def whole_cluster() -> Iterator[Cluster]:
    """Started once; skipped with the reason where nginx is missing."""
    if reason := missing():
        pytest.skip(reason)
    with ExitStack() as ending:
        place = Path(tempfile.mkdtemp(prefix="futura-scale-"))
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        cluster = Cluster(place, ending.enter_context(ScriptedServer()))
        ending.callback(cluster.close)
        cluster.launch()
        yield cluster


@pytest.fixture
def cluster(whole_cluster: Cluster) -> Iterator[Cluster]:
    """Complete again after each test; the model plays the survey."""
    assert whole_cluster.scripted is not None
    whole_cluster.scripted.reset()
    whole_cluster.scripted.default_survey()
    whole_cluster.more.clear()
    yield whole_cluster
    whole_cluster.more.clear()
    for name in ("web-1", "web-2"):
        whole_cluster.start(name)
    whole_cluster.scripted.reset()
