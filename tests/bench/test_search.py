"""Title and statement search against plain BM25 over the same texts, in the same run."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Sequence

import bm25s
import numpy as np
import pytest
from django.core.management import call_command

from futura.text import stems, words
from onet.models import Release
from onet.search.finding import searcher
from onet.titles.finding import ranker
from tests.onet.releases import REAL

pytestmark = [
    pytest.mark.bench,
    pytest.mark.django_db,
    pytest.mark.skipif(not REAL.exists(), reason="needs the O*NET release in ../shared/onet"),
]
QUERIES = 300


def plain(texts: Sequence[str]) -> Callable[[str], object]:
    """BM25 over stems, the five best."""
    index = bm25s.BM25()
    index.index([stems(words(text)) for text in texts], show_progress=False)

    def ask(query: str) -> object:
        known = [stem for stem in stems(words(query)) if stem in index.vocab_dict]
        scores = index.get_scores(known) if known else np.zeros(1)
        return np.argpartition(-scores, min(5, len(scores) - 1))[:5]

    return ask


def timed(ask: Callable[[str], object], queries: Sequence[str]) -> tuple[float, float]:
    """p50 and p95 in milliseconds, after a warm-up."""
    ask("warm up")
    taken = []
    for query in queries:
        begun = time.perf_counter()
        ask(query)
        taken.append((time.perf_counter() - begun) * 1000)
    return float(np.percentile(taken, 50)), float(np.percentile(taken, 95))


def test_title_and_statement_search_beside_plain_bm25(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("onet_load", str(REAL), stdout=io.StringIO(), stderr=io.StringIO())
    release = Release.objects.get(is_active=True)
    titles, statements = ranker(release), searcher(release)
    sides = {
        "titles": (lambda q: titles.best(q, 5), titles.index.titles),
        "statements": (lambda q: statements.search(q, limit=5), statements.index.texts),
    }
    for name, (ask, texts) in sides.items():
        queries = texts[:: max(len(texts) // QUERIES, 1)][:QUERIES]
        ours, theirs = timed(ask, queries), timed(plain(texts), queries)
        figures = {
            "search": name,
            "p50_ms": round(ours[0], 2),
            "p95_ms": round(ours[1], 2),
            "times_bm25_p50": round(ours[0] / theirs[0], 1),
            "times_bm25_p95": round(ours[1] / theirs[1], 1),
        }
        with capsys.disabled():
            sys.stdout.write(f"\n{json.dumps(figures)}\n")
        assert len(queries) == QUERIES
